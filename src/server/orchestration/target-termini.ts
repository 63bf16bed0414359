/** What nodes a query and a group mean, asked of the primary's PuppetDB and classifier, and which nodes are servers. */

import { ServiceError } from '../../lib/service-error.ts';
import { type Classifier, type NodesQuery, translateRule } from '../../services/classifier/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { InfrastructureServer, TargetTermini } from '../../services/orchestrator/index.ts';

export function targetTermini(
  puppetDb: PuppetDbTerminus | undefined,
  classifier: Classifier | undefined,
  servers: () => readonly InfrastructureServer[],
): TargetTermini {
  return {
    servers,
    query: puppetDb && ((query, signal) => puppetDb.query(JSON.stringify(query), signal)),
    findGroup(id) {
      const group = classifier?.hierarchy.find(id);
      if (classifier === undefined || group === undefined) return undefined;
      const rule = classifier.hierarchy.fullRule(group);
      return { query: rule && queryOf(rule) };
    },
  };
}

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
