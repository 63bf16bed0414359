/** The primary's autoscaler, joined with the register of servers, the code and the metrics. */

import { availableParallelism } from 'node:os';
import type { Route } from '../../platform/http/index.ts';
import {
  Autoscaler,
  AutoscalerStore,
  autoscalerRoutes,
  type Driver,
  externalMetricRoutes,
  FleetWork,
} from '../../services/autoscaler/index.ts';
import type { CodeVersions } from '../../services/filesync/index.ts';
import type { CheckIn } from '../../services/infrastructure/index.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import { periodically } from '../periodic.ts';
import type { OpenPorts } from '../ports/open-ports.ts';
import type { Part } from '../roles/role.ts';
import { type DriverParts, openDriver } from './driver.ts';
import { inPool } from './pool-servers.ts';

const lookIntervalMs = 10_000;
/** From the start of a server until it serves, as long as no driver starts any. */
const assumedLeadMs = 180_000;
const nowMs = () => performance.now();

/** Where check-ins leave what servers did. */
export function openFleetWork({ settings }: Foundation): FleetWork {
  return new FleetWork({
    herdToleranceMs: settings.herdToleranceSeconds * 1000,
    leadMs: () => assumedLeadMs,
    startMs: nowMs(),
  });
}

/** Notes what a server says of its requests in a check-in. */
export function noteReport(fleet: FleetWork, certname: string, report: CheckIn): void {
  if (report.work === undefined) return;
  const { first_run: first, runs } = report.work;
  const batch = {
    first,
    runs: runs.map(({ age_ms: ageMs, node, retry_ms: retryMs, worker_ms: workerMs }) => ({
      node,
      ageMs,
      ...(retryMs === undefined ? {} : { retryMs }),
      ...(workerMs === undefined ? {} : { workerMs }),
    })),
  };
  fleet.note(certname, report.started_at, batch, nowMs());
}

export interface AutoscalerParts {
  readonly fleet: FleetWork;
  readonly ports: OpenPorts;
  readonly identities: DriverParts['identities'];
  readonly infrastructure: Pick<Infrastructure, 'compileServers' | 'tellCapacity'> &
    DriverParts['infrastructure'];
  readonly agentServices: { readonly code: { readonly versions: CodeVersions } };
}

export async function openAutoscaler(
  foundation: Foundation,
  parts: AutoscalerParts,
): Promise<Part<undefined>> {
  const { database, log: root, metrics, settings } = foundation;
  const { agentServices, fleet, infrastructure } = parts;
  const driver = await openDriver(foundation, parts);
  const log = root.child({ service: 'autoscaler' });
  let deployedMs: number | undefined;
  const endListening = agentServices.code.versions.onFlip(() => {
    deployedMs = nowMs();
  });
  const now = () => new Date();
  const autoscaler = await Autoscaler.load({
    pool: () => infrastructure.compileServers().flatMap((server) => inPool(server) ?? []),
    fleet,
    store: new AutoscalerStore(database),
    herdToleranceSeconds: settings.herdToleranceSeconds,
    sinceDeployMs: () => (deployedMs === undefined ? undefined : nowMs() - deployedMs),
    usualWorkers: availableParallelism(),
    driver,
    now,
    nowMs,
    log,
  });
  showNumbers(metrics, autoscaler);
  infrastructure.tellCapacity(() => {
    const share = autoscaler.metric()?.capacityUsed;
    return share === undefined ? undefined : 100 * share;
  });
  const looking = periodically(
    () => autoscaler.look(),
    lookIntervalMs,
    log,
    'look at the load of compile servers',
  );
  return {
    value: undefined,
    start: () => void looking.run(),
    routes: [...autoscalerRoutes({ autoscaler, now, nowMs }), ...metricRoutes(driver, autoscaler, now)],
    register: (status) =>
      status.register({
        names: ['autoscaler-service'],
        version: announcedVersion(settings),
        read() {
          const message = autoscaler.shortage();
          return {
            state: 'running',
            alerts: message === undefined ? [] : [{ severity: 'warning', message }],
          };
        },
      }),
    async stop() {
      endListening();
      await looking.stop();
      await driver.close?.();
    },
  };
}

/** Where the Horizontal Pod Autoscaler asks. */
function metricRoutes({ name }: Driver, autoscaler: Autoscaler, now: () => Date): readonly Route[] {
  if (name !== 'kubernetes') return [];
  return externalMetricRoutes({ demandWorkers: () => autoscaler.metric()?.demandWorkers, now });
}

function showNumbers(metrics: Foundation['metrics'], autoscaler: Autoscaler): void {
  metrics.optionalGauge(
    {
      name: 'bunraku_capacity_used_ratio',
      help: 'The need for workers as a share of those that serve: the target when there are as many as needed. Absent while it is not known.',
    },
    () => autoscaler.metric()?.capacityUsed,
  );
  metrics.optionalGauge(
    {
      name: 'bunraku_demand_workers',
      help: 'What the ratio is the share of the serving workers of. Absent while it is not known.',
    },
    () => autoscaler.metric()?.demandWorkers,
  );
  metrics.optionalGauge(
    {
      name: 'bunraku_planned_workers',
      help: 'Workers that the largest crowd of the next half hour keeps busy, by the known schedule of nodes. Absent while it is not known.',
    },
    () => autoscaler.metric()?.planned,
  );
}
