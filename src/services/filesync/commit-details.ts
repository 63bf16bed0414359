/** What a commit says of itself, and what its tree is made of. */

import { z } from 'zod';
import type { Identity } from './code-import.ts';

/** What git's trees have no room for. In each commit as the file `layout.json`. Names have one character a byte. */
export interface Layout {
  /** Where the environment belongs, below the directory of all code: `environments/production`. */
  readonly directory: string;
  readonly emptyDirectories: readonly string[];
  readonly sharedEmptyDirectories: readonly string[];
}

export interface CommitDetails {
  readonly id: string;
  /** Milliseconds since the epoch, whole seconds. */
  readonly dateMs: number;
  readonly message: string;
  readonly author: Identity;
  /** The tree of the environment's files; absent when there is none. */
  readonly code: string | undefined;
  /** The tree of the files that all environments share: modules outside of them. */
  readonly shared: string | undefined;
  readonly layout: Layout;
}

export const layoutFile = 'layout.json';
export const codePart = 'code';
export const sharedPart = 'shared';

const Names = z.array(z.string());
const LayoutWire: z.ZodType<Layout> = z.object({
  directory: z.string().regex(/^[^/]+(\/[^/]+)*$/),
  emptyDirectories: Names,
  sharedEmptyDirectories: Names,
});

/** What `git cat-file --batch-command` is asked about a commit. */
export function detailQuestions(id: string): string {
  return `contents ${id}\ncontents ${id}:${layoutFile}\ninfo ${id}:${codePart}\ninfo ${id}:${sharedPart}\n`;
}

/** What it answers: the commits that are there as a whole, by id. */
export function decodeCommitDetails(
  output: Buffer,
  commits: readonly string[],
): ReadonlyMap<string, CommitDetails> {
  const found = new Map<string, CommitDetails>();
  const answers = new Answers(output);
  for (const id of commits) {
    const [commit, layout] = [answers.content(), answers.content()];
    const [code, shared] = [answers.id(), answers.id()];
    const details = commit === undefined || layout === undefined ? undefined : decode(id, commit, layout);
    if (details !== undefined) found.set(id, { ...details, code, shared });
  }
  return found;
}

/** `<id> <type> <size>` and a line end, with content and another line end where it was asked for; `... missing` else. */
class Answers {
  private readonly output: Buffer;
  private offset = 0;

  constructor(output: Buffer) {
    this.output = output;
  }

  content(): string | undefined {
    const head = this.head();
    if (head === undefined) return undefined;
    const start = this.offset;
    this.offset += head.bytes + 1;
    return this.output.toString('utf8', start, start + head.bytes);
  }

  id(): string | undefined {
    return this.head()?.id;
  }

  private head(): { readonly id: string; readonly bytes: number } | undefined {
    const end = this.output.indexOf(10, this.offset);
    if (end < 0) return undefined;
    const line = this.output.toString('latin1', this.offset, end);
    this.offset = end + 1;
    const match = /^([0-9a-f]{40}) \w+ (\d+)$/.exec(line);
    return match === null ? undefined : { id: match[1] ?? '', bytes: Number(match[2]) };
  }
}

function decode(id: string, commit: string, layout: string): CommitDetails | undefined {
  const match = /^author (.*) <(.*)> (\d+) [+-]\d+$/m.exec(commit);
  const shape = LayoutWire.safeParse(parseJson(layout));
  if (match === null || !shape.success) return undefined;
  const [, name = '', email = '', seconds = ''] = match;
  return {
    id,
    dateMs: Number(seconds) * 1000,
    message: commit.slice(commit.indexOf('\n\n') + 2),
    author: { name, email },
    code: undefined,
    shared: undefined,
    layout: shape.data,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // damaged: the commit counts as absent
  }
}
