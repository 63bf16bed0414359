/** The rows that a query of this program asks for. */

import { exhaustionOf } from '../../../lib/exhaustion.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { rootClause } from '../pql/root-query.ts';
import { isTooDeep } from '../query/ast.ts';
import type { Query } from '../query/query.ts';
import { NotKnown, QueryError, tooDeep } from '../query/query-error.ts';
import type { Answer, QueryService } from '../query/query-service.ts';
import { rowsText } from '../query/rows-text.ts';

/**
 * @returns the text of a JSON array, in parts where it is long
 * @throws ServiceError `not-found` when something required is not known, `bad-request` when the query is wrong,
 * `unavailable` when the database will not run it
 */
export async function answerRows(
  service: QueryService,
  query: Query,
): Promise<string | AsyncIterable<string>> {
  try {
    const { rows } = await ask(service, query);
    return await rowsText(rows, false);
  } catch (error) {
    throw asServiceError(error);
  }
}

async function ask(service: QueryService, query: Query): Promise<Answer> {
  const everything = { paging: {}, includeTotal: false };
  if (query.kind === 'rows') {
    if (query.query !== undefined && isTooDeep(query.query)) throw tooDeep();
    return await service.ask({ ...query, ...everything });
  }
  return await service.askRoot(rootClause(query.query), {}, everything);
}

function asServiceError(error: unknown): unknown {
  const mistake = exhaustionOf(error) === 'stack' ? tooDeep() : error;
  if (!(mistake instanceof QueryError)) return error;
  if (mistake instanceof NotKnown) return new ServiceError('not-found', mistake.message);
  return new ServiceError(mistake.status === 400 ? 'bad-request' : 'unavailable', mistake.message);
}
