/** Whether PuppetDB has each report that a server took, once. */

import type { AgentRunRecord } from '../cluster/agent-run.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { until } from '../e2e/support/until.ts';

/** What servers keep for PuppetDB arrives within this when nothing is cut off any more. */
const patienceMs = 120_000;

/** @returns what is missing or there twice, in words */
export async function judgeReports(
  cluster: Cluster,
  runs: readonly AgentRunRecord[],
): Promise<readonly string[]> {
  const acknowledged = runs.flatMap(({ transactionUuid }) => transactionUuid ?? []);
  let kept = new Map<string, number>();
  const missing = () => acknowledged.filter((uuid) => !kept.has(uuid));
  const look = async () => {
    kept = await reportsOf(cluster);
    return missing().length === 0;
  };
  // What is still missing then is named.
  await until('PuppetDB has every report', look, patienceMs).catch(() => {});
  const twice = acknowledged.filter((uuid) => (kept.get(uuid) ?? 0) > 1);
  return [
    ...missing().map((uuid) => `the report of run ${uuid} was acknowledged and is lost`),
    ...twice.map((uuid) => `the report of run ${uuid} is there ${kept.get(uuid)} times`),
  ];
}

async function reportsOf(cluster: Cluster): Promise<Map<string, number>> {
  const query = encodeURIComponent('["extract", ["transaction_uuid"], ["~", "certname", "."]]');
  const rows = (await cluster.ask(`/pdb/query/v4/reports?query=${query}`)) as readonly {
    readonly transaction_uuid: string;
  }[];
  const counts = new Map<string, number>();
  for (const { transaction_uuid: uuid } of rows) counts.set(uuid, (counts.get(uuid) ?? 0) + 1);
  return counts;
}
