/** What is known of an environment's directory from the last time: so that the next deploy touches only what differs. */

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../../../lib/atomic-file.ts';

/** How something came to where it is. */
const OriginWire = z.union([
  z.object({
    kind: z.literal('git'),
    remote: z.string(),
    commit: z.string(),
    /** What was asked for may mean another commit by the next time: a branch. */
    isFollowed: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('forge'), slug: z.string(), version: z.string(), excludesSpec: z.boolean() }),
  z.object({ kind: z.literal('tarball'), checksum: z.string(), excludesSpec: z.boolean() }),
  z.object({ kind: z.literal('plain') }),
]);

export type Origin = z.infer<typeof OriginWire>;

const StateWire = z.object({
  content: OriginWire.optional(),
  /** By path, relative to the environment. */
  modules: z.record(z.string(), OriginWire).default({}),
});

export class EnvironmentState {
  /** Of the environment itself; `undefined` when nothing is known. */
  content: Origin | undefined;
  readonly modules: Map<string, Origin>;
  private readonly directory: string;

  private constructor(directory: string, state: z.infer<typeof StateWire>) {
    this.directory = directory;
    this.content = state.content;
    this.modules = new Map(Object.entries(state.modules));
  }

  /** @param root - where all states are @param environmentDirectory - whose state */
  static async load(root: string, environmentDirectory: string): Promise<EnvironmentState> {
    const directory = stateDirectory(root, environmentDirectory);
    await mkdir(directory, { recursive: true });
    const text = await readFile(join(directory, 'state.json'), 'utf8').catch(() => '{}');
    return new EnvironmentState(directory, decode(text));
  }

  /** Nothing is known any more: the next deploy begins with an empty directory. */
  static async forget(root: string, environmentDirectory: string): Promise<void> {
    await rm(stateDirectory(root, environmentDirectory), { recursive: true, force: true });
  }

  async save(): Promise<void> {
    const state = { content: this.content, modules: Object.fromEntries(this.modules) };
    await writeFileAtomically(join(this.directory, 'state.json'), JSON.stringify(state));
  }

  /** Of the git modules whose hosts will be asked, unless the Puppetfile changes. */
  followedRemotes(): readonly string[] {
    const origins = [...this.modules.values()];
    return [
      ...new Set(
        origins.flatMap((origin) =>
          origin.kind === 'git' && origin.isFollowed === true ? [origin.remote] : [],
        ),
      ),
    ];
  }

  /** Where git keeps what it knows of a directory. @param path - relative to the environment, empty for itself */
  indexOf(path: string): string {
    return join(this.directory, `${path === '' ? 'content' : digest(path)}.index`);
  }
}

/** A state that can't be read is none: everything is brought anew. */
function decode(text: string): z.infer<typeof StateWire> {
  try {
    const result = StateWire.safeParse(JSON.parse(text));
    return result.success ? result.data : { modules: {} };
  } catch {
    return { modules: {} };
  }
}

function stateDirectory(root: string, environmentDirectory: string): string {
  return join(root, digest(environmentDirectory));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
