/** The load of the compile servers, the advised number and the reasons, updated every few seconds. */

import { authorOf } from '../../platform/changes/index.ts';
import type { Identity } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Driver } from './drivers/driver.ts';
import { usedShare } from './measure/work-meter.ts';
import { type Demand, demandOf } from './number/demand.ts';
import type { FleetWork } from './number/fleet-work.ts';
import type { Plan } from './number/plan.ts';
import type { PoolSeen } from './pool/control.ts';
import { isCertified, type Member } from './pool/member.ts';
import type { Pool, Transition } from './pool/pool.ts';
import type { Hold } from './rule/holds.ts';
import type { Decision, Phase } from './rule/rule.ts';
import { type ScalingSettings, spareServers } from './settings.ts';
import { settingsChange } from './settings-change.ts';
import type { AutoscalerStore, HistoryEntry, StoredEntry } from './store.ts';

/** A compile server, as the primary knows it. */
export interface PoolServer {
  readonly certname: string;
  readonly phase: Phase;
  readonly workers: number;
  /** The share of the time that its main thread is busy; `undefined` when the server does not report its work. */
  readonly eventLoop: number | undefined;
  /** Since its last check-in. */
  readonly silentMs: number;
}

export interface AutoscalerOptions {
  readonly servers: () => readonly PoolServer[];
  readonly pool: Pool;
  readonly fleet: FleetWork;
  readonly store: AutoscalerStore;
  readonly herdToleranceSeconds: number;
  /** Since the last deploy that this process knows. */
  readonly sinceDeployMs: () => number | undefined;
  /** The workers of a server while no server reports its own. */
  readonly usualWorkers: number;
  readonly driver: Pick<Driver, 'name' | 'countedBy'>;
  readonly now: () => Date;
  /** On a clock that is never moved. */
  readonly nowMs: () => number;
  readonly log: Logger;
}

export interface ServerUse extends PoolServer {
  /** The share of its capacity. */
  readonly used: number;
}

export interface Assessment {
  readonly servers: readonly ServerUse[];
  readonly settings: ScalingSettings;
  readonly driver: Pick<Driver, 'name' | 'countedBy'>;
  readonly demand: Demand;
  readonly plan: Plan;
  /** Whether all numbers are there. */
  readonly isComplete: boolean;
  readonly nodesWaiting: number;
  readonly nodesKnown: number;
  /** The life of each server, those on their way included. */
  readonly members: readonly Member[];
  /** Servers that serve or are on their way. */
  readonly count: number;
  /** How many the numbers ask for. */
  readonly wanted: number;
  /** The advised number: not fewer than serve now while a hold applies. */
  readonly advised: number;
  readonly holds: readonly Hold[];
}

type Measured = Pick<Assessment, 'servers' | 'demand' | 'plan' | 'isComplete'>;
type Situation = NonNullable<PoolSeen['rule']>;

/** Several check-ins that did not come. */
const silentMs = 6000;
/** Numbers begin with the first complete minute. */
const startMs = 120_000;
/** Too few servers are worth a warning when they stay too few. */
const shortMs = 10 * 60_000;
const shortShare = 1.1;
const keptMs = 90 * 24 * 60 * 60_000;
const pruneIntervalMs = 60 * 60_000;

export class Autoscaler {
  private readonly options: AutoscalerOptions;
  private readonly startedMs: number;
  private current: ScalingSettings;
  private noted: Pick<HistoryEntry, 'serving' | 'wanted'> | undefined;
  private shortSinceMs: number | undefined;
  private prunedMs: number;

  private constructor(options: AutoscalerOptions, settings: ScalingSettings) {
    this.options = options;
    this.current = settings;
    this.startedMs = options.nowMs();
    this.prunedMs = this.startedMs;
  }

  static async load(options: AutoscalerOptions): Promise<Autoscaler> {
    return new Autoscaler(options, await options.store.settings());
  }

  get settings(): ScalingSettings {
    return this.current;
  }

  /** The current and the advised state. @param settings - what would be advised with others; nothing changes */
  assess(settings = this.current): Assessment {
    const measured = this.measure(settings);
    return this.assessment(measured, this.options.pool.preview(this.observe(measured, settings)), settings);
  }

  /** Call it every few seconds: it decides, and writes the history. */
  async look(): Promise<void> {
    const settings = this.current;
    const measured = this.measure(settings);
    const { decision, transitions } = await this.options.pool.step(this.observe(measured, settings));
    if (decision === undefined) return;
    const assessment = this.assessment(measured, decision, settings);
    this.noteShortage(assessment);
    await this.keepTransitions(transitions, assessment);
    await this.keepHistory(assessment);
    await this.prune();
  }

  /** Looks after each server, and does not decide how many there should be. Call it more often. */
  async tend(): Promise<void> {
    const { transitions } = await this.options.pool.step(undefined);
    if (transitions.length > 0) await this.keepTransitions(transitions, this.assess());
  }

  /** The number by which others decide; `undefined` while it is not known. */
  metric(): Demand | undefined {
    const { demand, isComplete } = this.assess();
    return isComplete ? demand : undefined;
  }

  /** A warning; empty when there are enough servers. */
  shortage(): string | undefined {
    if (this.shortSinceMs === undefined || this.current.isPaused) return undefined;
    if (this.options.nowMs() - this.shortSinceMs < shortMs) return undefined;
    const { count, demand, settings, wanted } = this.assess();
    if (count === 0 || demand.need <= shortShare * demand.capacity) return undefined;
    const [capacity, need] = [demand.capacity, Math.ceil(demand.need)];
    const limit = wanted >= settings.max ? `, the most that are allowed` : '';
    return `Too few compile servers: ${capacity} workers serve and ${need} are needed; ${wanted} servers are advised${limit}`;
  }

  /** Changes the given settings and keeps the others. */
  async change(wanted: Partial<ScalingSettings>, identity: Identity): Promise<ScalingSettings> {
    const before = this.current;
    const settings = { ...before, ...wanted };
    const change = settingsChange(before, settings, authorOf(identity), this.options.now());
    if (change === undefined) return before;
    const { count, wanted: asked } = this.assess();
    const message = change.events.map((event) => event.message).join('; ');
    await this.options.store.saveSettings(settings, change, {
      kind: 'settings',
      message: `${message}, by ${change.author.name}`,
      serving: count,
      wanted: asked,
    });
    this.current = settings;
    return settings;
  }

  async history(limit: number, before: number): Promise<readonly StoredEntry[]> {
    return await this.options.store.history(limit, before);
  }

  private assessment(
    measured: Measured,
    { holds, orders, wanted }: Decision,
    settings: ScalingSettings,
  ): Assessment {
    const { driver, fleet, pool } = this.options;
    const { nodesKnown, nodesWaiting } = fleet;
    const { servers } = measured;
    const { members } = pool;
    const names = new Set(servers.map(({ certname }) => certname));
    const coming = members.filter(
      ({ certname, ending, slot }) => slot !== undefined && ending === undefined && !names.has(certname),
    );
    const there = servers.filter(({ phase }) => phase !== 'lost' && phase !== 'draining');
    const count = there.length + coming.filter((member) => !isCertified(member)).length;
    const mayShrink = orders.some(({ kind }) => kind === 'drain');
    const advised = !settings.isPaused && (wanted > count || mayShrink) ? wanted : count;
    const known = { settings, driver, members, nodesWaiting, nodesKnown };
    return { ...measured, ...known, count, wanted, advised, holds };
  }

  private measure({ target }: ScalingSettings): Measured {
    const { fleet, herdToleranceSeconds, nowMs, servers: list } = this.options;
    const now = nowMs();
    const servers = list().map((server) => ({ ...server, work: fleet.rate(server.certname, now) }));
    const serving = servers.filter(({ phase }) => phase === 'serving');
    const measured = serving.map(({ eventLoop = 0, work, workers }) => ({ eventLoop, work, workers }));
    const load = { work: fleet.totalRate(now), backlogSeconds: fleet.backlogSeconds(now) };
    const plan = fleet.plan(now);
    return {
      servers: servers.map(({ work, ...server }) => ({
        ...server,
        used: usedShare(work, server.eventLoop ?? 0, server.workers),
      })),
      demand: demandOf(measured, load, plan, { target, herdToleranceSeconds }),
      plan,
      isComplete:
        now - this.startedMs >= startMs && serving.every(({ eventLoop }) => eventLoop !== undefined),
    };
  }

  private observe({ demand, isComplete, servers }: Measured, settings: ScalingSettings): Situation {
    const { nowMs, sinceDeployMs } = this.options;
    const now = nowMs();
    const there = servers.filter(({ phase }) => phase !== 'lost');
    const silent = there.filter((server) => server.silentMs > silentMs).length;
    return {
      demand,
      workersPerServer: this.workersPerServer(servers.filter(({ phase }) => phase === 'serving')),
      limits: { ...settings, spare: spareServers },
      sinceDeployMs: sinceDeployMs(),
      uptimeMs: now - this.startedMs,
      lost: servers.length - there.length,
      silentShare: there.length === 0 ? 0 : silent / there.length,
      isPaused: settings.isPaused,
      isIncomplete: !isComplete,
    };
  }

  /** Of most servers that serve. */
  private workersPerServer(serving: readonly PoolServer[]): number {
    const sorted = serving.map(({ workers }) => workers).toSorted((a, b) => a - b);
    return Math.max(1, sorted[Math.floor(sorted.length / 2)] ?? this.options.usualWorkers);
  }

  private noteShortage({ demand }: Assessment): void {
    if (demand.need <= shortShare * demand.capacity) this.shortSinceMs = undefined;
    else this.shortSinceMs ??= this.options.nowMs();
  }

  private async keepTransitions(transitions: readonly Transition[], assessment: Assessment): Promise<void> {
    const { now, store } = this.options;
    const serving = assessment.servers.filter(({ phase }) => phase === 'serving').length;
    for (const { cause, certname, from, to } of transitions) {
      const message = `${certname}: ${from} to ${to}, ${cause}`;
      await store.addEntry({ kind: 'server', message, serving, wanted: assessment.advised }, now());
    }
  }

  private async keepHistory(assessment: Assessment): Promise<void> {
    const { log, now, store } = this.options;
    const entry = historyEntry(assessment, this.noted);
    if (entry === undefined) return;
    this.noted = { serving: entry.serving, wanted: entry.wanted };
    log.info(
      { serving: entry.serving, advised: entry.wanted, ...entry.numbers },
      'compile servers that should serve',
    );
    await store.addEntry(entry, now());
  }

  private async prune(): Promise<void> {
    const { fleet, now, nowMs, store } = this.options;
    if (nowMs() - this.prunedMs < pruneIntervalMs) return;
    this.prunedMs = nowMs();
    fleet.prune(nowMs());
    await store.removeBefore(new Date(now().getTime() - keptMs));
  }
}

/** @returns `undefined` while nothing changes, and without compile servers */
function historyEntry(
  { advised, demand, isComplete, servers }: Assessment,
  before: Pick<HistoryEntry, 'serving' | 'wanted'> | undefined,
): HistoryEntry | undefined {
  const serving = servers.filter(({ phase }) => phase === 'serving').length;
  if (servers.length === 0 && before === undefined) return undefined;
  const isSame = before?.serving === serving && before.wanted === advised;
  if (isSame) return undefined;
  const kind = before?.serving === serving ? 'advice' : 'servers';
  const { backlog, capacity, need, planned, work } = demand;
  const those = serving === 1 ? '1 server serves' : `${serving} servers serve`;
  const message =
    advised === serving
      ? `${those}, as many as advised`
      : `${those}, ${advised} ${advised === 1 ? 'is' : 'are'} advised`;
  return {
    kind,
    message,
    serving,
    wanted: advised,
    ...(isComplete ? { numbers: rounded({ work, backlog, planned, capacity, need }) } : {}),
  };
}

function rounded<K extends string>(numbers: Readonly<Record<K, number>>): Record<K, number> {
  const entries = Object.entries<number>(numbers).map(([name, value]) => [
    name,
    Math.round(value * 100) / 100,
  ]);
  return Object.fromEntries(entries) as Record<K, number>;
}
