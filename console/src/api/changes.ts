/** Why a run changed something. */

import type { WhyAnswer, WhyQuery } from '../../../src/services/console/wire.ts';
import { post } from './client.ts';

export type { ChangeCause, WhyAnswer, WhyQuery } from '../../../src/services/console/wire.ts';

/** @throws ApiError 404 for a report that is not kept any more */
export async function explainChange(query: WhyQuery, signal: AbortSignal): Promise<WhyAnswer> {
  const answer = await post<WhyAnswer>('/console-api/v1/changes/why', query, signal);
  if (answer === undefined) throw new Error('the server has answered nothing');
  return answer;
}
