/** Tasks and plans of the live code of environments. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { JsonObject } from '../../lib/json.ts';
import type { Logger } from '../../platform/log/index.ts';
import { InvalidTask } from './invalid-task.ts';
import { planNames } from './plan-names.ts';
import { type FoundFile, findTaskFiles, placeOf, versionedPathOf } from './task-files.ts';
import { readMetadata } from './task-metadata.ts';
import { taskSources } from './task-sources.ts';
import type { CodeModule, CodeTerminus, CodeVersion } from './termini.ts';

export interface TaskSummary {
  /** `module`, or `module::task`. */
  readonly name: string;
  readonly metadata: JsonObject;
}

/** What an agent needs to fetch a file and to know that it has the right one. */
export interface TaskFile {
  /** The name of an executable, or `module/mount/path` of a further file. */
  readonly filename: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly uri: {
    readonly path: string;
    /** `environment`, and `code_id` where exactly this version is served. */
    readonly params: Readonly<Record<string, string>>;
  };
}

export interface TaskDetails extends TaskSummary {
  /** Executables first. */
  readonly files: readonly TaskFile[];
}

/** What is known about one task or plan. */
export type TaskAnswer<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'no-environment' }
  | { readonly kind: 'no-module' }
  | { readonly kind: 'not-in-module' }
  /** It exists, but cannot be run. `issue.kind` is for clients: `puppet.tasks/invalid-metadata`. */
  | {
      readonly kind: 'invalid';
      readonly issue: {
        readonly kind: string;
        readonly message: string;
        readonly details: Readonly<Record<string, unknown>>;
      };
    };

export class TaskCatalogue {
  private readonly code: CodeTerminus;
  private readonly log: Logger;

  constructor(options: { readonly code: CodeTerminus; readonly log: Logger }) {
    this.code = options.code;
    this.log = options.log;
  }

  /**
   * The tasks that can be run. Those that cannot are left out, with a warning in the log.
   *
   * @returns `undefined` when there is no such environment
   */
  async tasks(environment: string): Promise<readonly TaskSummary[] | undefined> {
    return await this.ofModules(environment, (module, version) =>
      this.usableTasks(environment, module, version),
    );
  }

  /** @param name - `module`, or `module::task` */
  async task(environment: string, name: string): Promise<TaskAnswer<TaskDetails>> {
    return await this.inModule(environment, name, async (module, version) => {
      const source = (await taskSources(module)).find((candidate) => candidate.name === name);
      if (source === undefined) return { kind: 'not-in-module' };
      const metadata = await readMetadata(source);
      const found = await findTaskFiles(source, metadata, version);
      const files = await Promise.all(found.map((file) => describe(file, environment, version)));
      return { kind: 'found', value: { name, metadata, files } };
    });
  }

  /**
   * Names of plans.
   *
   * @returns `undefined` when there is no such environment
   */
  async plans(environment: string): Promise<readonly string[] | undefined> {
    return await this.ofModules(environment, planNames);
  }

  /** @param name - `module`, or `module::plan` */
  async plan(environment: string, name: string): Promise<TaskAnswer<string>> {
    return await this.inModule(environment, name, async (module) => {
      const names = await planNames(module);
      return names.includes(name) ? { kind: 'found', value: name } : { kind: 'not-in-module' };
    });
  }

  private async ofModules<T>(
    environment: string,
    list: (module: CodeModule, version: CodeVersion) => Promise<readonly T[]>,
  ): Promise<readonly T[] | undefined> {
    const version = this.code.withVersion(environment);
    if (version === undefined) return undefined;
    try {
      const modules = [...version.modules].sort((a, b) => (a.name < b.name ? -1 : 1));
      const found: T[] = [];
      // One after another: an environment can have thousands of modules, and descriptors are few.
      for (const module of modules) found.push(...(await list(module, version)));
      return found;
    } finally {
      version.release?.();
    }
  }

  private async inModule<T>(
    environment: string,
    name: string,
    look: (module: CodeModule, version: CodeVersion) => Promise<TaskAnswer<T>>,
  ): Promise<TaskAnswer<T>> {
    const version = this.code.withVersion(environment);
    if (version === undefined) return { kind: 'no-environment' };
    try {
      const module = version.modules.find((candidate) => candidate.name === name.split('::')[0]);
      return module === undefined ? { kind: 'no-module' } : await look(module, version);
    } catch (error) {
      if (!(error instanceof InvalidTask)) throw error;
      const { details, kind, message } = error;
      return { kind: 'invalid', issue: { kind, message, details } };
    } finally {
      version.release?.();
    }
  }

  private async usableTasks(environment: string, module: CodeModule, version: CodeVersion) {
    const found: TaskSummary[] = [];
    for (const source of await taskSources(module)) {
      try {
        const metadata = await readMetadata(source);
        await findTaskFiles(source, metadata, version);
        found.push({ name: source.name, metadata });
      } catch (error) {
        if (!(error instanceof InvalidTask)) throw error;
        const reason = error.message;
        this.log.warn({ environment, task: source.name, reason }, 'left out a task that cannot be run');
      }
    }
    return found;
  }
}

async function describe(file: FoundFile, environment: string, version: CodeVersion): Promise<TaskFile> {
  const place = placeOf(file);
  const hash = createHash('sha256');
  await pipeline(createReadStream(place), hash);
  const { size } = await stat(place);
  return {
    filename: file.name,
    sha256: hash.digest('hex'),
    sizeBytes: size,
    uri: uriOf(file, environment, version),
  };
}

/** The file of this very version where it has a path of its own, else what is live when the agent asks. */
function uriOf(file: FoundFile, environment: string, version: CodeVersion): TaskFile['uri'] {
  const versioned = versionedPathOf(file, version);
  if (versioned !== undefined && version.codeId !== null) {
    const params = { environment, code_id: version.codeId };
    return { path: `/puppet/v3/static_file_content/${versioned}`, params };
  }
  const { module, mount, relativePath } = file;
  const below = mount === 'lib' ? relativePath : `${module.name}/${relativePath}`;
  const mountName = { files: 'modules', lib: 'plugins' }[mount] ?? mount;
  return { path: `/puppet/v3/file_content/${mountName}/${below}`, params: { environment } };
}
