/** Joins versions of code, environments and compile workers: what goes live goes live for all of them at once. */

import type {
  AcquiredCode,
  CodeTerminus,
  EnvironmentSource,
  WorkerPool,
} from '../services/compiler/index.ts';
import type { EnvironmentRegistry, ServedEnvironment } from '../services/environments/index.ts';
import type {
  CodeTerminus as FileCodeTerminus,
  CodeVersion as ServedVersion,
} from '../services/fileserver/index.ts';
import type { CodeVersion, CodeVersions } from '../services/filesync/index.ts';

/** Compiles come before warm-ups, and a deploy must not wait long for either. */
const warmPatienceMs = 400;

export interface Code {
  readonly versions: CodeVersions;
  readonly environments: EnvironmentRegistry;
  /** Loads a version into environments and workers before it goes live. */
  warm(version: CodeVersion): Promise<void>;
  /** Drops what neither is live nor held. */
  prune(): void;
  /** The environments as they are served now. */
  live(): readonly ServedEnvironment[];
  readonly forCompiler: CodeTerminus;
  readonly forFileServer: FileCodeTerminus;
}

export function joinCode(versions: CodeVersions, environments: EnvironmentRegistry, pool: WorkerPool): Code {
  const prune = () => {
    for (const directory of environments.retain((known) => versions.isInUse(known))) pool.forget(directory);
  };
  const find = (
    name: string,
    codeId?: string,
  ): { version: CodeVersion; environment: ServedEnvironment } | undefined => {
    const version = codeId === undefined ? versions.current(name) : versions.find(name, codeId);
    const environment = version === undefined ? undefined : environments.find(version.directory);
    return version === undefined || environment === undefined ? undefined : { version, environment };
  };

  return {
    versions,
    environments,
    prune,
    async warm(version) {
      const environment = await environments.load(version);
      await pool.warm(sourceOf(version, environment), warmPatienceMs);
    },
    live() {
      return versions.environments().flatMap((name) => find(name)?.environment ?? []);
    },
    forCompiler: {
      acquire(name): AcquiredCode | undefined {
        const found = find(name);
        if (found === undefined) return undefined;
        return {
          source: sourceOf(found.version, found.environment),
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

function sourceOf(version: CodeVersion, environment: ServedEnvironment): EnvironmentSource {
  return { key: version.directory, physicalDirectory: environment.directory, config: environment.config };
}

function servedVersion(environment: ServedEnvironment, release: () => void): ServedVersion {
  return {
    codeId: environment.codeId,
    modules: environment.modules,
    modulePath: environment.modulePath,
    directory: environment.directory,
    logicalDirectory: environment.config.directory,
    release,
  };
}
