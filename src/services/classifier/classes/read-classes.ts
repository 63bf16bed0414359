/** Reads the classes of an environment, in a thread of its own. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../../lib/json.ts';
import { runOnce } from '../../../platform/threads/index.ts';
import type { ClassDetails } from './class-details.ts';

export interface FoundClass {
  readonly name: string;
  /** Defaults; the text of those that have to be evaluated, `null` without one. */
  readonly parameters: JsonObject;
  readonly details: ClassDetails;
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
  const onEnded = () => new Error('the thread that reads classes ended early');
  return await runOnce<FoundClasses>({ workerUrl, name: 'classes', data: files, onEnded });
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
