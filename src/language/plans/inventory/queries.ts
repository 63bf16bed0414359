/** Targets may be given as a query in PQL, as in Puppet Enterprise. */

import type { Json } from '../../../lib/json.ts';
import { isArray, type Value } from '../../pcore/index.ts';
import { inventoryError } from '../plan-error.ts';
import type { PlanHost } from '../run/plan-host.ts';

/** No name and no pattern of names has both a projection and conditions. */
const QUERY = /^\s*[a-z_]+\s*\[[^\]]*\]\s*\{[\s\S]*\}\s*$/;

/**
 * Puts certnames in place of queries.
 *
 * @throws PlanError for a query whose rows have no certname, PuppetError when PuppetDB cannot be asked
 */
export function withQueriesAnswered(wanted: Value, host: Pick<PlanHost, 'queryPuppetdb'>): Value {
  if (isArray(wanted)) return wanted.map((each) => withQueriesAnswered(each, host));
  if (typeof wanted !== 'string' || !QUERY.test(wanted)) return wanted;
  const rows = host.queryPuppetdb(wanted);
  const names = isList(rows) ? rows.map(certnameOf) : [];
  return names.map((name) => {
    if (name === undefined) throw inventoryError(`Rows of the query have no certname: ${wanted}`);
    return name;
  });
}

function certnameOf(row: Json): string | undefined {
  if (typeof row !== 'object' || row === null || isList(row)) return undefined;
  const name = row['certname'];
  return typeof name === 'string' ? name : undefined;
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
