/** What PuppetDB's own port says of it. */

import type { Route } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type PuppetDb, puppetDbVersion } from '../../services/puppetdb/index.ts';
import { processStatus, StatusRegistry, statusRoutes } from '../../services/status/index.ts';
import type { DiskWatch } from '../disk-watch.ts';

/** The reference's status service whose answers these are. */
const statusServiceVersion = '1.1.1';

export function puppetDbStatusRoutes(puppetDb: PuppetDb, log: Logger, disks?: DiskWatch): readonly Route[] {
  const registry = new StatusRegistry(log);
  registry.register({
    names: ['puppetdb-status'],
    version: puppetDbVersion,
    read: async () => {
      const isUp = await puppetDb.isUp();
      return {
        state: isUp ? 'running' : 'error',
        status: {
          'maintenance_mode?': false,
          queue_depth: puppetDb.queueDepth,
          'read_db_up?': isUp,
          'write_db_up?': isUp,
          'write_dbs_up?': isUp,
          write_db: { default: { 'up?': isUp } },
        },
      };
    },
  });
  if (disks !== undefined) registry.register(disks.status(statusServiceVersion));
  registry.register(processStatus({ version: statusServiceVersion, nowMs: Date.now }));
  return statusRoutes(registry);
}
