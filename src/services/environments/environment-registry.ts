/** The environments that this server has, each at the version that is live and at those that are still in use. */

import {
  type CodeLocation,
  type EnvironmentOptions,
  loadEnvironment,
  type ServedEnvironment,
} from './served-environment.ts';

export class EnvironmentRegistry {
  private readonly options: EnvironmentOptions;
  private readonly loaded = new Map<string, ServedEnvironment>();

  constructor(options: EnvironmentOptions) {
    this.options = options;
  }

  /** Reads a version unless it is known already. */
  async load(location: CodeLocation): Promise<ServedEnvironment> {
    const known = this.loaded.get(location.directory);
    if (known !== undefined) return known;
    const environment = await loadEnvironment(location, this.options);
    this.loaded.set(location.directory, environment);
    return environment;
  }

  /** A version that has been loaded. */
  find(directory: string): ServedEnvironment | undefined {
    return this.loaded.get(directory);
  }

  /** Drops versions; returns their directories. */
  retain(isWanted: (directory: string) => boolean): string[] {
    const dropped = [...this.loaded.keys()].filter((directory) => !isWanted(directory));
    for (const directory of dropped) this.loaded.delete(directory);
    return dropped;
  }
}
