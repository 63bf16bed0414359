/** Makes commits of directories: looks what has changed, reads only that. */

import { createHash } from 'node:crypto';
import type { CommitMessage, CommitOrder, CommitPart, MadeCommit } from './code-import.ts';
import { codePart, type Layout, layoutFile, sharedPart } from './commit-details.ts';
import type { RecordedCommit } from './environment-records.ts';
import type { KnownDirectory, KnownScans } from './known-scans.ts';
import type { Repository } from './repository.ts';
import { changesBetween, type Scan, type ScanRequest, scanDirectory } from './scan.ts';
import type { CodePlace } from './staged-code.ts';

export interface CommitterOptions {
  readonly repository: Repository;
  readonly scans: KnownScans;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of entries that can't be served: sockets, pipes, devices. */
  readonly onSkipped: (directory: string, names: readonly string[]) => void;
}

/** What all environments share. */
export interface SharedCode {
  readonly tree: string | undefined;
  readonly emptyDirectories: readonly string[];
}

export interface CommitRequest extends CommitMessage {
  readonly environment: string;
  readonly place: CodePlace;
  readonly shared: SharedCode;
  /** Milliseconds since the epoch. */
  readonly dateMs: number;
  /** What was just seen; looks again when absent. */
  readonly scan?: Scan;
  /** Under which name the look at the directory is remembered; not at all when absent. */
  readonly remembered?: string;
}

/** A commit that is about to be made. */
export interface PreparedCommit {
  readonly request: CommitRequest;
  readonly order: CommitOrder;
  readonly look: Look;
}

/** What was seen of a directory. */
interface Look {
  readonly scan: Scan;
  readonly isSettled: boolean;
  readonly emptyDirectories: readonly string[];
  readonly part: CommitPart;
  readonly isUnchanged: boolean;
}

export class Committer {
  private readonly options: CommitterOptions;
  private counter = 0;

  constructor(options: CommitterOptions) {
    this.options = options;
  }

  /** Brings what all environments share into the repository. */
  async importShared(place: ScanRequest, name: string, scan?: Scan): Promise<SharedCode> {
    const known = await this.options.scans.load(name);
    const look = await this.look(sharedPart, place, known, scan);
    const { emptyDirectories, isUnchanged, part } = look;
    if (isUnchanged) return { tree: known?.tree, emptyDirectories };
    const [made] = await this.options.repository.import([
      { ...ownMessage, ref: this.nextRef('shared'), seconds: this.seconds(), parts: [part] },
    ]);
    const tree = made?.parts[sharedPart];
    await this.remember(name, tree, look);
    return { tree, emptyDirectories };
  }

  /** @returns `undefined` when the environment is as it was in the commit */
  async prepare(
    request: CommitRequest,
    current: RecordedCommit | undefined,
  ): Promise<PreparedCommit | undefined> {
    const { environment, place, remembered, scan, shared } = request;
    const known = remembered === undefined ? undefined : await this.options.scans.load(remembered);
    const { directory } = place;
    const look = await this.look(codePart, { directory, excluded: [] }, known, scan);
    const layout = layoutOf(request, look);
    const isSame = look.isUnchanged && current !== undefined && current.code === known?.tree;
    if (isSame && current.shared === shared.tree && current.layoutDigest === digestOf(layout))
      return undefined;
    const parts: CommitPart[] = [look.part, { kind: 'text', name: layoutFile, text: layout }];
    if (shared.tree !== undefined) parts.push({ kind: 'tree', name: sharedPart, tree: shared.tree });
    const { author, message } = request;
    const seconds = Math.floor(request.dateMs / 1000);
    const order = { author, message, seconds, ref: this.nextRef(environment), parts };
    return { request, look, order };
  }

  /** Makes all or none. @throws see `importCommits` */
  async make(prepared: readonly PreparedCommit[]): Promise<ReadonlyMap<string, RecordedCommit>> {
    if (prepared.length === 0) return new Map();
    const made = await this.options.repository.import(prepared.map(({ order }) => order));
    const commits = new Map<string, RecordedCommit>();
    for (const [index, { request, look }] of prepared.entries()) {
      const result = made[index];
      if (result === undefined) throw new Error('unreachable: one commit for each order');
      commits.set(request.environment, recorded(request, look, result));
      if (request.remembered !== undefined)
        await this.remember(request.remembered, result.parts[codePart], look);
    }
    return commits;
  }

  private async look(
    name: string,
    place: ScanRequest,
    known: KnownDirectory | undefined,
    seen: Scan | undefined,
  ): Promise<Look> {
    const { directory } = place;
    const scan = seen ?? (await scanDirectory(place, this.options.now));
    const changes = await changesBetween(known?.scan, scan);
    if (changes === undefined && known !== undefined) {
      const { emptyDirectories, tree } = known;
      const part: CommitPart =
        tree === undefined
          ? { kind: 'files', name, base: undefined, removed: [], written: [], directory }
          : { kind: 'tree', name, tree };
      return { scan, isSettled: true, emptyDirectories, part, isUnchanged: true };
    }
    const {
      emptyDirectories = [],
      isSettled = false,
      removed = [],
      skipped = [],
      written = [],
    } = changes ?? {};
    if (skipped.length > 0) this.options.onSkipped(directory, skipped);
    const part = { kind: 'files', name, base: known?.tree, removed, written, directory } as const;
    return { scan, isSettled, emptyDirectories, part, isUnchanged: false };
  }

  /** Not to remember costs time, not correctness. */
  private async remember(name: string, tree: string | undefined, look: Look): Promise<void> {
    if (look.isUnchanged) return;
    const { emptyDirectories, isSettled, scan } = look;
    await this.options.scans.save(name, { tree, emptyDirectories, scan: { ...scan, isSettled } });
  }

  private nextRef(name: string): string {
    this.counter += 1;
    return `refs/new/${name}/${this.options.now()}-${this.counter}`;
  }

  private seconds(): number {
    return Math.floor(this.options.now() / 1000);
  }
}

const ownMessage: CommitMessage = {
  message: 'What all environments share',
  author: { name: 'Bunraku', email: 'bunraku@localhost' },
};

function layoutOf({ place, shared }: CommitRequest, look: Look): string {
  const layout: Layout = {
    directory: place.name,
    emptyDirectories: look.emptyDirectories,
    sharedEmptyDirectories: shared.emptyDirectories,
  };
  return JSON.stringify(layout);
}

function digestOf(layout: string): string {
  return createHash('sha256').update(layout).digest('hex');
}

function recorded(request: CommitRequest, look: Look, { commit, parts, tree }: MadeCommit): RecordedCommit {
  const { author, dateMs, message, place } = request;
  return {
    id: commit,
    tree,
    ...(parts[codePart] === undefined ? {} : { code: parts[codePart] }),
    ...(parts[sharedPart] === undefined ? {} : { shared: parts[sharedPart] }),
    layoutDigest: digestOf(layoutOf(request, look)),
    directory: place.name,
    dateMs: Math.floor(dateMs / 1000) * 1000,
    message,
    author,
  };
}
