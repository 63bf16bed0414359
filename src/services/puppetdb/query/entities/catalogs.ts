import type { Entity } from '../entity.ts';

export const catalogs: Entity = {
  name: 'catalogs',
  source: `pdb_catalogs c join pdb_nodes n on n.id = c.node_id
    join pdb_edge_sets es on es.hash = c.edge_set`,
  nodeAlias: 'n',
  columns: [
    { name: 'code_id', kind: 'text', sql: 'c.code_id' },
    { name: 'certname', kind: 'text', sql: 'n.certname' },
    { name: 'hash', kind: 'text', sql: 'c.hash' },
    { name: 'transaction_uuid', kind: 'text', sql: 'c.transaction_uuid' },
    { name: 'job_id', kind: 'text', sql: 'c.job_id' },
    { name: 'producer', kind: 'text', sql: 'c.producer' },
    { name: 'catalog_uuid', kind: 'text', sql: 'c.catalog_uuid' },
    { name: 'environment', kind: 'text', sql: 'c.environment' },
    {
      name: 'edges',
      kind: 'json',
      sql: `'{"data":' || es.edges || ',"href":' || json_quote('/pdb/query/v4/catalogs/' || n.certname || '/edges') || '}'`,
      isQueryable: false,
      isSortable: false,
    },
    { name: 'version', kind: 'text', sql: 'c.version' },
    { name: 'producer_timestamp', kind: 'timestamp', sql: 'c.producer_timestamp' },
    { name: 'resources', kind: 'json', sql: resourceList(), isQueryable: false, isSortable: false },
  ],
};

function resourceList(): string {
  const members = [
    `'{"resource":' || json_quote(rs.resource)`,
    `',"type":' || json_quote(rs.type)`,
    `',"title":' || json_quote(rs.title)`,
    `',"tags":' || rs.tags`,
    `',"exported":' || case when rs.exported then 'true' else 'false' end`,
    `',"file":' || json_quote(rs.file)`,
    `',"line":' || json_quote(rs.line)`,
    `',"parameters":' || pa.parameters || '}'`,
  ];
  return `(select '{"data":[' || coalesce(group_concat(${members.join(' || ')}), '')
    || '],"href":' || json_quote('/pdb/query/v4/catalogs/' || n.certname || '/resources') || '}'
    from pdb_resources rs join pdb_parameters pa on pa.resource = rs.resource where rs.node_id = c.node_id)`;
}
