/** The settings that are the same on every server of an installation. */

import type { Settings } from '../../platform/settings/index.ts';

type Shared = Pick<
  Settings,
  'compileMasterPoolAddress' | 'externalNodes' | 'level' | 'nodeTerminus' | 'trustedExternalCommand'
>;

/** By name, as they are written. The files that they name travel as well: `compile_server_files`. */
export function sharedSettings(settings: Shared): Record<string, string> {
  const { compileMasterPoolAddress: pool, nodeTerminus, trustedExternalCommand } = settings;
  return {
    language_level: String(settings.level),
    ...(pool === '' ? {} : { compile_master_pool_address: pool }),
    ...(nodeTerminus === 'plain' ? {} : { node_terminus: nodeTerminus }),
    ...(nodeTerminus === 'exec' ? { external_nodes: settings.externalNodes } : {}),
    ...(trustedExternalCommand === '' ? {} : { trusted_external_command: trustedExternalCommand }),
  };
}
