/**
 * A server's copy of all groups, as the primary has them: it classifies by itself, also nodes that were never seen before while the
 * primary is away.
 */

import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { type HttpClient, LongPoll, type LongPollRequest } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { decodeCopiedGroups } from './group-wire.ts';
import { Hierarchy } from './hierarchy.ts';
import { checkInsHeader, etagOf, hierarchyPath } from './hierarchy-route.ts';

export interface HierarchyFollowerOptions {
  readonly client: HttpClient;
  readonly primaryUrl: string;
  /** Where the copy is kept. */
  readonly file: string;
  readonly log: Logger;
}

/** `none`: the primary has no groups, or is of a version that does not hand them out. */
export type GroupsCopy =
  | { readonly kind: 'unknown' | 'none' }
  | { readonly kind: 'groups'; readonly hierarchy: Hierarchy; readonly etag: string };

/** A primary without groups gets some with its next start. */
const nonePauseMs = 5000;
/** In the file of a server whose primary has no groups. */
const none = 'null';

export class HierarchyFollower {
  private readonly options: HierarchyFollowerOptions;
  private readonly poll: LongPoll;
  private current: GroupsCopy = { kind: 'unknown' };
  private areCheckInsStored = false;

  constructor(options: HierarchyFollowerOptions) {
    this.options = options;
    const failed = 'could not ask for the groups, keeping the copy';
    this.poll = new LongPoll({ ask: (request) => this.ask(request), failed, log: options.log });
  }

  get copy(): GroupsCopy {
    return this.current;
  }

  /** Whether the primary wants to know of each node that is classified here. */
  get storesCheckIns(): boolean {
    return this.areCheckInsStored;
  }

  /** Uses the copy that there is on the disk. */
  async restore(): Promise<void> {
    const { file, log } = this.options;
    const kept = await ifThere(readFile(file));
    try {
      if (kept !== undefined) this.current = copyOf(kept);
    } catch (err) {
      log.warn({ err, file }, 'could not read the copy of the groups, asking for a new one');
    }
  }

  start(): void {
    this.poll.start();
  }

  stop(): Promise<void> {
    return this.poll.stop();
  }

  private async ask({ headers, ...request }: LongPollRequest): Promise<number> {
    const { client, primaryUrl } = this.options;
    const known = this.current.kind === 'groups' ? { 'if-none-match': this.current.etag } : {};
    const {
      body,
      headers: answered,
      status,
    } = await client.send({
      ...request,
      method: 'GET',
      url: `${primaryUrl}${hierarchyPath}`,
      headers: { ...headers, ...known },
    });
    this.areCheckInsStored = answered[checkInsHeader] === 'true';
    if (status === 304) return 0;
    if (status !== 200 && status !== 404)
      throw new ServiceError('unavailable', `The primary answered with status ${status}`);
    const isNone = status === 404;
    if (!isNone || this.current.kind !== 'none') await this.apply(isNone ? Buffer.from(none) : body);
    return isNone ? nonePauseMs : 0;
  }

  private async apply(body: Buffer): Promise<void> {
    const { file, log } = this.options;
    const copy = copyOf(body);
    // Values may be secret.
    await writeFileAtomically(file, body, 0o600);
    this.current = copy;
    const groups = copy.kind === 'groups' ? copy.hierarchy.all().length : 0;
    log.info({ groups }, 'copied the groups of the primary');
  }
}

/** @throws ServiceError when it is no list of groups */
function copyOf(body: Buffer): GroupsCopy {
  if (body.equals(Buffer.from(none))) return { kind: 'none' };
  return { kind: 'groups', hierarchy: new Hierarchy(decodeCopiedGroups(body)), etag: etagOf(body) };
}
