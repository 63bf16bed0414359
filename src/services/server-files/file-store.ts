/** The files on a compile server's disk: a directory for each payload, and a note of which one counts. */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { syncDirectory, writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import { makeDirectory } from '../../lib/make-directory.ts';
import { isWithin } from './path-reader.ts';
import type { OfferedFile, PathProblem, Payload } from './termini.ts';
import { PathWire, ProblemWire } from './wire.ts';

/** What there is on the disk. */
export interface StoredFiles {
  readonly digest: string;
  /** Holds the files below their absolute paths. */
  readonly directory: string;
  readonly paths: readonly string[];
  readonly files: readonly { readonly path: string; readonly isProgram: boolean; readonly sha256: string }[];
  readonly problems: readonly PathProblem[];
  readonly hieraConfig?: string | undefined;
}

const NoteWire = z.object({
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  paths: z.array(PathWire).readonly(),
  files: z.array(z.object({ path: PathWire, isProgram: z.boolean(), sha256: z.string() })),
  problems: z.array(ProblemWire).readonly(),
  hieraConfig: PathWire.optional(),
});

export class FileStore {
  private readonly directory: string;
  private stored: StoredFiles | undefined;

  /** @param directory - belongs to this store alone */
  constructor(directory: string) {
    this.directory = directory;
  }

  get current(): StoredFiles | undefined {
    return this.stored;
  }

  /** A link to the files that count. */
  get currentLink(): string {
    return join(this.directory, 'current');
  }

  /** Takes what an earlier process left, when it is whole. */
  async restore(): Promise<void> {
    const text = await ifThere(readFile(join(this.directory, 'note.json'), 'utf8'));
    if (text === undefined) return;
    const note = NoteWire.safeParse(parsed(text)).data;
    if (note === undefined) return;
    const directory = this.directoryOf(note.digest);
    for (const { path, sha256 } of note.files) {
      const content = await ifThere(readFile(join(directory, path)));
      if (content === undefined || digestOf(content) !== sha256) return;
    }
    this.stored = { ...note, directory };
    await this.pointTo(directory);
    await this.removeOthers([directory]);
  }

  /**
   * Puts a payload in place of the one before, which stays on the disk until the next one. A file that the primary cannot read any
   * more stays as it was.
   */
  async replace(digest: string, payload: Payload): Promise<StoredFiles> {
    const before = this.stored;
    const files = [...payload.files, ...(await this.keptOf(payload))];
    const directory = this.directoryOf(digest);
    await rm(directory, { recursive: true, force: true });
    await makeDirectory(this.directory, 0o700);
    await makeDirectory(directory, 0o700);
    for (const file of files) await writeOne(directory, file);
    const { hieraConfig, paths, problems } = payload;
    const note = {
      digest,
      paths,
      files: files.map(({ content, isProgram, path }) => ({ path, isProgram, sha256: digestOf(content) })),
      problems,
      ...(hieraConfig === undefined ? {} : { hieraConfig }),
    } satisfies z.infer<typeof NoteWire>;
    await writeFileAtomically(join(this.directory, 'note.json'), JSON.stringify(note), 0o600);
    await this.pointTo(directory);
    this.stored = { ...note, directory };
    await this.removeOthers([directory, ...(before === undefined ? [] : [before.directory])]);
    return this.stored;
  }

  async clear(): Promise<void> {
    this.stored = undefined;
    await rm(this.directory, { recursive: true, force: true });
  }

  private async keptOf({ files, problems }: Payload): Promise<readonly OfferedFile[]> {
    const { stored } = this;
    if (stored === undefined) return [];
    const isUnreadable = (path: string) => problems.some((problem) => isWithin(path, problem.path));
    const kept = stored.files.filter(
      ({ path }) => isUnreadable(path) && !files.some((file) => file.path === path),
    );
    return Promise.all(
      kept.map(async ({ isProgram, path }) => ({
        path,
        isProgram,
        content: await readFile(join(stored.directory, path)),
      })),
    );
  }

  private directoryOf(digest: string): string {
    return join(this.directory, 'payloads', digest.slice(0, 16));
  }

  private async pointTo(directory: string): Promise<void> {
    const temporary = `${this.currentLink}.new`;
    await rm(temporary, { force: true });
    await symlink(directory, temporary);
    await rename(temporary, this.currentLink);
    await syncDirectory(this.directory);
  }

  private async removeOthers(kept: readonly string[]): Promise<void> {
    const payloads = join(this.directory, 'payloads');
    for (const name of (await ifThere(readdir(payloads))) ?? [])
      if (!kept.includes(join(payloads, name)))
        await rm(join(payloads, name), { recursive: true, force: true });
  }
}

async function writeOne(directory: string, { content, isProgram, path }: OfferedFile): Promise<void> {
  const place = join(directory, path);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await writeFile(place, content, { mode: isProgram ? 0o700 : 0o600, flag: 'wx', flush: true });
}

function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A file that is cut off counts as none.
    return undefined;
  }
}
