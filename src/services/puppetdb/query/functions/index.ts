import { aggregate } from './aggregate.ts';
import { count } from './count.ts';
import type { QueryFunction } from './query-function.ts';
import { toString } from './to-string.ts';

export const queryFunctions: ReadonlyMap<string, QueryFunction> = new Map([
  ['count', count],
  ['avg', aggregate('avg')],
  ['sum', aggregate('sum')],
  ['min', aggregate('min')],
  ['max', aggregate('max')],
  ['to_string', toString],
]);
