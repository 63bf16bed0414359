/** The last answer of a classifier, or of another program that knows nodes, for the time when it can't be asked. */

import { createHash } from 'node:crypto';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type Database, type Migration, type Statement, sql } from '../../platform/storage/index.ts';

export const rememberedNodeMigrations: readonly Migration[] = [
  {
    component: 'remembered-nodes',
    number: 1,
    name: 'last answers of the classifier',
    statements: ({ types }) => [
      `create table remembered_nodes (certname ${types.text} primary key, answer ${types.text} not null, ` +
        `answered_at ${types.text} not null)`,
    ],
  },
];

/** What has been written, without the answer itself: there are many nodes. */
interface Written {
  /** Of the answer as JSON; `undefined` when nothing is known of the node. */
  readonly digest: string | undefined;
  /** When it was given last. */
  readonly at: Date;
  readonly savedAt: Date;
}

/** What is asked about nodes; each has answers of its own. */
const kinds = {
  classification: {
    prefix: '',
    away: 'the classifier is away, using its last answer',
    // No certname has a colon.
    forget: (before: string) =>
      sql`delete from remembered_nodes where answered_at < ${before} and certname not like '%:%'`,
  },
  'trusted external': {
    prefix: 'trusted-external:',
    away: 'the trusted_external_command fails while the primary is away, using its last answer',
    forget: (before: string) =>
      sql`delete from remembered_nodes where answered_at < ${before} and certname like 'trusted-external:%'`,
  },
} as const;

interface NodeSource<R, N> {
  find(request: R, signal: AbortSignal): Promise<N | undefined>;
}

export interface RememberedNodesOptions<R, N> {
  readonly kind: keyof typeof kinds;
  readonly nodes: NodeSource<R, N>;
  readonly database: Database;
  /** Whether what the classifier needs is out of reach; else its failures are failures. */
  readonly isAway: () => Promise<boolean>;
  readonly log: Logger;
  readonly now: () => Date;
}

/** After which a classifier that has not answered is looked at. */
const patienceMs = 3000;
/** An answer that does not change is not written each time; its age on disk is exact to this. */
const saveIntervalMs = 10 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** A node that has not been asked about for so long is gone. */
const keepMs = 30 * dayMs;

/** Asks a classifier, and gives its last answer when it fails because what it needs is away. */
export class RememberedNodes<R extends { readonly certname: string }, N> implements NodeSource<R, N> {
  private readonly options: RememberedNodesOptions<R, N>;
  private readonly written = new Map<string, Written>();
  private served = 0;
  /** When answers were forgotten last, or could not have been renewed. */
  private forgottenAt: Date;

  constructor(options: RememberedNodesOptions<R, N>) {
    this.options = options;
    this.forgottenAt = options.now();
  }

  /** How many answers were given from memory since the start. */
  get servedFromMemory(): number {
    return this.served;
  }

  /** @throws what the classifier throws, when it is not away or never answered for this node */
  async find(request: R, signal: AbortSignal): Promise<N | undefined> {
    const { isAway, kind, log, now } = this.options;
    let failure: unknown;
    try {
      const answer = await this.ask(request, signal);
      await this.remember(request.certname, answer);
      return answer;
    } catch (error) {
      failure = error;
    }
    if (signal.aborted || !(await isAway())) throw failure;
    this.forgottenAt = now();
    const last = await this.recall(request.certname);
    if (last === undefined) throw failure;
    this.served += 1;
    const ageSeconds = Math.round((now().getTime() - last.at.getTime()) / 1000);
    log.warn({ certname: request.certname, ageSeconds, err: failure }, kinds[kind].away);
    return last.answer;
  }

  /** A slow classifier is given up if there is a last answer: what it depends on may be away. */
  private async ask(request: R, signal: AbortSignal): Promise<N | undefined> {
    const giveUp = new AbortController();
    const look = async () => {
      if ((await this.options.isAway()) && (await this.recall(request.certname)) !== undefined)
        giveUp.abort(new ServiceError('timeout', 'The classifier does not answer'));
    };
    const timer = setTimeout(() => void look().catch(ignore), patienceMs);
    try {
      return await this.options.nodes.find(request, AbortSignal.any([signal, giveUp.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  private async remember(certname: string, answer: N | undefined): Promise<void> {
    const { database, now } = this.options;
    const at = now();
    const text = answer === undefined ? undefined : JSON.stringify(answer);
    const digest = text === undefined ? undefined : createHash('sha256').update(text).digest('base64');
    const before = this.written.get(certname);
    const isFresh = before !== undefined && at.getTime() - before.savedAt.getTime() < saveIntervalMs;
    const isSaved = isFresh && before.digest === digest;
    if (!isSaved) await database.write([this.statement(certname, text, at)]);
    this.written.set(certname, { digest, at, savedAt: isSaved ? before.savedAt : at });
    if (at.getTime() - this.forgottenAt.getTime() >= dayMs) await this.forget(at);
  }

  /** Nodes come and go. Only after a day on which every node could be asked about, however long none could before. */
  private async forget(now: Date): Promise<void> {
    const { database, kind } = this.options;
    this.forgottenAt = now;
    const before = new Date(now.getTime() - keepMs);
    await database.write([kinds[kind].forget(before.toISOString())]);
    for (const [certname, { at }] of this.written) if (at < before) this.written.delete(certname);
  }

  private statement(certname: string, text: string | undefined, at: Date): Statement {
    const key = this.keyOf(certname);
    if (text === undefined) return sql`delete from remembered_nodes where certname = ${key}`;
    return sql`insert into remembered_nodes (certname, answer, answered_at)
          values (${key}, ${text}, ${at.toISOString()})
          on conflict (certname) do update set answer = excluded.answer, answered_at = excluded.answered_at`;
  }

  private async recall(certname: string): Promise<{ readonly answer: N; readonly at: Date } | undefined> {
    const [row] = await this.options.database.read(
      sql`select answer, answered_at from remembered_nodes where certname = ${this.keyOf(certname)}`,
    );
    if (row === undefined) return undefined;
    // Nothing else writes there.
    const answer = JSON.parse(String(row['answer'])) as N;
    return { answer, at: this.written.get(certname)?.at ?? new Date(String(row['answered_at'])) };
  }

  private keyOf(certname: string): string {
    return kinds[this.options.kind].prefix + certname;
  }
}

function ignore(): void {
  // The classifier goes on, and its own failure is told.
}
