/** All groups for the servers that classify by themselves: at once, or as soon as one has changed. */

import { createHash } from 'node:crypto';
import {
  type Access,
  changeWithin,
  type HttpResponse,
  preferredWait,
  type Route,
  route,
} from '../../platform/http/index.ts';
import type { Classifier } from './classifier.ts';
import { prefix } from './paths.ts';
import { renderGroup } from './render.ts';

export const hierarchyPath = `${prefix}/hierarchy`;

/** Whether servers that classify by themselves are to send what became of it (`check-ins`): `true` or `false`. */
export const checkInsHeader = 'x-stores-check-ins';

/** The groups as one answer, and a name for their state. */
interface Snapshot {
  readonly hierarchy: Classifier['hierarchy'];
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * Answers with the list of groups, or with 304 when `Prefer: wait=SECONDS` (RFC 7240) is over and they are as `If-None-Match` has them.
 *
 * @param stopping - lets go of servers that wait
 * @param storesCheckIns - told to servers with each answer
 */
export function hierarchyRoute(
  classifier: Classifier,
  allow: Access,
  stopping: AbortSignal,
  storesCheckIns: () => boolean = () => false,
): Route {
  let last: Snapshot | undefined;
  const current = (): Snapshot => {
    const { hierarchy } = classifier;
    if (last?.hierarchy !== hierarchy) {
      const body = Buffer.from(JSON.stringify(hierarchy.all().map(renderGroup)));
      last = { hierarchy, body, etag: etagOf(body) };
    }
    return last;
  };
  return route({
    method: 'GET',
    path: hierarchyPath,
    allow,
    async handle(request) {
      const known = request.headers['if-none-match'];
      if (current().etag === known)
        await changeWithin({
          seconds: preferredWait(request) ?? 0,
          onChange: (listener) => classifier.onChange(listener),
          signals: [request.signal, stopping],
        });
      const { headers, ...rest } = answer(current(), known);
      return { ...rest, headers: { ...headers, [checkInsHeader]: String(storesCheckIns()) } };
    },
  });
}

/** Names the state of groups by their text. */
export function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

function answer({ body, etag }: Snapshot, known: unknown): HttpResponse {
  if (etag === known) return { status: 304, headers: { etag } };
  return { status: 200, headers: { 'content-type': 'application/json', etag }, body };
}
