/** Reads the classes of an environment, in a thread of its own. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '../../../lib/json.ts';

export interface FoundClass {
  readonly name: string;
  /** Defaults; the text of those that have to be evaluated, `null` without one. */
  readonly parameters: JsonObject;
}

export interface FoundClasses {
  /** By name. */
  readonly classes: readonly FoundClass[];
  /** What is wrong with manifests that could not be read. */
  readonly unreadable: readonly string[];
}

/**
 * @param places - directories with manifests, and single ones; those that are not there don't matter
 * @param workerUrl - the thread's file
 */
export async function readClasses(places: readonly string[], workerUrl: URL): Promise<FoundClasses> {
  const files = (await Promise.all(places.map(manifestsIn))).flat();
  const worker = new Worker(workerUrl, { workerData: files });
  try {
    return await new Promise<FoundClasses>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread that reads classes ended early')));
    });
  } finally {
    await worker.terminate();
  }
}

async function manifestsIn(place: string): Promise<readonly string[]> {
  if (place.endsWith('.pp')) return [place];
  const names = await readdir(place, { recursive: true }).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
    return [];
  });
  return names.filter((name) => name.endsWith('.pp')).map((name) => join(place, name));
}

function isAbsent(error: unknown): boolean {
  const { code } = error as { readonly code?: string };
  return code === 'ENOENT' || code === 'ENOTDIR';
}
