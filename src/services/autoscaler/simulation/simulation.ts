/** A day of a fleet in virtual time. */

import { type Demand, demandOf } from '../number/demand.ts';
import { FleetWork } from '../number/fleet-work.ts';
import type { SeenServer } from '../rule/rule.ts';
import type { Controller, ControllerOptions, View } from './controllers.ts';
import { EventQueue } from './event-queue.ts';
import { type Minute, type Outcome, serversThat } from './outcome.ts';
import { seededRandom } from './random.ts';
import type { Scenario } from './scenarios.ts';
import { VirtualFleet } from './virtual-fleet.ts';
import { VirtualServer } from './virtual-server.ts';

export interface SimulationOptions {
  readonly nodes: number;
  readonly hours: number;
  readonly runIntervalMs: number;
  readonly compileMs: number;
  readonly workers: number;
  readonly target: number;
  readonly min: number;
  readonly max: number;
  readonly herdToleranceSeconds: number;
  /** The longest `Retry-After` of servers: the setting `max_retry_delay`. */
  readonly maxRetryDelaySeconds: number;
  readonly seed: number;
  readonly scenario: Scenario;
  readonly controller: (options: ControllerOptions) => Controller;
  /** Told of each minute with the numbers of that moment. */
  readonly onMinute?: (minute: Minute, demand: Demand) => void;
}

const [retry, finish, ready, failure, checkIns, control, minuteEnd, powerFailure, loss, drained] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
/** Of events. */
const kindBits = 4;
const kinds = 1 << kindBits;
const checkInMs = 5000;
const controlMs = 10_000;
const minuteMs = 60_000;
/** Of a server: its delay, its requests, its deliveries. */
const drainMs = 60_000;
const waitBucketSeconds = 1;
const waitBuckets = 7200;

export class Simulation {
  private readonly options: SimulationOptions;
  private readonly random: () => number;
  private readonly events = new EventQueue();
  private readonly fleet: VirtualFleet;
  private readonly controller: Controller;
  private readonly work: FleetWork<number>;
  private readonly servers = new Map<number, VirtualServer>();
  private serving: VirtualServer[] = [];
  /** When the request of a node arrived for the first time; 0 while it does not run. */
  private readonly since: Float64Array;
  private readonly compiling: Float64Array;
  /** When a node asks again; what it had planned before it lost power is void. */
  private readonly retryAt: Float64Array;
  private readonly waits = new Uint32Array(waitBuckets);
  private readonly minutes: Minute[] = [];
  private readonly leads: number[] = [];
  private failed: number[] = [];
  private nowMs = 0;
  private nextId = 1;
  private readonly counts = { runs: 0, failedRuns: 0, retries: 0, longestMs: 0, mostServers: 0 };
  private readonly minute = { offered: 0, actions: 0, busyMs: 0, isAtMax: false };
  private busyShare = 0;

  constructor(options: SimulationOptions) {
    this.options = options;
    const { herdToleranceSeconds, max, min, nodes, scenario, seed, target, workers } = options;
    this.random = seededRandom(seed);
    this.fleet = new VirtualFleet({ ...options, random: this.random });
    this.since = new Float64Array(nodes);
    this.compiling = new Float64Array(nodes);
    const limits = { min, max, spare: 1 };
    this.controller = options.controller({ limits, target, workers, random: this.random });
    const leadMs = () => this.leadMs;
    this.work = new FleetWork<number>({ herdToleranceMs: herdToleranceSeconds * 1000, leadMs, startMs: 0 });
    this.retryAt = new Float64Array(nodes);
    // The day begins with servers for the load that lasts.
    const load = (nodes * options.compileMs) / options.runIntervalMs;
    const first = Math.min(max, Math.max(min, Math.ceil(load / target / workers)));
    for (let index = 0; index < first; index++) this.makeReady(this.launch(-1 - index));
    for (const kind of [checkIns, control, minuteEnd]) this.schedule(minuteMs / 60, kind, 0);
    if (scenario.powerFailureMs !== undefined) this.schedule(scenario.powerFailureMs, powerFailure, 0);
    if (scenario.loss !== undefined) this.schedule(scenario.loss.atMs, loss, 0);
  }

  run(): Outcome {
    const endMs = this.options.hours * 60 * minuteMs;
    for (;;) {
      const { nextMs } = this.events;
      const arrivalMs = this.fleet.nextMs;
      this.nowMs = Math.min(nextMs, arrivalMs);
      if (this.nowMs >= endMs) return this.outcome();
      if (arrivalMs < nextMs) this.arrive();
      else this.handle(this.events.take());
    }
  }

  private schedule(atMs: number, kind: number, subject: number): void {
    this.events.add(atMs, subject * kinds + kind);
  }

  private handle(event: number): void {
    const kind = event & (kinds - 1);
    const subject = event >>> kindBits;
    if (kind === retry) this.retry(subject);
    else if (kind === finish) this.finish(subject);
    else if (kind === ready) this.makeReady(this.servers.get(subject));
    else if (kind === failure) this.failLaunch(subject);
    else if (kind === drained) this.remove(subject);
    else if (kind === checkIns) this.checkIn();
    else if (kind === control) this.control();
    else if (kind === minuteEnd) this.endMinute();
    else if (kind === powerFailure) this.failPower();
    else this.loseServers();
  }

  private arrive(): void {
    const node = this.fleet.take();
    // Where the run before is not over: agents do not run twice at a time.
    if (node === undefined || this.since[node] !== 0) return;
    this.since[node] = this.nowMs;
    this.minute.offered += this.fleet.compileMs(node, this.nowMs) / 1000;
    this.request(node);
  }

  private request(node: number): void {
    if (this.since[node] === 0) return;
    const server = this.leastBusy();
    if (server === undefined) return this.failRun(node);
    const seconds = server.request(node);
    if (seconds === undefined) return this.beginWork(server);
    this.counts.retries += 1;
    // Agents wake up and connect.
    const atMs = this.nowMs + seconds * 1000 + this.random() * 500;
    this.retryAt[node] = atMs;
    this.schedule(atMs, retry, node);
  }

  private retry(node: number): void {
    if (this.retryAt[node] === this.nowMs) this.request(node);
  }

  /** As HAProxy chooses: the least connections. */
  private leastBusy(): VirtualServer | undefined {
    let best: VirtualServer | undefined;
    for (const server of this.serving) if (best === undefined || server.inside < best.inside) best = server;
    return best;
  }

  private beginWork(server: VirtualServer): void {
    for (let node = server.begin(); node !== undefined; node = server.begin()) {
      this.compiling[node] = server.options.id;
      this.schedule(this.nowMs + this.fleet.compileMs(node, this.nowMs), finish, node);
    }
  }

  private finish(node: number): void {
    const server = this.servers.get(this.compiling[node] ?? 0);
    const ms = this.fleet.compileMs(node, this.nowMs);
    if (server?.finish(node, ms) !== true) return;
    this.minute.busyMs += ms;
    this.beginWork(server);
    // It lost power meanwhile.
    if (this.since[node] === 0) return;
    const waited = this.nowMs - (this.since[node] ?? 0);
    this.since[node] = 0;
    this.counts.runs += 1;
    this.counts.longestMs = Math.max(this.counts.longestMs, waited);
    const bucket = Math.min(waitBuckets - 1, Math.floor(waited / 1000 / waitBucketSeconds));
    this.waits[bucket] = (this.waits[bucket] ?? 0) + 1;
  }

  private failRun(node: number): void {
    this.since[node] = 0;
    this.counts.failedRuns += 1;
  }

  private checkIn(): void {
    this.schedule(this.nowMs + checkInMs, checkIns, 0);
    if (this.isPrimaryAway) return;
    for (const server of this.servers.values()) {
      if (server.phase === 'launching' || server.phase === 'lost') continue;
      const batch = server.meter.unreported();
      this.work.note(String(server.options.id), '', batch, this.nowMs);
      server.meter.acknowledge({ first: batch.first, count: batch.runs.length });
    }
    const waiting = new Set(this.work.longWaiting(this.nowMs));
    for (const { meter } of this.servers.values()) meter.noteLongWaiting(waiting);
  }

  private control(): void {
    this.schedule(this.nowMs + controlMs, control, 0);
    const steps = this.controller.step(this.view());
    this.failed = [];
    for (const slot of steps.end) this.remove(this.findSlot(slot));
    for (const slot of steps.launch) this.order(slot);
    for (const id of steps.drain) this.drain(Number(id));
    if (steps.launch.length + steps.drain.length > 0) this.minute.actions += 1;
    const there = this.present().length;
    this.counts.mostServers = Math.max(this.counts.mostServers, there);
    this.minute.isAtMax ||= there >= this.options.max;
  }

  private view(): View {
    const { scenario } = this.options;
    const deploy = scenario.deploy?.atMs;
    const away = scenario.primaryAway;
    const startMs = away !== undefined && this.nowMs >= away.toMs ? away.toMs : -10 * minuteMs;
    return {
      nowMs: this.nowMs,
      servers: Array.from(this.servers.values(), (server): SeenServer => {
        const { id, slot } = server.options;
        return { id: String(id), phase: server.phase, ...(slot === undefined ? {} : { slot }) };
      }),
      demand: this.isPrimaryAway ? undefined : this.demand(),
      busyShare: this.busyShare,
      failed: this.failed,
      leadMs: this.leadMs,
      sinceDeployMs: deploy !== undefined && this.nowMs >= deploy ? this.nowMs - deploy : undefined,
      uptimeMs: this.nowMs - startMs,
    };
  }

  private demand() {
    const measured = this.serving.map(({ options: { id, workers } }) => ({
      workers,
      work: this.work.rate(String(id), this.nowMs),
      eventLoop: 0,
    }));
    const { nowMs, work } = this;
    const load = { work: work.totalRate(nowMs), backlogSeconds: work.backlogSeconds(nowMs) };
    return demandOf(measured, load, work.plan(nowMs), this.options);
  }

  private get isPrimaryAway(): boolean {
    const away = this.options.scenario.primaryAway;
    return away !== undefined && this.nowMs >= away.fromMs && this.nowMs < away.toMs;
  }

  /** Nine of ten launches were faster. */
  private get leadMs(): number {
    const sorted = this.leads.slice(-50).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.9)] ?? 3 * minuteMs;
  }

  private findSlot(slot: number): number {
    return [...this.servers.values()].find(({ options }) => options.slot === slot)?.options.id ?? 0;
  }

  private launch(slot: number | undefined): VirtualServer {
    const id = this.nextId;
    this.nextId += 1;
    const { compileMs: meanCompileMs, maxRetryDelaySeconds, workers } = this.options;
    const place = { id, slot, workers, meanCompileMs, maxRetryDelaySeconds };
    const server = new VirtualServer({ ...place, nowMs: () => this.nowMs, random: this.random });
    this.servers.set(id, server);
    return server;
  }

  private order(slot: number): void {
    const { failing, launchMs } = this.options.scenario;
    const { options } = this.launch(slot);
    const takes = launchMs[0] + this.random() * (launchMs[1] - launchMs[0]);
    if (this.random() < failing) this.schedule(this.nowMs + takes, failure, options.id);
    else {
      this.leads.push(takes);
      this.schedule(this.nowMs + takes, ready, options.id);
    }
  }

  private makeReady(server: VirtualServer | undefined): void {
    if (server === undefined) return;
    server.phase = 'serving';
    this.serving = this.present().filter(({ phase }) => phase === 'serving');
  }

  private failLaunch(id: number): void {
    const slot = this.servers.get(id)?.options.slot;
    if (this.servers.delete(id) && slot !== undefined) this.failed.push(slot);
  }

  private drain(id: number): void {
    const server = this.servers.get(id);
    if (server === undefined) return;
    server.phase = 'draining';
    this.serving = this.serving.filter((each) => each !== server);
    this.schedule(this.nowMs + drainMs, drained, id);
  }

  private remove(id: number): void {
    const server = this.servers.get(id);
    for (const node of server?.lose() ?? []) this.failRun(node);
    this.servers.delete(id);
    this.work.forgetServer(String(id));
  }

  private failPower(): void {
    this.fleet.fail(this.nowMs);
    for (const server of this.servers.values()) server.abandonQueue();
    // What the nodes waited for is void as well.
    this.since.fill(0);
    this.retryAt.fill(0);
  }

  private loseServers(): void {
    const share = this.options.scenario.loss?.share ?? 0;
    const count = Math.floor(this.serving.length * share);
    const lost = this.serving.slice(0, count);
    this.serving = this.serving.slice(count);
    for (const server of lost) {
      for (const node of server.lose()) this.failRun(node);
      this.work.forgetServer(String(server.options.id));
    }
  }

  private present(): VirtualServer[] {
    return [...this.servers.values()].filter(({ phase }) => phase !== 'lost');
  }

  private endMinute(): void {
    this.schedule(this.nowMs + minuteMs, minuteEnd, 0);
    const capacity = this.serving.reduce((sum, { options }) => sum + options.workers, 0);
    this.busyShare = capacity === 0 ? 1 : Math.min(1, this.minute.busyMs / (capacity * minuteMs));
    const { actions, isAtMax, offered } = this.minute;
    const minute = { offered, capacity, servers: this.present().length, actions, isAtMax };
    this.minutes.push(minute);
    if (this.options.onMinute !== undefined) this.options.onMinute(minute, this.demand());
    Object.assign(this.minute, { offered: 0, actions: 0, busyMs: 0, isAtMax: false });
  }

  private outcome(): Outcome {
    const { herdToleranceSeconds, min, scenario, target, workers } = this.options;
    const { daytime, deploy, powerFailureMs } = scenario;
    const happened = [powerFailureMs, deploy?.atMs, daytime?.fromMs, daytime?.toMs, scenario.loss?.atMs];
    const eventsMs = happened.filter((at) => at !== undefined);
    const steady = serversThat(this.minutes, { target, workers, min, herdToleranceSeconds, eventsMs });
    const { longestMs, ...counts } = this.counts;
    return {
      ...counts,
      ...steady,
      longestWaitSeconds: longestMs / 1000,
      highWaitSeconds: this.waitOf(0.99),
      lateRuns: this.waits.slice(herdToleranceSeconds).reduce((sum, count) => sum + count, 0),
      serverHours: this.minutes.reduce((sum, { servers }) => sum + servers / 60, 0),
      actions: this.minutes.reduce((sum, { actions }) => sum + actions, 0),
      hasReachedMax: this.minutes.some(({ isAtMax }) => isAtMax),
    };
  }

  private waitOf(share: number): number {
    let left = this.counts.runs * share;
    for (const [seconds, count] of this.waits.entries()) {
      left -= count;
      if (left <= 0) return seconds + 1;
    }
    return waitBuckets;
  }
}
