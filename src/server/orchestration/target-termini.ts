/** What nodes a query and a group mean, asked of the primary's PuppetDB and classifier, and which nodes are servers. */

import { z } from 'zod';
import { ServiceError } from '../../lib/service-error.ts';
import { type Classifier, type NodesQuery, translateRule } from '../../services/classifier/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { Connections, InfrastructureServer, TargetTermini } from '../../services/orchestrator/index.ts';

export function targetTermini(
  puppetDb: PuppetDbTerminus | undefined,
  classifier: Classifier | undefined,
  servers: () => readonly InfrastructureServer[],
  connections: Pick<Connections, 'groups'>,
): TargetTermini {
  return {
    servers,
    findConnectionGroup: (name) => connections.groups().get(name),
    query: puppetDb && ((query, signal) => puppetDb.query(JSON.stringify(query), signal)),
    findGroup(id) {
      const group = classifier?.hierarchy.find(id);
      if (classifier === undefined || group === undefined) return undefined;
      const rule = classifier.hierarchy.fullRule(group);
      return { query: rule && queryOf(rule) };
    },
  };
}

/** @returns `undefined` without a PuppetDB */
export async function countNodes({ query }: TargetTermini, signal: AbortSignal): Promise<number | undefined> {
  if (query === undefined) return undefined;
  const rows = JSON.parse(
    await query(['from', 'nodes', ['extract', [['function', 'count']]]], signal),
  ) as unknown;
  return CountWire.parse(rows)[0]?.count;
}

const CountWire = z.array(z.object({ count: z.int() })).min(1);

type Rule = Parameters<typeof translateRule>[0];

/** The inventory knows trusted and structured facts, and only nodes with facts: it is asked where nothing else will do. */
function queryOf(rule: Rule): NodesQuery {
  try {
    return ['from', 'nodes', ['extract', ['certname'], translateRule(rule, 'nodes')]];
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'untranslatable-rule') throw error;
    return ['from', 'inventory', ['extract', ['certname'], translateRule(rule, 'inventory')]];
  }
}
