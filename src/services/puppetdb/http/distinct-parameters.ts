/** `distinct_resources` and the times that belong to it. */

import { printed } from '../query/ast.ts';
import { type DistinctWithin } from '../query/distinct-events.ts';
import { QueryError } from '../query/query-error.ts';
import { findTimestamp } from '../query/query-timestamp.ts';
import { type Parameters, readFlag } from './query-parameters.ts';

export const distinctNames = ['distinct_resources', 'distinct_start_time', 'distinct_end_time'] as const;

/**
 * @returns `undefined` where all events are meant
 * @throws QueryError where only some of the three are given, and for an invalid time
 */
export function readDistinct(parameters: Parameters): DistinctWithin | undefined {
  const given = distinctNames.filter((name) => parameters.has(name));
  if (given.length === 0) return undefined;
  if (given.length < distinctNames.length) {
    const times = "'distinct_start_time' and 'distinct_end_time'";
    throw new QueryError(
      given.length === 2 && !given.includes('distinct_resources')
        ? `'distinct_resources' query parameter must accompany parameters ${times}`
        : `'distinct_resources' query parameter requires accompanying parameters ${times}`,
    );
  }
  const texts = ['distinct_start_time', 'distinct_end_time'].map((name) => printed(parameters.get(name)));
  const [start, end] = texts.map(findTimestamp);
  if (start === undefined || end === undefined) {
    throw new QueryError(
      `query parameters 'distinct_start_time' and 'distinct_end_time' must be valid datetime strings: ${texts.join(' ')}`,
    );
  }
  return readFlag(parameters, 'distinct_resources') ? { start, end } : undefined;
}
