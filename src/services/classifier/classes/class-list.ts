/** The classes of all environments that are served, read anew where another version is. */

import type { Logger } from '../../../platform/log/index.ts';
import type { FoundClass, FoundClasses } from './read-classes.ts';

/** An environment at the version that is served. */
export interface ServedManifests {
  readonly environment: string;
  /** Another one for each version. */
  readonly version: string;
  /** Directories with manifests, and single ones, those first that are found last. */
  readonly places: readonly string[];
}

export interface ClassListOptions {
  readonly live: () => readonly ServedManifests[];
  readonly read: (places: readonly string[]) => Promise<FoundClasses>;
  readonly log: Logger;
  readonly now: () => Date;
}

export interface ListedClass extends FoundClass {
  readonly environment: string;
}

interface ReadVersion {
  readonly version: string;
  readonly found: FoundClasses;
}

export class ClassList {
  private readonly options: ClassListOptions;
  private readonly read = new Map<string, ReadVersion>();
  private reading: Promise<void> = Promise.resolve();
  private updatedAt: Date | undefined;

  constructor(options: ClassListOptions) {
    this.options = options;
  }

  /** When classes were read last. */
  get lastUpdate(): Date | undefined {
    return this.updatedAt;
  }

  /** Those that are served, by name, and whether all of their manifests could be read. */
  async environments(): Promise<readonly { readonly name: string; readonly isWhole: boolean }[]> {
    await this.update();
    return Array.from(this.read, ([name, { found }]) => ({ name, isWhole: found.unreadable.length === 0 }));
  }

  /** @param environment - all when absent */
  async classes(environment?: string): Promise<readonly ListedClass[]> {
    await this.update();
    const wanted = [...this.read].filter(([name]) => environment === undefined || name === environment);
    return wanted.flatMap(([name, { found }]) =>
      found.classes.map((each) => ({ ...each, environment: name })),
    );
  }

  /** Reads what has changed; one after the other, so that one thread at most is busy with it. */
  update(): Promise<void> {
    const before = this.reading.catch(() => {}); // the earlier caller got the error
    this.reading = before.then(() => this.updateNow());
    return this.reading;
  }

  private async updateNow(): Promise<void> {
    const live = this.options.live().toSorted((a, b) => (a.environment < b.environment ? -1 : 1));
    const names = new Set(live.map(({ environment }) => environment));
    for (const name of this.read.keys()) if (!names.has(name)) this.read.delete(name);
    for (const { environment, places, version } of live) {
      if (this.read.get(environment)?.version === version) continue;
      const found = await this.options.read(places);
      for (const reason of found.unreadable)
        this.options.log.warn({ environment, reason }, 'could not read the classes of a manifest');
      this.read.set(environment, { version, found });
    }
    this.updatedAt = this.options.now();
  }
}
