/** Sends check-ins of a server that classifies by itself to the primary. */

import { ServiceError } from '../../../lib/service-error.ts';
import type { HttpClient } from '../../../platform/http-client/index.ts';
import type { CheckIn } from './check-in.ts';
import { checkInsPath } from './routes.ts';

/** A server that stops waits no longer for a primary that does not answer. */
const timeoutMs = 5000;

/** @returns what `CheckInQueue` saves with; rejects when the primary did not take them */
export function sendCheckIns(
  client: HttpClient,
  primaryUrl: string,
): (checkIns: readonly CheckIn[]) => Promise<void> {
  return async (checkIns) => {
    const body = JSON.stringify({
      check_ins: checkIns.map(({ certname, explanation, time, transactionUuid }) => ({
        name: certname,
        time: time.toISOString(),
        ...(transactionUuid === undefined ? {} : { transaction_uuid: transactionUuid }),
        explanation,
      })),
    });
    const { status } = await client.send({
      method: 'POST',
      url: `${primaryUrl}${checkInsPath}`,
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      timeoutMs,
    });
    if (status !== 204) throw new ServiceError('unavailable', `The primary answered with status ${status}`);
  };
}
