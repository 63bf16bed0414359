/** What happens in a day: each hour the clock goes on, something is deployed, and one thing befalls the installation. */

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterEvent, Hindrance, Kill, NumberedDeploy } from '../cluster/verdict.ts';
import type { SmallDisk } from '../filesync/full-disk.ts';
import { type Random, randomFrom } from '../support/random-from.ts';
import type { MovedClock } from './moved-clock.ts';

export interface DayOptions {
  readonly cluster: Cluster;
  readonly clock: MovedClock;
  /** Servers whose disk is a small one, with it. */
  readonly disks: ReadonlyMap<string, SmallDisk>;
  readonly servers: number;
  /** How long an hour takes, in milliseconds. */
  readonly hourMs: number;
  readonly seed: number;
}

type Happening = readonly [what: string, act: () => Promise<void>];

const hours = 24;
/** Until what a full disk was the reason of is over: answers that are under way, a health check. */
const afterwardsMs = 5000;

export class Day {
  readonly events: ClusterEvent[] = [];
  readonly deploys: NumberedDeploy[] = [];
  readonly kills: Kill[] = [];
  readonly hindrances: Hindrance[] = [];
  private readonly options: DayOptions;
  private readonly random: Random;
  private readonly serving = new Set<string>();
  private version = 0;

  constructor(options: DayOptions) {
    this.options = options;
    this.random = randomFrom(options.seed);
  }

  /** The first version, then the servers, then the way to them. */
  async prepare(): Promise<void> {
    const { cluster, servers } = this.options;
    await this.step('start the primary', () => cluster.startPrimary());
    await cluster.deploy(this.version);
    for (const host of cluster.options.hosts.compileServers.slice(0, servers))
      await this.step(`${host} joins`, () => this.join(host));
    await this.step('start HAProxy', () => cluster.startBalancer());
  }

  async live(): Promise<void> {
    const { clock, hourMs } = this.options;
    const happenings = this.program();
    for (let hour = 0; hour < hours; hour += 1) {
      const ends = performance.now() + hourMs;
      await this.deploy();
      const [what, act] = happenings[hour] ?? ['nothing', async () => {}];
      await this.step(`${clock} ${what}`, act);
      clock.move(30 * 60_000);
      await sleep(Math.max(0, ends - hourMs / 2 - performance.now()));
      clock.move(30 * 60_000);
      await sleep(Math.max(0, ends - performance.now()));
    }
    await this.step('the day ends', async () => {});
  }

  /** @throws Error when a server does not come to serve what was deployed last */
  async allServeTheLast(): Promise<void> {
    const { cluster } = this.options;
    for (const host of [cluster.options.hosts.primary, ...this.serving])
      await cluster.serves(host, this.version);
  }

  /** The servers that there are, with the processes that they are. */
  get running(): ReadonlyMap<string, number> {
    const { cluster } = this.options;
    const hosts = [cluster.options.hosts.primary, ...this.serving];
    return new Map(hosts.map((host) => [host, cluster.running(host).pid]));
  }

  /** The primary is restarted early: what it holds is seen best in a long life. */
  private program(): readonly Happening[] {
    const { primary } = this.options.cluster.options.hosts;
    const ofPrimary: Happening[] = [
      ['restart the primary', () => this.reboot(primary)],
      ['kill the primary', () => this.kill(primary)],
    ];
    const ofServers = Array.from({ length: hours }, () => this.ofServers()).flat();
    const others = shuffled(ofServers.slice(0, hours - ofPrimary.length), this.random);
    return [...others.slice(0, 2), ...ofPrimary, ...others.slice(2)];
  }

  /** Each kind once; which server it is shows when it happens. */
  private ofServers(): readonly Happening[] {
    const withDisks = () => [...this.serving].filter((host) => this.options.disks.has(host));
    return [
      ['a server joins', () => this.joinSpare()],
      ['a server leaves', () => this.leaveOne()],
      ['kill a server', async () => this.kill(this.any())],
      ['reboot a server', async () => this.reboot(this.any())],
      ['cut a server off from the primary', () => this.cutOff([this.any()])],
      ['cut all servers off from the primary', () => this.cutOff([...this.serving])],
      ["fill a server's disk", () => this.fillDisk(this.any(withDisks()))],
      ["fill the primary's disk", () => this.fillDisk(this.options.cluster.options.hosts.primary)],
      ['the clock goes back', async () => this.options.clock.move(-120_000)],
    ];
  }

  private async joinSpare(): Promise<void> {
    const host = this.options.cluster.options.hosts.compileServers.find((each) => !this.serving.has(each));
    if (host !== undefined) await this.join(host);
  }

  private async join(host: string): Promise<void> {
    const { cluster } = this.options;
    await cluster.join(host, await cluster.token());
    this.serving.add(host);
  }

  /** Its machine goes with it. */
  private async leaveOne(): Promise<void> {
    const { cluster, disks } = this.options;
    const host = this.any([...this.serving].filter((each) => !disks.has(each)));
    this.serving.delete(host);
    await cluster.leave(host);
    rmSync(cluster.dataOf(host), { recursive: true });
  }

  private async kill(host: string): Promise<void> {
    const { cluster } = this.options;
    const at = Date.now();
    await cluster.kill(host);
    this.kills.push({ host, at, gone: Date.now() });
    await cluster.startAgain(host);
  }

  private async reboot(host: string): Promise<void> {
    const { cluster } = this.options;
    await cluster.stop(host);
    await cluster.startAgain(host);
  }

  /** A deploy is made meanwhile: who is cut off goes on with what it has. */
  private async cutOff(servers: readonly string[]): Promise<void> {
    const { hosts, network } = this.options.cluster.options;
    for (const host of servers) network.cut(host, hosts.primary);
    await this.deploy();
    await sleep(this.options.hourMs / 5);
    for (const host of servers) network.mend(host, hosts.primary);
  }

  private async fillDisk(host: string): Promise<void> {
    const disk = this.options.disks.get(host);
    if (disk === undefined) throw new Error(`${host} has no disk of its own`);
    const began = Date.now();
    await disk.fill();
    await sleep(this.options.hourMs / 5);
    disk.free();
    this.hindrances.push({ host, began, ended: Date.now() + afterwardsMs });
  }

  private any(hosts: readonly string[] = [...this.serving]): string {
    const chosen = hosts[Math.floor(this.random() * hosts.length)];
    if (chosen === undefined) throw new Error('there is no server to choose');
    return chosen;
  }

  private async step(what: string, act: () => Promise<unknown>): Promise<void> {
    const began = Date.now();
    await act();
    this.events.push({ what, began, ended: Date.now() });
    process.stderr.write(`${new Date().toISOString()} ${what}\n`);
  }

  private async deploy(): Promise<void> {
    this.version += 1;
    const began = Date.now();
    const deploy = await this.options.cluster.deploy(this.version);
    this.deploys.push({ ...deploy, version: this.version, began });
  }
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
