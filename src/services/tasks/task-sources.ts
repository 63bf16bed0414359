/** The tasks of one module: the files of its directory `tasks`, grouped by name. */

import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ifThere } from '../../lib/if-there.ts';
import type { CodeModule } from './termini.ts';

/** One task of a module, before its metadata is read. */
export interface TaskSource {
  /** `module`, or `module::task`. */
  readonly name: string;
  /** The name in the module: `init` is that of the module's own task. */
  readonly shortName: string;
  /** The module's directory of tasks. */
  readonly directory: string;
  /** A file name; `undefined` when the task has no metadata. */
  readonly metadataFile: string | undefined;
  /** File names of everything in the directory that a task can run, those of other tasks included. */
  readonly executables: readonly string[];
}

const forbiddenExtensions: ReadonlySet<string> = new Set(['.conf', '.md']);
const itemName = /^[a-z][a-z0-9_]*$/;

/** @returns in the order of their names */
export async function taskSources(module: CodeModule): Promise<readonly TaskSource[]> {
  const directory = join(module.directory, 'tasks');
  const files = (await filesIn(directory)).filter(isTaskFile);
  const executables = files.filter((file) => !isMetadata(file));
  const names = [...new Set(files.map(withoutExtension))];
  return names.map((shortName) => ({
    name: fullName(module.name, shortName),
    shortName,
    directory,
    metadataFile: files.find((file) => isMetadata(file) && withoutExtension(file) === shortName),
    executables,
  }));
}

/** The name of a task or plan by the names of its module and of its file. */
export function fullName(module: string, shortName: string): string {
  return shortName === 'init' ? module : `${module}::${shortName}`;
}

/** Sorted names of a directory's files, without hidden ones; none when there is no such directory. */
export async function filesIn(directory: string): Promise<readonly string[]> {
  const entries = (await ifThere(readdir(directory))) ?? [];
  const names = entries.filter((name) => !name.startsWith('.')).sort();
  const areFiles = await Promise.all(names.map((name) => isFile(join(directory, name))));
  return names.filter((_name, index) => areFiles[index] === true);
}

export function withoutExtension(file: string): string {
  return file.slice(0, file.length - extname(file).length);
}

/** Whether tasks and plans can have this name in their module. */
export function isItemName(name: string): boolean {
  return itemName.test(name);
}

function isTaskFile(file: string): boolean {
  return isItemName(withoutExtension(file)) && !forbiddenExtensions.has(extname(file));
}

function isMetadata(file: string): boolean {
  return file.endsWith('.json');
}

async function isFile(path: string): Promise<boolean> {
  return (await ifThere(stat(path)))?.isFile() === true;
}
