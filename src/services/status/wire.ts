/** Statuses as they cross the network. */

import type { ReportedStatus } from './status-registry.ts';

export function encodeStatus(status: ReportedStatus): Readonly<Record<string, unknown>> {
  return {
    service_version: status.version,
    service_status_version: status.statusVersion,
    detail_level: status.level,
    state: status.state,
    status: status.status,
    active_alerts: status.alerts,
  };
}
