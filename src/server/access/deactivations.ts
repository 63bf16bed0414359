/** Records which user deactivated a node in PuppetDB. What servers and `puppet node deactivate` send is only in the log. */

import { authorOf, type Change } from '../../platform/changes/index.ts';
import type { PuppetDbRouteOptions } from '../../services/puppetdb/index.ts';

/** @param record - never rejects: a node stays deactivated when this can't be recorded */
export function recordDeactivations(
  record: (change: Change) => Promise<void>,
): NonNullable<PuppetDbRouteOptions['onTaken']> {
  return async ({ certname, command, outcome }, identity) => {
    if (identity.kind !== 'user' || command !== 'deactivate node' || outcome.kind !== 'stored') return;
    await record({
      author: authorOf(identity),
      time: new Date(),
      object: { service: 'puppetdb', type: 'nodes', id: certname, name: certname },
      events: [{ action: 'deactivate', what: 'node', message: `Deactivated the node ${certname}` }],
    });
  };
}
