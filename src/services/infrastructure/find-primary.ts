/** Where the primary is, for a server that joins: it may have been sent to a compile server, or to a load balancer. */

import { checkShape } from '../../lib/check-shape.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { membershipPath, sharedPath } from './routes.ts';
import { MembershipWire, SharedWire } from './wire.ts';

const timeoutMs = 10_000;

/**
 * @param client - with the new certificate of a compile server
 * @param url - `https://HOST:PORT` of any server of the installation
 * @returns the same where that is the primary itself
 * @throws ServiceError `unavailable`, `timeout` when there is no answer, `bad-gateway` for an answer that makes no sense
 */
export async function findPrimary(client: Pick<HttpClient, 'send'>, url: string): Promise<string> {
  const { body, status } = await client.send({ method: 'GET', url: url + membershipPath, timeoutMs });
  if (status === 404) return url;
  const answer = status === 200 ? checkShape(MembershipWire, parse(body)).data : undefined;
  if (answer !== undefined) return answer.primary;
  throw new ServiceError(
    'bad-gateway',
    `${url} does not say where the primary is: it answered with status ${status}`,
  );
}

/**
 * The settings that a server takes over from the primary when it joins.
 *
 * @param client - with the new certificate of a compile server
 * @throws ServiceError `conflict` when the primary is too old or too new for this server
 * @returns none where the primary is of an earlier release, or does not know the server as one of its own yet
 */
export async function findSharedSettings(
  client: Pick<HttpClient, 'send'>,
  primaryUrl: string,
): Promise<Readonly<Record<string, string>>> {
  const { body, status } = await client.send({ method: 'GET', url: primaryUrl + sharedPath, timeoutMs });
  if (status === 409) throw new ServiceError('conflict', body.toString('utf8'));
  return (status === 200 ? checkShape(SharedWire, parse(body)).data?.settings : undefined) ?? {};
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The caller says who gave that answer.
    return undefined;
  }
}
