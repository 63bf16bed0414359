import type { EntityDialect, QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';

export function catalogs({ entities }: QueryDialect): Entity {
  return {
    name: 'catalogs',
    source: `pdb_catalogs c join pdb_nodes n on n.id = c.node_id
    join pdb_edge_sets es on es.hash = c.edge_set`,
    nodeAlias: 'n',
    rowKey: 'c.node_id',
    isOfNode: true,
    relations: {
      environments: { local: ['environment'], foreign: ['name'] },
      producers: { local: ['producer'], foreign: ['name'] },
    },
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
        sql: edgeList(entities),
        isQueryable: false,
        isSortable: false,
      },
      { name: 'version', kind: 'text', sql: 'c.version' },
      { name: 'producer_timestamp', kind: 'timestamp', sql: 'c.producer_timestamp' },
      { name: 'resources', kind: 'json', sql: resourceList(entities), isQueryable: false, isSortable: false },
    ],
  };
}

const edgeMembers = ['source_type', 'source_title', 'target_type', 'target_title', 'relationship'];

function edgeList({ quote, jsonText, list, elements }: EntityDialect): string {
  const members = edgeMembers.map((name) => `'"${name}":' || ${jsonText(`(edge.value -> '${name}')`)}`);
  return `(select '{"data":' || coalesce('[' || ${list(`'{' || ${members.join(" || ',' || ")} || '}'`)} || ']', 'null')
    || ',"href":' || ${quote("'/pdb/query/v4/catalogs/' || n.certname || '/edges'")} || '}'
    from ${elements('es.edges', 'edge')})`;
}

function resourceList({ quote, jsonText, list }: EntityDialect): string {
  const members = [
    `'{"resource":' || ${quote('rs.resource')}`,
    `',"type":' || ${quote('rs.type')}`,
    `',"title":' || ${quote('rs.title')}`,
    `',"tags":' || ${jsonText('rs.tags')}`,
    `',"exported":' || case when rs.exported then 'true' else 'false' end`,
    `',"file":' || ${quote('rs.file')}`,
    `',"line":' || ${quote('rs.line')}`,
    `',"parameters":' || ${jsonText('pa.parameters')} || '}'`,
  ];
  return `(select '{"data":' || coalesce('[' || ${list(members.join(' || '))} || ']', 'null')
    || ',"href":' || ${quote("'/pdb/query/v4/catalogs/' || n.certname || '/resources'")} || '}'
    from pdb_resources rs join pdb_parameters pa on pa.resource = rs.resource where rs.node_id = c.node_id)`;
}
