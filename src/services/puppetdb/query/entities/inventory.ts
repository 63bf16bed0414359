import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';
import { factValues, matchedFacts } from './fact-value.ts';

/** The facts of a node are one value of jsonb to the reference. */
const nameOrder = 'octet_length(f.name), f.name';

export function inventory(dialect: QueryDialect): Entity {
  const { quote, list, jsonText } = dialect.entities;
  const factValue = factValues(dialect, 'fs.node_id');
  return {
    name: 'inventory',
    source: 'pdb_factsets fs join pdb_nodes n on n.id = fs.node_id',
    nodeAlias: 'n',
    isOfNode: true,
    isActiveOnly: true,
    columns: [
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'timestamp', kind: 'timestamp', sql: 'fs.timestamp' },
      { name: 'environment', kind: 'text', sql: 'fs.environment' },
      {
        name: 'facts',
        kind: 'json',
        sql: `(select '{' || coalesce(${list(`${quote('f.name')} || ':' || ${jsonText('f.value')}`, nameOrder)}, '') || '}'
        from pdb_facts f where f.node_id = fs.node_id)`,
      },
      {
        name: 'trusted',
        kind: 'json',
        sql: "(select f.value from pdb_facts f where f.node_id = fs.node_id and f.name = 'trusted')",
      },
    ],
    dottedRoots: ['facts', 'trusted'],
    dotted: ({ root, keys, isPattern }) => {
      if (isPattern) return matchedFacts(dialect, 'fs.node_id', root === 'trusted' ? [root, ...keys] : keys);
      const [first, ...rest] = keys;
      if (root === 'trusted') return factValue('trusted', keys);
      if (root !== 'facts' || typeof first !== 'string') return undefined;
      return factValue(first, rest);
    },
  };
}
