/** The settings that are the same on every server of an installation. */

import type { Settings } from '../../platform/settings/index.ts';

/** By name, as they are written. Programs that classify are configured on each server by the site. */
export function sharedSettings({
  compileMasterPoolAddress: pool,
  level,
  nodeTerminus,
}: Pick<Settings, 'compileMasterPoolAddress' | 'level' | 'nodeTerminus'>): Record<string, string> {
  return {
    language_level: String(level),
    ...(pool === '' ? {} : { compile_master_pool_address: pool }),
    ...(nodeTerminus === 'classifier' ? { node_terminus: nodeTerminus } : {}),
  };
}
