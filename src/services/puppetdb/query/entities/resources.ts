import type { QueryDialect } from '../dialect.ts';
import type { DottedAccess, Entity } from '../entity.ts';
import { type Fragment, fragment, raw } from '../fragment.ts';
import { weighedResources } from '../weighed-resources.ts';

const source = `pdb_resources rs join pdb_nodes n on n.id = rs.node_id
    join pdb_catalogs c on c.node_id = rs.node_id
    join pdb_parameters pa on pa.resource = rs.resource`;

export function resources(dialect: QueryDialect): Entity {
  return {
    name: 'resources',
    source,
    weighed(conditions, columns) {
      const weighed = weighedResources({ source, conditions, columns });
      return weighed && { source: weighed, weight: 'rs.weight' };
    },
    nodeAlias: 'n',
    relations: {
      catalogs: { local: ['certname'], foreign: ['certname'] },
      nodes: { local: ['certname'], foreign: ['certname'] },
      environments: { local: ['environment'], foreign: ['name'] },
    },
    isActiveOnly: true,
    counted: {
      source: 'pdb_catalogs c join pdb_nodes n on n.id = c.node_id',
      sum: 'coalesce(sum(c.resource_count), 0)',
      beyond: /\b(?:rs|pa)\./,
    },
    columns: [
      { name: 'resource', kind: 'text', sql: 'rs.resource' },
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'tags', kind: 'tags', sql: 'rs.tags' },
      { name: 'tag', label: 'tags', kind: 'tags', sql: 'rs.tags', isReturned: false },
      { name: 'exported', kind: 'boolean', sql: 'rs.exported' },
      { name: 'line', kind: 'integer', sql: 'rs.line' },
      { name: 'title', kind: 'text', sql: 'rs.title' },
      { name: 'type', kind: 'text', sql: 'rs.type' },
      { name: 'environment', kind: 'text', sql: 'c.environment' },
      { name: 'file', kind: 'text', sql: 'rs.file' },
      { name: 'parameters', kind: 'json', sql: 'pa.parameters' },
    ],
    pairs: { parameter: (name) => ofParameter(dialect, name) },
    dottedRoots: ['parameters'],
    dotted: ({ root, keys }) => (root === 'parameters' ? parameterValue(dialect, keys) : undefined),
  };
}

function parameterValue(dialect: QueryDialect, keys: readonly (string | number)[]): DottedAccess {
  const parameters = raw('pa.parameters');
  const value = dialect.at(parameters, keys);
  const withKey = (condition: Fragment, needsKey: boolean): Fragment =>
    needsKey
      ? fragment`(${condition} and ${dialect.at(parameters, keys.slice(0, 1))} is not null)`
      : condition;
  return {
    value,
    where: (condition, needsKey = false) => withKey(condition(value), needsKey),
    unless: (condition, needsKey = false) => withKey(fragment`not (${condition(value)})`, needsKey),
  };
}

/** A resource without the parameter is no match, so that its negation is one. Patterns see texts with their quotes. */
function ofParameter(dialect: QueryDialect, name: string): DottedAccess {
  const { value } = parameterValue(dialect, [name]);
  return {
    value,
    where: (condition) => fragment`((${condition(value)}) is true)`,
    unless: (condition) => fragment`not ((${condition(value)}) is true)`,
    matches: (pattern) => fragment`((${dialect.matches(dialect.jsonText(value), pattern)}) is true)`,
  };
}
