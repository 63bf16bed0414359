/** The environments that this server has, each at the version that is live and at those that are still in use. */

import {
  type CodeLocation,
  type EnvironmentOptions,
  loadEnvironment,
  type ServedEnvironment,
} from './served-environment.ts';

interface Loaded {
  readonly location: CodeLocation;
  readonly environment: ServedEnvironment;
}

export class EnvironmentRegistry {
  private readonly options: EnvironmentOptions;
  private readonly loaded = new Map<string, Loaded>();
  /** Keys of versions that were loaded anew: compiles that began before may still use them. */
  private outdated: string[] = [];

  constructor(options: EnvironmentOptions) {
    this.options = options;
  }

  /** Reads a version unless it is known already. */
  async load(location: CodeLocation): Promise<ServedEnvironment> {
    const known = this.loaded.get(location.directory);
    if (known !== undefined) return known.environment;
    return await this.read(location);
  }

  /**
   * Reads all versions again: files outside of them have changed. Those of the one before last are dropped.
   *
   * @returns the keys of dropped entries
   */
  async reload(): Promise<readonly string[]> {
    const dropped = this.outdated;
    const before = [...this.loaded.values()];
    this.outdated = before.map(({ environment }) => environment.key);
    // A version that was dropped meanwhile stays dropped.
    for (const { location } of before) if (this.loaded.has(location.directory)) await this.read(location);
    return dropped;
  }

  /** A version that has been loaded. */
  find(directory: string): ServedEnvironment | undefined {
    return this.loaded.get(directory)?.environment;
  }

  /** Drops versions; returns their keys. */
  retain(isWanted: (directory: string) => boolean): string[] {
    const dropped = [...this.loaded].filter(([directory]) => !isWanted(directory));
    for (const [directory] of dropped) this.loaded.delete(directory);
    return dropped.map(([, { environment }]) => environment.key);
  }

  private async read(location: CodeLocation): Promise<ServedEnvironment> {
    const environment = await loadEnvironment(location, this.options);
    this.loaded.set(location.directory, { location, environment });
    return environment;
  }
}
