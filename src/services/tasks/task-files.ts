/** Which files a task consists of: what it can run, and what its metadata names besides. */

import { readdir, stat } from 'node:fs/promises';
import { basename, join, normalize } from 'node:path';
import { ifThere } from '../../lib/if-there.ts';
import type { JsonObject } from '../../lib/json.ts';
import { InvalidTask } from './invalid-task.ts';
import { filesOf, type ImplementationMetadata, implementationsOf } from './task-metadata.ts';
import { type TaskSource, withoutExtension } from './task-sources.ts';
import type { CodeModule, CodeVersion } from './termini.ts';

/** A file of a module that agents can fetch. */
export interface FoundFile {
  /** The name of the executable, or `module/mount/path` of a further file. */
  readonly name: string;
  readonly module: CodeModule;
  /** `tasks`, `files`, `lib` or `scripts`. */
  readonly mount: string;
  /** Below the mount. */
  readonly relativePath: string;
}

const mounts: readonly string[] = ['files', 'lib', 'scripts', 'tasks'];

/**
 * Executables first: an agent runs the first file when metadata names no implementations.
 *
 * @throws InvalidTask
 */
export async function findTaskFiles(
  source: TaskSource,
  metadata: JsonObject,
  version: CodeVersion,
): Promise<readonly FoundFile[]> {
  const module = version.modules.find(({ directory }) => join(directory, 'tasks') === source.directory);
  if (module === undefined) return [];
  const implementations = implementationsOf(source.name, metadata);
  const found = executablesOf(source, implementations, version).map((name) => ({
    name,
    module,
    mount: 'tasks',
    relativePath: name,
  }));
  const wanted = [...filesOf(metadata['files']), ...(implementations ?? []).flatMap(({ files }) => files)];
  for (const name of new Set(wanted)) found.push(...(await findFurtherFiles(name, version)));
  return found;
}

/** Where a file is on disk. */
export function placeOf({ module, mount, relativePath }: FoundFile): string {
  return join(module.directory, mount, relativePath);
}

function executablesOf(
  { directory, executables, name, shortName }: TaskSource,
  implementations: readonly ImplementationMetadata[] | undefined,
  version: CodeVersion,
): readonly string[] {
  if (implementations !== undefined) {
    const missing = implementations.find((implementation) => !executables.includes(implementation.name));
    if (missing === undefined) return implementations.map((implementation) => implementation.name);
    const message = `Task metadata for task ${name} specifies missing implementation ${missing.name}`;
    throw new InvalidTask(message, 'missing-implementation', { missing: [missing.name] });
  }
  const fitting = executables.filter((file) => withoutExtension(file) === shortName);
  const [first, second] = fitting;
  if (first === undefined) {
    const message = `No source besides task metadata was found in directory ${shown(directory, version)} for task ${name}`;
    throw new InvalidTask(message, 'no-implementation');
  }
  if (second === undefined) return fitting;
  const message = `Multiple executables were found in directory ${shown(join(directory, first), version)} for task ${name}; define 'implementations' in metadata to differentiate between them`;
  throw new InvalidTask(message, 'multiple-implementations');
}

async function findFurtherFiles(name: string, version: CodeVersion): Promise<readonly FoundFile[]> {
  const { module, mount, path } = splitName(name, version);
  const place = join(module.directory, mount, path);
  const stats = await ifThere(stat(place)).catch(() => undefined); // a file with a slash behind it
  if (stats === undefined) {
    throw new InvalidTask(`Could not find ${shown(place, version)} on disk`, 'invalid-file');
  }
  if (!stats.isDirectory()) return [{ name, module, mount, relativePath: path }];
  if (!name.endsWith('/')) {
    const message = `Directories specified in task metadata must include a trailing slash: ${name}`;
    throw new InvalidTask(message, 'invalid-metadata');
  }
  const below = await visibleFilesBelow(place);
  return below.map((file) => {
    const relativePath = `${path}${file}`;
    return { name: `${module.name}/${mount}/${relativePath}`, module, mount, relativePath };
  });
}

function splitName(name: string, version: CodeVersion) {
  const [moduleName = '', mount = '', ...rest] = name.split('/');
  const path = rest.join('/');
  const module = version.modules.find((candidate) => candidate.name === moduleName);
  if (module === undefined) {
    const message = `Could not find module ${moduleName} containing task file ${path}`;
    throw new InvalidTask(message, 'invalid-metadata');
  }
  if (!mounts.includes(mount)) {
    const message = `Files must be saved in module directories that Puppet makes available via mount points: ${mounts.join(', ')}`;
    throw new InvalidTask(message, 'invalid-metadata');
  }
  if (normalize(`/${path}`) !== `/${path}`) {
    throw new InvalidTask('File pathnames cannot include relative paths', 'invalid-metadata');
  }
  return { module, mount, path };
}

/** Relative paths, sorted; hidden files and directories are left out, links to directories are not followed. */
async function visibleFilesBelow(directory: string, prefix = ''): Promise<readonly string[]> {
  const entries = await readdir(join(directory, prefix), { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) found.push(...(await visibleFilesBelow(directory, `${path}/`)));
    else if ((await ifThere(stat(join(directory, path))))?.isFile() === true) found.push(path);
  }
  return found;
}

/** A path as people know it, wherever the version is on disk. */
function shown(path: string, { directory, logicalDirectory }: CodeVersion): string {
  return path.startsWith(`${directory}/`) ? logicalDirectory + path.slice(directory.length) : path;
}

/** The path below the environment, by which a file of this very version can be fetched; `undefined` without one. */
export function versionedPathOf(file: FoundFile, { codeId, directory }: CodeVersion): string | undefined {
  const { module, mount, relativePath } = file;
  const parent = join(module.directory, '..');
  if (codeId === null || join(parent, '..') !== directory || basename(module.directory) !== module.name) {
    return undefined;
  }
  return `${basename(parent)}/${module.name}/${mount}/${relativePath}`;
}
