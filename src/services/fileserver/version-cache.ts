/** What was found out about code versions, which do not change: kept as long as the version is asked for. */

import { isWithin } from './boundary.ts';
import type { CodeVersion } from './termini.ts';

/** How many versions are remembered; those not asked for longest are forgotten first. */
const versionLimit = 64;
/** How much is remembered of one version. Beyond that (many different queries) it is begun anew. */
const weightLimit = 64 * 1024 * 1024;

interface Memory {
  readonly values: Map<string, Promise<unknown>>;
  weight: number;
}

export class VersionCache {
  private readonly memories = new Map<string, Memory>();

  /**
   * The value under the key, computed at most once while it is remembered; anew each time when files of the
   * version can change. Failures are not remembered.
   *
   * @param key - names what is computed, and its type, among everything that is remembered
   * @param weigh - about how many bytes the value takes
   */
  async remember<T>(
    version: CodeVersion,
    key: string,
    compute: () => Promise<T>,
    weigh: (value: T) => number,
  ): Promise<T> {
    if (!isImmutable(version)) return await compute();
    const memory = this.memoryOf(version);
    const known = memory.values.get(key);
    // The key names the type: what is under it was computed by the same code.
    if (known !== undefined) return (await known) as T;
    const value = compute();
    memory.values.set(key, value);
    try {
      memory.weight += key.length + weigh(await value);
    } catch (error) {
      memory.values.delete(key);
      throw error;
    }
    if (memory.weight > weightLimit) {
      memory.values.clear();
      memory.weight = 0;
    }
    return await value;
  }

  private memoryOf({ directory }: CodeVersion): Memory {
    const memory = this.memories.get(directory) ?? { values: new Map(), weight: 0 };
    this.memories.delete(directory);
    this.memories.set(directory, memory);
    for (const oldest of this.memories.keys()) {
      if (this.memories.size <= versionLimit) break;
      this.memories.delete(oldest);
    }
    return memory;
  }
}

function isPartOf(path: string, { directory, mappings = [] }: CodeVersion): boolean {
  return (
    isWithin(path, directory) || mappings.some(({ physicalDirectory }) => isWithin(path, physicalDirectory))
  );
}

/** Modules outside the version's own directories may change. */
function isImmutable(version: CodeVersion): boolean {
  return version.isMutable !== true && version.modules.every((module) => isPartOf(module.directory, version));
}
