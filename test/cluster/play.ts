/** What happens to the cluster: servers come, go, die, are cut off; code is deployed all the time. */

import type { Cluster, ClusterOptions } from './cluster.ts';
import type { FleetWatch } from './fleet-watch.ts';
import type { ClusterEvent, Kill, NumberedDeploy } from './verdict.ts';

export interface Play {
  readonly deploys: number;
  /** Servers that are there at the beginning. */
  readonly servers: number;
  /** How many join later, and how many leave. */
  readonly changing: number;
  /** Runs that agents make between two events. */
  readonly runsBetween: number;
}

type Happening = readonly [what: string, act: () => Promise<void>];

export class ClusterPlay {
  readonly events: ClusterEvent[] = [];
  readonly deploys: NumberedDeploy[] = [];
  readonly kills: Kill[] = [];
  private readonly cluster: Cluster;
  private readonly fleet: FleetWatch;
  private readonly options: ClusterOptions;
  private readonly play: Play;
  private version = 0;
  /** Deploys stop while the primary is away, as a pipeline would wait. */
  private primaryIsAway = false;

  constructor(cluster: Cluster, fleet: FleetWatch, play: Play) {
    this.cluster = cluster;
    this.fleet = fleet;
    this.options = cluster.options;
    this.play = play;
  }

  /** The first version, then the servers, then the way to them. */
  async prepare(): Promise<void> {
    const servers = this.options.hosts.compileServers.slice(0, this.play.servers);
    await this.step('start the primary', () => this.cluster.startPrimary());
    await this.cluster.deploy(this.version);
    const token = await this.cluster.token();
    await this.step(`${servers.length} servers join`, () =>
      eachOf(servers, (host) => this.cluster.join(host, token)),
    );
    await this.step('start HAProxy', () => this.cluster.startBalancer());
  }

  /** Events one after another, each with its share of the deploys beside it. */
  async perform(): Promise<void> {
    await this.step('quiet', () => this.enough());
    const happenings = this.happenings();
    for (const [index, [what, act]] of happenings.entries()) {
      const due = Math.round(((index + 1) * this.play.deploys) / happenings.length);
      await this.step(what, () => Promise.all([act(), this.deployUntil(due)]));
      await this.enough();
    }
    await this.step('quiet again', () => this.enough());
  }

  private happenings(): readonly Happening[] {
    const { changing, servers } = this.play;
    const { compileServers, primary } = this.options.hosts;
    const { cluster } = this;
    const { network } = this.options;
    const joining = compileServers.slice(servers, servers + changing);
    const leaving = compileServers.slice(0, changing);
    const [killed = '', cut = '', rebooted = ''] = compileServers.slice(changing);
    return [
      ...joining.map(
        (host): Happening => [`add ${host}`, async () => cluster.join(host, await cluster.token())],
      ),
      ...leaving.map((host): Happening => [`remove ${host}`, () => cluster.leave(host)]),
      [`kill ${killed}`, () => this.kill(killed)],
      [`cut ${cut} off from the primary`, async () => network.cut(cut, primary)],
      [`reboot ${rebooted}`, () => this.reboot(rebooted)],
      ['restart the primary', () => this.restartPrimary()],
      [`mend the line of ${cut}`, async () => network.mend(cut, primary)],
      [`forget ${killed}`, () => cluster.forget(killed)],
    ];
  }

  /** The servers that are there in the end. */
  get remaining(): readonly string[] {
    const { changing } = this.play;
    return this.options.hosts.compileServers.slice(changing + 1);
  }

  /** @throws Error when a server does not come to serve what was deployed last */
  async allServeTheLast(): Promise<void> {
    for (const host of [this.options.hosts.primary, ...this.remaining])
      await this.cluster.serves(host, this.version);
  }

  /** @param count - how many deploys there are to have been in all */
  private async deployUntil(count: number): Promise<void> {
    while (this.deploys.length < count) {
      if (!this.primaryIsAway) await this.deploy();
      await this.fleet.more(Math.ceil(this.play.runsBetween / 4));
    }
  }

  private async deploy(): Promise<void> {
    this.version += 1;
    const began = Date.now();
    const deploy = await this.cluster.deploy(this.version);
    this.deploys.push({ ...deploy, version: this.version, began });
  }

  private async kill(host: string): Promise<void> {
    const at = Date.now();
    await this.cluster.kill(host);
    this.kills.push({ host, at, gone: Date.now() });
  }

  private async reboot(host: string): Promise<void> {
    await this.cluster.stop(host);
    await this.cluster.startAgain(host);
  }

  private async restartPrimary(): Promise<void> {
    const { primary } = this.options.hosts;
    this.primaryIsAway = true;
    await this.cluster.stop(primary);
    await this.fleet.more(Math.ceil(this.play.runsBetween / 2));
    await this.cluster.startAgain(primary);
    this.primaryIsAway = false;
  }

  private enough(): Promise<void> {
    return this.fleet.more(this.play.runsBetween);
  }

  private async step(what: string, act: () => Promise<unknown>): Promise<void> {
    const began = Date.now();
    await act();
    this.events.push({ what, began, ended: Date.now() });
    process.stderr.write(`${new Date().toISOString()} ${what}\n`);
  }
}

/** A few at a time: they share the machine. */
async function eachOf(hosts: readonly string[], act: (host: string) => Promise<void>): Promise<void> {
  const waiting = [...hosts];
  const work = async () => {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift()) await act(host);
  };
  await Promise.all([work(), work(), work()]);
}
