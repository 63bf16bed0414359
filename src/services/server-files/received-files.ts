/** The files of the primary on a compile server: kept, found by readers, linked, removed when the server leaves. */

import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { FileStore } from './file-store.ts';
import { type ChosenFiles, chooseFiles, isOwn } from './own-files.ts';
import { isWithin } from './path-reader.ts';
import { noLinks, type PlacedLinks, placeLinks } from './placed-links.ts';
import type { PathProblem, Payload } from './termini.ts';

/** What readers of this server use. */
export interface FilesInUse extends Pick<ChosenFiles, 'different' | 'mappings'> {
  /** Differs between any two states. */
  readonly generation: string;
  /** Names what the primary has; `undefined` before it has said so. */
  readonly digest: string | undefined;
  readonly count: number;
  /** The primary's global `hiera.yaml`. */
  readonly hieraConfig?: string | undefined;
  readonly problems: readonly PathProblem[];
  /** The required paths that this server has in no way. */
  readonly missing: readonly PathProblem[];
}

const nothing: FilesInUse = {
  generation: '',
  digest: undefined,
  count: 0,
  mappings: [],
  different: [],
  problems: [],
  missing: [],
};

const LinksWire = z.object({ links: z.array(z.string()), directories: z.array(z.string()) });

export class ReceivedFiles {
  private readonly directory: string;
  private readonly store: FileStore;
  private readonly queue = new SerialQueue();
  private placed: PlacedLinks = noLinks;
  private inUse: FilesInUse = nothing;

  /** @param stateDirectory - of the server */
  constructor(stateDirectory: string) {
    this.directory = join(stateDirectory, 'server-files');
    this.store = new FileStore(this.directory);
  }

  get current(): FilesInUse {
    return this.inUse;
  }

  /** Takes what an earlier process left. */
  restore(): Promise<void> {
    return this.queue.run(async () => {
      this.placed = await this.readLinks();
      await this.store.restore();
      await this.choose();
    });
  }

  /** @returns whether anything is different now */
  apply(digest: string, payload: Payload): Promise<boolean> {
    return this.queue.run(async () => {
      await this.store.replace(digest, payload);
      return await this.choose();
    });
  }

  /** Looks again at which files this server has itself. @returns whether anything is different now */
  review(): Promise<boolean> {
    return this.queue.run(() => this.choose());
  }

  /** Removes everything, also what an earlier process left. @returns whether there was anything */
  clear(): Promise<boolean> {
    return this.queue.run(async () => {
      await placeLinks([], this.store.currentLink, await this.readLinks());
      this.placed = noLinks;
      await this.store.clear();
      await rm(this.directory, { recursive: true, force: true });
      const had = this.inUse.digest !== undefined;
      this.inUse = nothing;
      return had;
    });
  }

  /** Where a path really is. */
  readonly locate = (path: string): string => {
    for (const { logicalDirectory, physicalDirectory } of this.inUse.mappings)
      if (isWithin(path, logicalDirectory)) return physicalDirectory + path.slice(logicalDirectory.length);
    return path;
  };

  private async choose(): Promise<boolean> {
    const stored = this.store.current;
    if (stored === undefined) return false;
    const { digest, files, hieraConfig, problems } = stored;
    const chosen = await chooseFiles(stored, this.placed.directories);
    // A path that the primary cannot read gets no link: on the same machine the primary would read its own copy.
    const isReadable = (path: string) => !problems.some((problem) => isWithin(path, problem.path));
    await this.link(chosen.paths.filter(isReadable));
    const missing: PathProblem[] = [];
    for (const problem of problems) {
      const isKept = files.some(({ path }) => isWithin(path, problem.path));
      if (problem.isRequired && !isKept && !(await isOwn(problem.path))) missing.push(problem);
    }
    const generation = createHash('sha256')
      .update(JSON.stringify([digest, chosen, missing]))
      .digest('hex');
    const isSame = generation === this.inUse.generation;
    const { different, mappings } = chosen;
    this.inUse = {
      generation,
      digest,
      count: files.length,
      mappings,
      different,
      problems,
      missing,
      ...(hieraConfig === undefined ? {} : { hieraConfig }),
    };
    return !isSame;
  }

  private async link(paths: readonly string[]): Promise<void> {
    const before = this.placed;
    this.placed = await placeLinks(paths, this.store.currentLink, before);
    if (JSON.stringify(before) !== JSON.stringify(this.placed))
      await writeFileAtomically(this.linksFile, JSON.stringify(this.placed), 0o600);
  }

  private async readLinks(): Promise<PlacedLinks> {
    const text = await ifThere(readFile(this.linksFile, 'utf8'));
    try {
      return text === undefined ? noLinks : (LinksWire.safeParse(JSON.parse(text)).data ?? noLinks);
    } catch {
      // It is cut off.
      return noLinks;
    }
  }

  private get linksFile(): string {
    return join(this.directory, 'links.json');
  }
}
