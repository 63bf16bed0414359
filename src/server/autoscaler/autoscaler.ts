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
  type Pool,
} from '../../services/autoscaler/index.ts';
import type { CodeVersions } from '../../services/filesync/index.ts';
import type { CheckIn } from '../../services/infrastructure/index.ts';
import type { Alert } from '../../services/status/index.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import { type Periodic, periodically } from '../periodic.ts';
import type { OpenPorts } from '../ports/open-ports.ts';
import type { Part } from '../roles/role.ts';
import { type DriverParts, openDriver } from './driver.ts';
import { openPool, type PoolParts } from './pool.ts';
import { inPool } from './pool-servers.ts';

const lookIntervalMs = 10_000;
const tendIntervalMs = 2000;
/** From an order to a server that serves, before there is a driver. */
const usualLeadMs = 180_000;

/** Where check-ins leave what servers did. */
export class OwnFleet extends FleetWork {
  /** From an order to a server that serves. */
  leadMs: () => number = () => usualLeadMs;
  /** The clock of everything that is counted here. It is never moved, and goes faster where the settings say so. */
  readonly nowMs: () => number;
  private readonly lapse: number;

  constructor({
    autoscalerTimeLapse: lapse,
    herdToleranceSeconds,
  }: Pick<Foundation['settings'], 'autoscalerTimeLapse' | 'herdToleranceSeconds'>) {
    const nowMs = () => performance.now() * lapse;
    super({ herdToleranceMs: herdToleranceSeconds * 1000, leadMs: () => this.leadMs(), startMs: nowMs() });
    this.nowMs = nowMs;
    this.lapse = lapse;
  }

  override get meanCompileMs(): number | undefined {
    const meanMs = super.meanCompileMs;
    return meanMs === undefined ? undefined : meanMs / this.lapse;
  }

  /** On the clock of this fleet. */
  lapsed(ms: number): number {
    return ms * this.lapse;
  }
}

export function openFleetWork({ settings }: Foundation): OwnFleet {
  return new OwnFleet(settings);
}

/** Notes what a server says of its requests in a check-in. */
export function noteReport(fleet: OwnFleet, certname: string, report: CheckIn): void {
  if (report.work === undefined) return;
  const { first_run: first, runs } = report.work;
  const batch = {
    first,
    runs: runs.map(({ age_ms: ageMs, node, retry_ms: retryMs, worker_ms: workerMs }) => ({
      node,
      ageMs: fleet.lapsed(ageMs),
      ...(retryMs === undefined ? {} : { retryMs: fleet.lapsed(retryMs) }),
      ...(workerMs === undefined ? {} : { workerMs: fleet.lapsed(workerMs) }),
    })),
  };
  fleet.note(certname, report.started_at, batch, fleet.nowMs());
}

export interface AutoscalerParts {
  readonly fleet: OwnFleet;
  readonly ports: OpenPorts;
  readonly identities: DriverParts['identities'];
  readonly infrastructure: Pick<Infrastructure, 'tellCapacity'> &
    PoolParts['infrastructure'] &
    DriverParts['infrastructure'];
  readonly agentServices: { readonly code: { readonly versions: CodeVersions } };
}

export async function openAutoscaler(
  foundation: Foundation,
  parts: AutoscalerParts,
): Promise<Part<Autoscaler>> {
  const { database, log: root, metrics, settings } = foundation;
  const { agentServices, fleet, infrastructure } = parts;
  const { nowMs } = fleet;
  const driver = await openDriver(foundation, parts);
  const pool = await openPool(foundation, driver, parts, nowMs);
  const log = root.child({ service: 'autoscaler' });
  let deployedMs: number | undefined;
  const endListening = agentServices.code.versions.onFlip(() => {
    deployedMs = nowMs();
  });
  const now = () => new Date();
  const autoscaler = await Autoscaler.load({
    servers: () => infrastructure.compileServers().flatMap((server) => inPool(server) ?? []),
    pool,
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
  infrastructure.tellCapacity(() => percentOf(autoscaler.metric()?.capacityUsed));
  fleet.leadMs = () => pool.leadMs;
  return {
    value: autoscaler,
    routes: [...autoscalerRoutes({ autoscaler, now, nowMs }), ...metricRoutes(driver, autoscaler, now)],
    register: (status) =>
      status.register({
        names: ['autoscaler-service'],
        version: announcedVersion(settings),
        read: () => ({ state: 'running', alerts: alertsOf(autoscaler, pool) }),
      }),
    async stop() {
      endListening();
      await pool.stop();
    },
  };
}

/** Looks at the load, and after servers, once it has started: servers on this machine take ports that are free. */
export function runAutoscaler({ log: root, settings }: Foundation, autoscaler: Autoscaler): Part<undefined> {
  const log = root.child({ service: 'autoscaler' });
  const intervalMs = Math.max(1000, lookIntervalMs / settings.autoscalerTimeLapse);
  const loops: Periodic[] = [];
  return {
    value: undefined,
    start() {
      const look = () => autoscaler.look();
      const looking = periodically(look, intervalMs, log, 'look at the load of compile servers');
      const tend = () => autoscaler.tend();
      loops.push(looking, periodically(tend, tendIntervalMs, log, 'look after compile servers'));
      void looking.run();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Where the Horizontal Pod Autoscaler asks. */
function metricRoutes({ name }: Driver, autoscaler: Autoscaler, now: () => Date): readonly Route[] {
  if (name !== 'kubernetes') return [];
  return externalMetricRoutes({ demandWorkers: () => autoscaler.metric()?.demandWorkers, now });
}

function percentOf(share: number | undefined): number | undefined {
  return share === undefined ? undefined : 100 * share;
}

function alertsOf(autoscaler: Autoscaler, pool: Pool): readonly Alert[] {
  const messages = [autoscaler.shortage() ?? [], pool.problems()].flat();
  return messages.map((message) => ({ severity: 'warning', message }));
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
      help: 'Workers that the highest peak of the next half hour keeps busy, by the known schedule of nodes. Absent while it is not known.',
    },
    () => autoscaler.metric()?.planned,
  );
}
