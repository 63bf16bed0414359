/** A catalog as it was sent: what is around the resources is read at once, they themselves when they are new. */

import { createHash } from 'node:crypto';
import { parseExact } from '../canonical-json.ts';
import { BadCommand, decodeWith } from './bad-command.ts';
import { type LiftOptions, liftPayload, parsePayload, withoutNul } from './payload.ts';
import { topLevelMembers } from './top-level-members.ts';
import { type Catalog, type CatalogEnvelope, CatalogEnvelopeWire, decodeCatalog } from './wire.ts';

export interface SentCatalog {
  readonly envelope: CatalogEnvelope;
  /** A digest of the resources and edges as they were sent: equal ones are equal, different ones may be. */
  readonly content: string;
  /** @throws BadCommand when it is no catalog */
  readonly decode: () => Catalog;
}

const large = ['resources', 'edges'];

/** @throws BadCommand when it is no catalog */
export function readSentCatalog(payload: Buffer, lifting: LiftOptions): SentCatalog {
  const decode = (): Catalog =>
    decodeCatalog(liftPayload(parsePayload(payload.toString('utf8'), true), lifting));
  const members = topLevelMembers(payload);
  if (members === undefined || !large.every((name) => members.has(name))) {
    const catalog = decode();
    const content = createHash('sha1').update(payload).digest('hex');
    return { envelope: catalog, content, decode: () => catalog };
  }
  const digest = createHash('sha1');
  const small: string[] = [];
  for (const [name, { start, end }] of members) {
    const value = payload.subarray(start, end);
    if (large.includes(name)) digest.update(name).update(value);
    else small.push(`${JSON.stringify(name)}:${value.toString('utf8')}`);
  }
  const envelope = decodeWith(CatalogEnvelopeWire, liftPayload(parseSmall(small), lifting));
  return { envelope, content: digest.digest('hex'), decode };
}

function parseSmall(members: readonly string[]): unknown {
  try {
    return parseExact(withoutNul(`{${members.join(',')}}`));
  } catch (error) {
    throw new BadCommand(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
