/** What a server says of itself, to the primary and to people. */

import { isIP } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import type { Settings } from '../../platform/settings/index.ts';
import type { WorkMeter } from '../../services/autoscaler/index.ts';
import type { WorkerPool } from '../../services/compiler/index.ts';
import type { CodeVersions } from '../../services/filesync/index.ts';
import { type CheckIn, type MemberRole, protocol } from '../../services/infrastructure/index.ts';
import { type StatusRegistry, statesOfServer, worstState } from '../../services/status/index.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import { agentsPort, type OpenPorts } from '../ports/open-ports.ts';

export interface OwnReportOptions {
  readonly settings: Settings;
  readonly status: StatusRegistry;
  /** Compile servers are what most servers are. */
  readonly role?: MemberRole;
  /** Absent where nothing is compiled. */
  readonly compiling?: { readonly versions: CodeVersions; readonly pool: WorkerPool };
  /** For the primary; absent on the primary itself. */
  readonly work?: WorkMeter;
  /** Services with ports of their own, by the names that the status API has for them. */
  readonly others?: () => CheckIn['services'];
  /** The ports that listen. */
  readonly ports: OpenPorts;
  /** When the first of this server's certificates ends; not known at once. */
  readonly certificateEndsAt: () => Date | undefined;
  /** Messages that wait for the primary; none on the primary itself. */
  readonly undelivered?: () => Promise<number>;
}

/** What they say in detail is in `code`; with hundreds of environments it would be most of the report. */
const repeated: readonly string[] = ['file-sync-client-service'];
/** Services may take so long to answer. */
const timeoutSeconds = 5;

export function ownReport(options: OwnReportOptions): () => Promise<CheckIn> {
  const { compiling, ports, role = 'compile server', settings, status, undelivered, work } = options;
  const startedAt = new Date().toISOString();
  return async () => {
    const answers = await status.readAll('info', timeoutSeconds);
    const services = Object.fromEntries(
      Array.from(answers, ([name, { alerts, state, status: details }]) => {
        const port = ports.find(name);
        const told = { state, status: repeated.includes(name) ? undefined : details };
        return [name, { ...told, ...(port === undefined ? {} : { port }), active_alerts: [...alerts] }];
      }),
    );
    return {
      state: worstState(statesOfServer(answers.values())),
      version: announcedVersion(settings),
      protocol,
      role,
      url: `https://${settings.certname}:${ports.find(agentsPort) ?? settings.serverPort}`,
      ...(isOneAddress(settings.listen) ? { address: settings.listen } : {}),
      started_at: startedAt,
      ...(settings.healthPort === 0 ? {} : { health_port: settings.healthPort }),
      services: { ...services, ...options.others?.() },
      code: compiling?.versions.commits() ?? {},
      load: {
        workers: compiling?.pool.limit ?? 0,
        busy_workers: compiling?.pool.busy ?? 0,
        queued: compiling?.pool.queued ?? 0,
        load_average: Math.round((loadavg()[0] ?? 0) * 100) / 100,
        cores: availableParallelism(),
        resident_bytes: process.memoryUsage.rss(),
      },
      ...(work === undefined ? {} : { work: renderWork(work) }),
      certificate_ends_at: options.certificateEndsAt()?.toISOString(),
      undelivered: (await undelivered?.()) ?? 0,
    };
  };
}

function isOneAddress(listen: string): boolean {
  return isIP(listen) !== 0 && listen !== '0.0.0.0' && listen !== '::';
}

function renderWork(meter: WorkMeter): NonNullable<CheckIn['work']> {
  const { backlogSeconds, eventLoop, work } = meter.report();
  const { first, runs } = meter.unreported();
  return {
    work,
    backlog_seconds: backlogSeconds,
    event_loop: eventLoop,
    first_run: first,
    runs: runs.map(({ ageMs, node, retryMs, workerMs }) => ({
      node,
      age_ms: ageMs,
      ...(workerMs === undefined ? {} : { worker_ms: workerMs }),
      ...(retryMs === undefined ? {} : { retry_ms: retryMs }),
    })),
  };
}
