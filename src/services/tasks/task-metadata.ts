/** The metadata of a task: a JSON file beside what it runs. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../lib/json.ts';
import { InvalidTask } from './invalid-task.ts';
import type { TaskSource } from './task-sources.ts';

/** @throws InvalidTask when the file is not a JSON object */
export async function readMetadata({ directory, metadataFile }: TaskSource): Promise<JsonObject> {
  if (metadataFile === undefined) return {};
  const text = await readFile(join(directory, metadataFile), 'utf8').catch((error: unknown) => {
    throw new InvalidTask(`Error reading metadata: ${messageOf(error)}`, 'unreadable-metadata');
  });
  const metadata = text === '' ? {} : parse(text);
  if (metadata === null) return {};
  if (isObject(metadata)) return metadata;
  throw new InvalidTask('Task metadata is not a JSON object', 'invalid-metadata');
}

/** One entry of `implementations`. */
export interface ImplementationMetadata {
  readonly name: string;
  readonly files: readonly string[];
}

/**
 * @returns `undefined` when the metadata names no implementations
 * @throws InvalidTask for shapes that cannot be used
 */
export function implementationsOf(
  taskName: string,
  metadata: JsonObject,
): readonly ImplementationMetadata[] | undefined {
  const { implementations } = metadata;
  if (implementations === undefined) return undefined;
  const says = `Task metadata for task ${taskName} does not specify`;
  if (!Array.isArray(implementations)) {
    throw new InvalidTask(`${says} implementations as an array`, 'invalid-metadata');
  }
  return implementations.map((entry: Json) => {
    const { files, name, requirements } = isObject(entry) ? entry : {};
    if (!Array.isArray(requirements ?? [])) {
      throw new InvalidTask(`${says} requirements as an array`, 'invalid-metadata');
    }
    return { name: typeof name === 'string' ? name : '', files: filesOf(files) };
  });
}

/**
 * Names of files that a task needs besides what it runs: `module/mount/path`, with a slash at the end of directories.
 *
 * @throws InvalidTask
 */
export function filesOf(files: Json | undefined): readonly string[] {
  if (files === undefined) return [];
  if (Array.isArray(files)) return files.map(String);
  const shown = typeof files === 'string' ? files : JSON.stringify(files);
  throw new InvalidTask(`The 'files' task metadata expects an array, got ${shown}.`, 'invalid-metadata');
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidTask(messageOf(error), 'unparseable-metadata');
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
