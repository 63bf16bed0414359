/** Why a node gets a value or a resource. */

import type { ExplainAnswer, ExplainQuery } from '../../../src/services/console/explain/wire.ts';
import { post } from './client.ts';

export type { ExplainAnswer, ExplainQuery } from '../../../src/services/console/explain/wire.ts';

/** Compiles the node's catalog. @throws ApiError 404 for an unknown node or resource, 500 for code that does not compile */
export async function explain(query: ExplainQuery, signal: AbortSignal): Promise<ExplainAnswer> {
  const answer = await post<ExplainAnswer>('/console-api/v1/explain', query, signal);
  if (answer === undefined) throw new Error('the server has answered nothing');
  return answer;
}
