import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';
import { fragment } from '../fragment.ts';
import { factValues } from './fact-value.ts';

export function nodes(dialect: QueryDialect): Entity {
  const factValue = factValues(dialect, 'n.id');
  return {
    name: 'nodes',
    source: `pdb_nodes n
    left join pdb_reports r on r.id = n.latest_report_id
    left join pdb_factsets fs on fs.node_id = n.id
    left join pdb_catalogs c on c.node_id = n.id`,
    nodeAlias: 'n',
    isOfNode: true,
    isActiveOnly: true,
    columns: [
      { name: 'latest_report_corrective_change', kind: 'boolean', sql: 'r.corrective_change' },
      { name: 'deactivated', kind: 'timestamp', sql: 'n.deactivated', isComparable: false },
      { name: 'expired', kind: 'timestamp', sql: 'n.expired' },
      { name: 'report_environment', kind: 'text', sql: 'r.environment' },
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'facts_timestamp', kind: 'timestamp', sql: 'fs.timestamp' },
      { name: 'facts_environment', kind: 'text', sql: 'fs.environment' },
      { name: 'cached_catalog_status', kind: 'text', sql: 'r.cached_catalog_status' },
      { name: 'latest_report_status', kind: 'text', sql: 'r.status' },
      { name: 'latest_report_hash', kind: 'text', sql: 'r.hash' },
      { name: 'catalog_timestamp', kind: 'timestamp', sql: 'c.timestamp' },
      { name: 'latest_report_noop_pending', kind: 'boolean', sql: 'r.noop_pending' },
      { name: 'report_timestamp', kind: 'timestamp', sql: 'r.end_time' },
      { name: 'latest_report_noop', kind: 'boolean', sql: 'r.noop' },
      { name: 'catalog_environment', kind: 'text', sql: 'c.environment' },
      { name: 'latest_report_job_id', kind: 'text', sql: 'r.job_id' },
    ],
    more: {
      withExpiration: [
        { name: 'expires_facts', kind: 'boolean', sql: 'n.expires_facts' },
        { name: 'expires_facts_updated', kind: 'timestamp', sql: 'n.expires_facts_updated' },
      ],
    },
    pairs: {
      fact: (name) => {
        const access = factValue(name, []);
        return { ...access, unless: (condition) => fragment`not (${access.where(condition)})` };
      },
    },
  };
}
