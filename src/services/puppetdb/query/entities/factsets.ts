import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';

export function factsets({ entities: { quote, list, jsonText } }: QueryDialect): Entity {
  return {
    name: 'factsets',
    source: 'pdb_factsets fs join pdb_nodes n on n.id = fs.node_id',
    nodeAlias: 'n',
    rowKey: 'fs.node_id',
    isOfNode: true,
    relations: {
      environments: { local: ['environment'], foreign: ['name'] },
      producers: { local: ['producer'], foreign: ['name'] },
    },
    isActiveOnly: true,
    columns: [
      { name: 'timestamp', kind: 'timestamp', sql: 'fs.timestamp' },
      {
        name: 'facts',
        kind: 'json',
        sql: `(select '{"data":' || coalesce('[' || ${list(`'{"name":' || ${quote('f.name')} || ',"value":' || ${jsonText('f.value')} || '}'`)} || ']', 'null')
        || ',"href":' || ${quote("'/pdb/query/v4/factsets/' || n.certname || '/facts'")} || '}'
        from pdb_facts f where f.node_id = fs.node_id)`,
      },
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'hash', kind: 'text', sql: 'fs.hash' },
      { name: 'producer_timestamp', kind: 'timestamp', sql: 'fs.producer_timestamp' },
      { name: 'producer', kind: 'text', sql: 'fs.producer' },
      { name: 'environment', kind: 'text', sql: 'fs.environment' },
    ],
    more: {
      withPackages: [
        {
          name: 'package_inventory',
          kind: 'json',
          sql: `(select '[' || ${list(`'[' || ${['package_name', 'version', 'provider'].map((name) => quote(`pk.${name}`)).join(" || ',' || ")} || ']'`)} || ']'
        from pdb_packages pk where pk.node_id = fs.node_id)`,
          isQueryable: false,
          isSortable: false,
        },
      ],
    },
  };
}
