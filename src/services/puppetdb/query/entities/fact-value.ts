/** A fact of a row's node, found by the fact's name first. */

import type { QueryDialect } from '../dialect.ts';
import type { DottedAccess, JsonTest } from '../entity.ts';
import { bound, type Fragment, fragment, raw } from '../fragment.ts';

/** Makes accesses to facts. @param nodeId - the column of the entity's source that holds the node's id */
export function factValues(
  dialect: QueryDialect,
  nodeId: string,
): (name: string, keys: readonly (string | number)[]) => DottedAccess {
  return (name, keys) => {
    const value = dialect.at(raw('wanted.value'), keys);
    const nodesWhere = (condition: Fragment): Fragment =>
      fragment`${raw(nodeId)} in (select wanted.node_id from pdb_facts wanted where wanted.name = ${bound(name)} and ${condition})`;
    return {
      value: fragment`(select ${value} from pdb_facts wanted where wanted.name = ${bound(name)} and wanted.node_id = ${raw(nodeId)})`,
      where: (condition) => nodesWhere(condition(value)),
      unless: (condition) => nodesWhere(fragment`not (${condition(value)})`),
    };
  };
}

/**
 * Facts by patterns of their paths: all keys are patterns, and what they match may begin and end anywhere.
 *
 * @param nodeId - the column of the entity's source that holds the node's id
 */
export function matchedFacts(
  dialect: QueryDialect,
  nodeId: string,
  patterns: readonly (string | number)[],
): DottedAccess {
  const { leaves, joinedPath } = dialect.entities;
  const { source, path, value } = leaves('wanted.name', 'wanted.value');
  const isWanted = dialect.matches(raw(joinedPath(path)), dialect.pattern(patterns.join('#~')));
  const where = (condition: JsonTest): Fragment =>
    fragment`${raw(nodeId)} in (select wanted.node_id from pdb_facts wanted cross join ${raw(source)} where ${isWanted} and ${condition(raw(value))})`;
  return { value: raw('null'), where, unless: (condition) => fragment`not (${where(condition)})` };
}
