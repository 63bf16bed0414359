/** What a function of the query language is: `["function", name, ...arguments]` in `extract` and `group_by`. */

import type { Json } from '../ast.ts';
import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';
import type { ResultColumn } from '../result-column.ts';

export type QueryFunction = (
  args: readonly Json[],
  entity: Entity,
  dialect: QueryDialect,
) => Omit<ResultColumn, 'key'>;
