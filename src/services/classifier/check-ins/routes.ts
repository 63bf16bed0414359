/** `nodes` and `nodes/NAME`: who was classified when, and why. And where other servers of the installation send check-ins to. */

import { Readable } from 'node:stream';
import { ServiceError } from '../../../lib/service-error.ts';
import { type Access, type Route, route } from '../../../platform/http/index.ts';
import { decodeCheckIns } from '../node-wire.ts';
import { countIn } from '../parameters.ts';
import { prefix } from '../paths.ts';
import type { CheckInStore, StoredCheckIn } from './store.ts';

export const checkInsPath = `${prefix}/check-ins`;

const headers = { 'content-type': 'application/json' };
const namesAtOnce = 500;
/** Some check-ins, each with an explanation. Explanations are read once, to see that they are JSON. */
const maxBodyBytes = 4 * 1024 * 1024;

/** @see PE, "Nodes check-in history endpoint" */
export function checkInRoutes(store: CheckInStore, allow: Access): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: `${prefix}/nodes`,
      allow,
      handle({ query }) {
        const page = { limit: countIn(query, 'limit'), offset: countIn(query, 'offset') ?? 0 };
        return { status: 200, headers, body: Readable.from(renderNodes(store, page)) };
      },
    }),
    route({
      method: 'GET',
      path: `${prefix}/nodes/:certname`,
      allow,
      async handle({ params }) {
        const certname = params['certname'] ?? '';
        const checkIns = await store.of(certname);
        if (checkIns.length === 0) throw neverSeen(certname);
        return { status: 200, headers, body: renderNode(certname, checkIns) };
      },
    }),
  ];
}

/** Takes check-ins of servers that classify by themselves. */
export function receiveCheckInsRoute(store: CheckInStore, allow: Access): Route {
  return route({
    method: 'POST',
    path: checkInsPath,
    allow,
    maxBodyBytes,
    async handle({ body }) {
      await store.add(decodeCheckIns(await body()));
      return { status: 204 };
    },
  });
}

/** A fleet's explanations are not in memory at once. */
async function* renderNodes(
  store: CheckInStore,
  {
    limit = Number.MAX_SAFE_INTEGER,
    offset,
  }: { readonly limit: number | undefined; readonly offset: number },
): AsyncGenerator<string> {
  let shown = 0;
  yield '[';
  while (shown < limit) {
    const wanted = Math.min(namesAtOnce, limit - shown);
    const names = await store.names({ limit: wanted, offset: offset + shown });
    for (const name of names) {
      yield `${shown === 0 ? '' : ','}${renderNode(name, await store.of(name))}`;
      shown += 1;
    }
    if (names.length < wanted) break;
  }
  yield ']';
}

/** Explanations are JSON already. */
function renderNode(name: string, checkIns: readonly StoredCheckIn[]): string {
  const each = checkIns.map(
    ({ explanation, time, transactionUuid }) =>
      `{"time":${JSON.stringify(time)},"explanation":${explanation},"transaction_uuid":${JSON.stringify(transactionUuid)}}`,
  );
  return `{"name":${JSON.stringify(name)},"check_ins":[${each.join(',')}]}`;
}

function neverSeen(certname: string): ServiceError {
  return new ServiceError('not-found', 'The resource could not be found.', {
    kind: 'not-found',
    details: { certname },
  });
}
