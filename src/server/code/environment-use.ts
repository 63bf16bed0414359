/** Which nodes use an environment, as PuppetDB knows them. */

import { z } from 'zod';
import type { Logger } from '../../platform/log/index.ts';
import type { EnvironmentUse } from '../../services/code-manager/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';

const Rows = z.array(z.object({ certname: z.string() }));
/** As many certnames help to recognise what the nodes are. */
const shownNodes = 3;

/** @param puppetDb - without one no node is known */
export function environmentUse(
  puppetDb: Pick<PuppetDbTerminus, 'query'> | undefined,
  log: Logger,
): EnvironmentUse {
  return {
    async findUsers(environment, signal) {
      if (puppetDb === undefined) return undefined;
      try {
        const rows = Rows.parse(JSON.parse(await puppetDb.query(activeNodesOf(environment), signal)));
        return rows.length === 0 ? undefined : renderNodes(rows.map(({ certname }) => certname));
      } catch (err) {
        // An environment stays when nothing is known of its nodes: removing it can stop all of them.
        log.warn({ err, environment }, 'could not ask PuppetDB which nodes use an environment');
        return 'PuppetDB could not be asked which nodes use it';
      }
    },
  };
}

function activeNodesOf(environment: string): string {
  const isUsed = ['catalog_environment', 'facts_environment', 'report_environment'].map((column) => [
    '=',
    column,
    environment,
  ]);
  const query = ['from', 'nodes', ['extract', ['certname'], ['or', ...isUsed]], ['order_by', ['certname']]];
  return JSON.stringify(query);
}

function renderNodes(certnames: readonly string[]): string {
  const shown = certnames.slice(0, shownNodes).join(', ');
  const more = certnames.length > shownNodes ? ', ...' : '';
  return `${certnames.length} ${certnames.length === 1 ? 'node' : 'nodes'} (${shown}${more})`;
}
