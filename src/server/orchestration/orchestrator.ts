/** The orchestrator of the primary: its store, what it asks other services, and its work from time to time. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { Database } from '../../platform/storage/index.ts';
import type { Classifier } from '../../services/classifier/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import {
  type AgentLink,
  type Connections,
  combinedLink,
  DatabaseTaskTargets,
  DatabaseUsage,
  type Downloads,
  type InfrastructureServer,
  type JobPolicy,
  JobRunner,
  JobStore,
  Orchestrator,
  ScheduledJobStore,
  Targets,
  type TargetTermini,
  TaskTargets,
  type TaskTerminus,
  Usage,
} from '../../services/orchestrator/index.ts';
import type { Foundation } from '../foundation.ts';
import { periodically } from '../periodic.ts';
import { openSeal } from '../text-seal.ts';
import type { LargeAnswers } from './large-answers.ts';
import { runReports } from './run-reports.ts';
import { type FileReader, openSsh } from './ssh.ts';
import { countNodes, targetTermini } from './target-termini.ts';

export interface OrchestratorTermini {
  /** Nodes with a PXP agent. */
  readonly agents: AgentLink;
  /** Reads large answers of nodes that are reached by SSH; `agents` has its own. */
  readonly large: Pick<LargeAnswers, 'of'>;
  /** Content of a file of the live code, by the address that agents fetch it from. */
  readonly readFile: FileReader;
  readonly tasks: TaskTerminus;
  readonly puppetDb: PuppetDbTerminus | undefined;
  /** Absent where others classify. */
  readonly classifier: Classifier | undefined;
  readonly hasEnvironment: (name: string) => boolean;
  /** The servers of the installation besides the primary. */
  readonly members: () => readonly InfrastructureServer[];
}

export interface RunningOrchestrator {
  readonly orchestrator: Orchestrator;
  readonly schedules: ScheduledJobStore;
  readonly taskTargets: TaskTargets;
  readonly usage: Usage;
  readonly connections: Connections;
  readonly downloads: Downloads;
  readonly runner: JobRunner;
  /** Takes up what was interrupted. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const tickMs = 500;
const pruneMs = 3_600_000;
/** Counted soon after midnight. */
const countMs = 60_000;
const savePauseMs = 1000;

export async function openOrchestrator(
  foundation: Foundation,
  { agents, classifier, hasEnvironment, large, members, puppetDb, readFile, tasks }: OrchestratorTermini,
): Promise<RunningOrchestrator> {
  const { database, settings } = foundation;
  const log = foundation.log.child({ service: 'orchestrator' });
  const nowMs = () => Date.now();
  const seal = await openSeal(join(settings.stateDir, 'orchestrator.key'));
  const store = new JobStore(database, seal);
  const ssh = await openSsh(foundation, seal, readFile);
  const link = combinedLink(agents, large.of(ssh.link));
  const runner = new JobRunner({
    store,
    link,
    findReport: runReports(puppetDb),
    policy: policyFor(settings),
    limits: { deploy: settings.globalConcurrentCompiles, task: settings.taskConcurrency },
    nowMs,
    newId: randomUUID,
    pause: () => sleep(savePauseMs),
    log,
  });
  const servers = () => [...members(), { certname: settings.certname, role: 'primary' } as const];
  const termini = targetTermini(puppetDb, classifier, servers, ssh.connections);
  const targets = new Targets(termini);
  const newId = randomUUID;
  const taskTargets = new TaskTargets({ store: new DatabaseTaskTargets(database), targets, nowMs, newId });
  const usage = usageOf(database, termini, nowMs);
  const orchestrator = new Orchestrator({
    store,
    runner,
    targets,
    taskTargets,
    tasks,
    link,
    hasEnvironment,
    nowMs,
  });
  const work = workOf(runner, usage, () => prune(store, settings, log), log);
  return {
    orchestrator,
    taskTargets,
    usage,
    connections: ssh.connections,
    downloads: ssh.downloads,
    schedules: new ScheduledJobStore(database, seal),
    runner,
    async start() {
      await runner.start();
      void work.pruning.run();
    },
    async stop() {
      await Promise.all(Object.values(work).map((each) => each.stop()));
      await runner.close();
      ssh.link.close();
    },
  };
}

function usageOf(database: Database, termini: TargetTermini, nowMs: () => number): Usage {
  const countActive = (signal: AbortSignal) => countNodes(termini, signal);
  return new Usage({ store: new DatabaseUsage(database), countNodes: countActive, nowMs });
}

function policyFor({ pcpTimeoutSeconds }: Pick<Settings, 'pcpTimeoutSeconds'>): JobPolicy {
  const disconnectedMs = pcpTimeoutSeconds * 1000;
  return {
    disconnectedMs,
    // Agents of a lost broker come back within 40 s; a fleet, at the rate at which connections are admitted.
    disconnectedAfterRestartMs: Math.max(disconnectedMs, 120_000),
    answerMs: 10_000,
    quietMs: 60_000,
    silentMs: 300_000,
    mostDeliveries: 5,
    reportRetryMs: 500,
    mostReportTries: 6,
  };
}

/** What is done from time to time. */
function workOf(runner: JobRunner, usage: Usage, forget: () => Promise<void>, log: Logger) {
  return {
    ticks: periodically(() => runner.tick(), tickMs, log, 'check jobs for silence'),
    counting: periodically(() => usage.tick(), countMs, log, 'count the nodes of the day'),
    pruning: periodically(forget, pruneMs, log, 'forget old jobs'),
  };
}

async function prune(
  store: JobStore,
  { jobPruneThresholdSeconds: seconds }: Pick<Settings, 'jobPruneThresholdSeconds'>,
  log: Logger,
): Promise<void> {
  const jobs = await store.prune(new Date(Date.now() - seconds * 1000));
  if (jobs > 0) log.info({ jobs }, 'forgot old jobs');
}
