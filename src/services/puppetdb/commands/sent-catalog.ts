/** A catalog as it was sent: what is around the resources is read at once, they themselves when they are new. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseExact } from '../../../lib/raw-json.ts';
import { topLevelMembers } from '../../../lib/top-level-members.ts';
import { BadCommand, decodeWith } from './bad-command.ts';
import { type LiftOptions, liftPayload, parsePayload, storableJson } from './payload.ts';
import { type Catalog, type CatalogEnvelope, CatalogEnvelopeWire, decodeCatalog } from './wire.ts';

export interface SentCatalog {
  readonly envelope: CatalogEnvelope;
  /**
   * A digest of the resources and edges as they were sent, or the sender's own name for them: equal ones are equal,
   * different ones may be.
   */
  readonly content: string;
  /** False when the resources and edges are only named. */
  readonly isWhole: boolean;
  /** @throws BadCommand when it is no catalog */
  readonly decode: () => Catalog;
}

const large = ['resources', 'edges'];
/** The sender's own name for the resources and edges, which may come without them. Servers of ours send it. */
const contentName = 'content_id';

/** @throws BadCommand when it is no catalog */
export function readSentCatalog(payload: Buffer, lifting: LiftOptions): SentCatalog {
  const decode = (): Catalog =>
    decodeCatalog(liftPayload(parsePayload(payload.toString('utf8'), true), lifting));
  const members = topLevelMembers(payload);
  const isWhole = large.every((name) => members?.has(name));
  if (members === undefined || !(isWhole || members.has(contentName))) {
    const catalog = decode();
    const content = createHash('sha1').update(payload).digest('hex');
    return { envelope: catalog, content, isWhole: true, decode: () => catalog };
  }
  const isNamed = members.has(contentName);
  const digest = createHash('sha1');
  const small: string[] = [];
  for (const [name, { start, end }] of members) {
    const value = payload.subarray(start, end);
    if (!large.includes(name)) small.push(`${JSON.stringify(name)}:${value.toString('utf8')}`);
    else if (!isNamed) digest.update(name).update(value);
  }
  const lifted = liftPayload(parseSmall(small), lifting);
  const envelope = decodeWith(CatalogEnvelopeWire, lifted);
  const content = isNamed ? decodeWith(ContentName, lifted)[contentName] : digest.digest('hex');
  return { envelope, content, isWhole, decode };
}

const ContentName = z.object({ [contentName]: z.string().transform((name) => `named ${name}`) });

function parseSmall(members: readonly string[]): unknown {
  try {
    return parseExact(storableJson(`{${members.join(',')}}`));
  } catch (error) {
    throw new BadCommand(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
