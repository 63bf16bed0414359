/** What compiles get that have no PuppetDB to ask: on a workstation, or in CI of a control repository. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import { collectsExported } from '../node-data/used-puppetdb.ts';

/**
 * As with an empty PuppetDB, a node collects what it exports itself. Queries fail: an empty answer that was not asked for may
 * leave resources out in silence.
 */
export function withoutPuppetDb(
  settings: Pick<Settings, 'storeConfigs' | 'storeConfigsBackend'>,
): PuppetDbTerminus {
  const query = () =>
    Promise.reject(
      new ServiceError('unavailable', 'There is no PuppetDB to query: --puppetdb-query answers in its place'),
    );
  return collectsExported(settings) ? { query, findResources: () => Promise.resolve('[]') } : { query };
}
