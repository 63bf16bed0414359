/** Joins versions of code, environments and compile workers: what goes live goes live for all of them at once. */

import type {
  AcquiredCode,
  CodeTerminus,
  EnvironmentSource,
  WorkerPool,
} from '../../services/compiler/index.ts';
import type { EnvironmentRegistry, ServedEnvironment } from '../../services/environments/index.ts';
import type {
  CodeTerminus as FileCodeTerminus,
  OldCodeTerminus,
  CodeVersion as ServedVersion,
} from '../../services/fileserver/index.ts';
import {
  type CodeVersion,
  type CodeVersions,
  codeIdOf,
  type FileSyncClient,
} from '../../services/filesync/index.ts';

/** Compiles come before warm-ups, and a deploy must not wait long for either. */
const warmPatienceMs = 400;

export interface Code {
  readonly versions: CodeVersions;
  readonly environments: EnvironmentRegistry;
  /** Loads a version into environments and workers before it goes live. */
  warm(version: CodeVersion): Promise<void>;
  /** Reads environments again, and lets workers do so: files outside of the code have changed. */
  reload(): Promise<void>;
  /** Drops what neither is live nor held. */
  prune(): void;
  /** The environments as they are served now. */
  live(): readonly ServedEnvironment[];
  /** Where the files of a commit lie on this server; `undefined` when they do not (any more). */
  checkedOut(
    environment: string,
    commit: string,
  ): { readonly directory: string; readonly sharedDirectory: string | undefined } | undefined;
  /** Whether an environment that is not served here yet will be. */
  isComing(environment: string): boolean;
  readonly forCompiler: CodeTerminus;
  readonly forFileServer: FileCodeTerminus;
  /** Files of versions that are not live here; none before `attach`. */
  readonly oldFiles: OldCodeTerminus;
  /** Says who gets versions that are not here, and knows which will be. */
  attach(client: Follower): void;
}

type Follower = Pick<FileSyncClient, 'findFile' | 'isComing'>;

export function joinCode(versions: CodeVersions, environments: EnvironmentRegistry, pool: WorkerPool): Code {
  let client: Follower | undefined;
  const prune = () => {
    const used = new Set(versions.inUse().map(({ directory }) => directory));
    for (const key of environments.retain((known) => used.has(known))) pool.forget(key);
  };
  const find = (
    name: string,
    codeId?: string,
  ): { version: CodeVersion; environment: ServedEnvironment } | undefined => {
    const version = codeId === undefined ? versions.current(name) : versions.find(name, codeId);
    const environment = version === undefined ? undefined : environments.find(version.directory);
    return version === undefined || environment === undefined ? undefined : { version, environment };
  };
  const live = () => versions.environments().flatMap((name) => find(name)?.environment ?? []);

  return {
    versions,
    environments,
    prune,
    async warm(version) {
      const environment = await environments.load(version);
      await pool.warm(sourceOf(environment), warmPatienceMs);
    },
    reload: () => reload(environments, pool, live),
    live,
    checkedOut(environment, commit) {
      const version = versions.find(environment, codeIdOf(environment, commit));
      if (version === undefined) return undefined;
      return { directory: version.directory, sharedDirectory: version.sharedDirectory };
    },
    attach(follower) {
      client = follower;
    },
    oldFiles: {
      find: (environment, codeId, path) =>
        client?.findFile(environment, codeId, path) ?? Promise.resolve(undefined),
    },
    isComing: (environment) =>
      versions.current(environment) === undefined && client?.isComing(environment) === true,
    forCompiler: {
      acquire(name): AcquiredCode | undefined {
        const found = find(name);
        if (found === undefined) return undefined;
        return {
          source: sourceOf(found.environment),
          hasStaticCatalogs: found.environment.hasStaticCatalogs,
          release: versions.hold(found.version),
        };
      },
    },
    forFileServer: {
      withVersion(name, codeId): ServedVersion | undefined {
        const found = find(name, codeId);
        if (found === undefined) return undefined;
        return servedVersion(found.environment, versions.hold(found.version));
      },
    },
  };
}

async function reload(
  environments: EnvironmentRegistry,
  pool: WorkerPool,
  live: Code['live'],
): Promise<void> {
  for (const key of await environments.reload()) pool.forget(key);
  for (const environment of live()) await pool.warm(sourceOf(environment), warmPatienceMs);
}

function sourceOf(environment: ServedEnvironment): EnvironmentSource {
  const { config, directory, key, mappings, outerMappings } = environment;
  return { key, physicalDirectory: directory, mappings: [...mappings, ...outerMappings], config };
}

function servedVersion(environment: ServedEnvironment, release: () => void): ServedVersion {
  return {
    codeId: environment.codeId,
    modules: environment.modules,
    modulePath: environment.modulePath,
    mappings: environment.mappings,
    directory: environment.directory,
    logicalDirectory: environment.config.directory,
    release,
  };
}
