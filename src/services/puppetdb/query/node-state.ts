/** Which nodes a query sees: those that are neither deactivated nor expired, unless it says otherwise. */

import { type Clause, isClause, type Json, printed } from './ast.ts';
import type { Entity } from './entity.ts';
import { always, type Fragment, raw } from './fragment.ts';
import { QueryError } from './query-error.ts';

/** @param state - `active`, `inactive`, `any`; true and false for the first two */
export function nodeState(entity: Entity, state: Json): Fragment {
  const node = entity.nodeAlias ?? 'n';
  switch (state) {
    case true:
    case 'active':
      return raw(`(${node}.deactivated is null and ${node}.expired is null)`);
    case false:
    case 'inactive':
      return raw(`(${node}.deactivated is not null or ${node}.expired is not null)`);
    case 'any':
      return always;
    default:
      throw new QueryError(`No matching clause: ${printed(state)}`);
  }
}

/** Whether a query, or a subquery of it, selects the state of nodes itself: then no default applies. */
export function mentionsNodeState(query: Clause): boolean {
  const [operator, field] = query;
  if (operator === '=' && (field === 'node_state' || isActiveFlag(field))) return true;
  return query.some((part) => isClause(part) && mentionsNodeState(part));
}

function isActiveFlag(field: Json | undefined): boolean {
  return isClause(field) && field[0] === 'node' && field[1] === 'active';
}
