/**
 * Compile servers as processes of the primary's machine, each with a directory and ports of its own.
 *
 * They go on while the primary restarts. An instance is a directory: it is there before its process starts, and is removed after that
 * has ended, so that whatever is killed in between leaves nothing that cannot be found.
 */

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../../lib/atomic-file.ts';
import { ifThere } from '../../../../lib/if-there.ts';
import { SerialQueue } from '../../../../lib/serial-queue.ts';
import type { Logger } from '../../../../platform/log/index.ts';
import {
  boundTo,
  endMarked,
  findMarked,
  markOwnProcess,
  removeMark,
  startMarked,
} from '../../../../platform/processes/index.ts';
import {
  asDriverError,
  type Driver,
  DriverError,
  type Instance,
  type JoinGrants,
  type LaunchOrder,
  type LaunchOutcome,
} from '../driver.ts';
import { arePortsFree, type LocalPorts, portsOf } from './local-ports.ts';

export interface LocalDriverOptions {
  /** Of all instances. */
  readonly directory: string;
  /** What runs the program: node and its main file. */
  readonly program: readonly string[];
  /** `https://localhost:8140`; known as soon as the primary listens. */
  readonly primaryUrl: () => string;
  /** SHA-256 of the CA's first certificate, hexadecimal. */
  readonly caFingerprint: () => string;
  readonly listen: string;
  /** Each instance has the next three from here. */
  readonly firstPort: number;
  /** Names by which agents reach the servers. */
  readonly altNames: readonly string[];
  /** Words for the command line of each server. @param ports - of the instance */
  readonly flags: (ports: LocalPorts) => readonly string[];
  readonly grants: JoinGrants;
  /** How long the servers go on without a primary. */
  readonly graceMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly log: Logger;
}

interface Order extends LaunchOrder {
  /** Of its ports. */
  readonly index: number;
}

/** A token on a command line would be seen by all users of the machine. */
const tokenVariable = 'BUNRAKU_JOIN_TOKEN';

/** Its server has left, or never served: nothing is lost. */
const patienceMs = 5000;
/** A server that ends as soon as it is started ends each time. */
const mostStarts = 5;
const startWindowMs = 10 * 60_000;
const mostInstances = 500;
/** Characters of a log in a message. */
const mostWords = 500;

export class LocalDriver implements Driver {
  readonly name = 'local';
  readonly countedBy = 'primary';
  readonly assumedLeadMs = 10_000;
  private readonly options: LocalDriverOptions;
  private readonly queue = new SerialQueue();
  private readonly starts = new Map<string, number[]>();

  private constructor(options: LocalDriverOptions) {
    this.options = options;
  }

  /** Takes the instances of an earlier process over. */
  static async open(options: LocalDriverOptions): Promise<LocalDriver> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const driver = new LocalDriver(options);
    await markOwnProcess(driver.primaryMark);
    return driver;
  }

  async launch(orders: readonly LaunchOrder[]): Promise<readonly LaunchOutcome[]> {
    // One after another: each takes the first ports that are free.
    const launch = (order: LaunchOrder) => this.queue.run(() => this.launchOne(order).catch(asDriverError));
    return await Promise.all(orders.map(launch));
  }

  async end(instanceId: string): Promise<void> {
    this.starts.delete(instanceId);
    await endMarked(this.markOf(instanceId), patienceMs);
    await rm(this.placeOf(instanceId), { recursive: true, force: true });
  }

  async inventory(): Promise<readonly Instance[]> {
    const entries = await readdir(this.options.directory, { withFileTypes: true });
    const instances = entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name: id }): Promise<Instance> => {
        const order = await this.orderOf(id);
        const pid = await findMarked(this.markOf(id));
        return {
          id,
          orderId: id,
          state: pid === undefined ? 'stopped' : 'running',
          ...(order === undefined ? {} : { certname: order.certname }),
        };
      });
    return await Promise.all(instances);
  }

  private async launchOne(wanted: LaunchOrder): Promise<undefined> {
    const { log } = this.options;
    const { id } = wanted;
    if ((await findMarked(this.markOf(id))) !== undefined) return undefined;
    const order = (await this.orderOf(id)) ?? (await this.place(wanted));
    await this.countStart(id);
    await removeMark(this.markOf(id));
    await startMarked(await this.programOf(order));
    log.info({ certname: order.certname, order: id }, 'started a local compile server');
    return undefined;
  }

  /** @throws DriverError `never` for a server that does not stay */
  private async countStart(id: string): Promise<void> {
    const now = this.options.nowMs();
    const recent = (this.starts.get(id) ?? []).filter((at) => now - at < startWindowMs);
    if (recent.length >= mostStarts)
      throw new DriverError(
        `It ended ${mostStarts} times within ${startWindowMs / 60_000} minutes, at last with: ${await this.lastWordsOf(id)}`,
        'never',
      );
    this.starts.set(id, [...recent, now]);
  }

  /** Its log goes with the instance. */
  private async lastWordsOf(id: string): Promise<string> {
    const text = (await ifThere(readFile(this.logOf(id), 'utf8'))) ?? '';
    return text.trimEnd().split('\n').at(-1)?.slice(-mostWords) || 'nothing';
  }

  private async place({ certname, id }: LaunchOrder): Promise<Order> {
    const order = { id, certname, index: await this.freeIndex() };
    await mkdir(this.dataOf(id), { recursive: true, mode: 0o700 });
    await writeFileAtomically(join(this.placeOf(id), 'order.json'), JSON.stringify(order), 0o600);
    return order;
  }

  private async freeIndex(): Promise<number> {
    const { directory, firstPort, listen } = this.options;
    const orders = await Promise.all((await readdir(directory)).map((id) => this.orderOf(id)));
    const taken = new Set(orders.map((order) => order?.index));
    for (let index = 0; index < mostInstances; index++)
      if (!taken.has(index) && (await arePortsFree(listen, portsOf(firstPort, index)))) return index;
    throw new DriverError(`All ports from ${firstPort} on are taken`, 'never');
  }

  private async programOf(order: Order) {
    const { altNames, caFingerprint, environment, firstPort, flags, listen, primaryUrl, program } =
      this.options;
    const [command = '', ...main] = program;
    const { certname, id } = order;
    const data = this.dataOf(id);
    const ports = portsOf(firstPort, order.index);
    const hasJoined = existsSync(join(data, 'puppet', 'ssl', 'certs', `${certname}.pem`));
    // Also one that has joined: it takes the settings over that the primary has by now.
    const place = { data, certname, listen, serverport: ports.agents, 'dns-alt-names': altNames.join(',') };
    // Also one that has joined: it takes the settings over that the primary has by now.
    const words = [
      'compile-server',
      'join',
      primaryUrl(),
      '--run',
      `--ca-fingerprint=${caFingerprint()}`,
      ...Object.entries(place).map(([name, value]) => `--${name}=${value}`),
      ...flags(ports),
    ];
    return {
      command,
      args: [...main, ...words],
      environment: {
        ...environment,
        ...boundTo(this.primaryMark, this.options.graceMs),
        ...(hasJoined ? {} : { [tokenVariable]: await this.options.grants.issue(certname) }),
      },
      directory: data,
      logFile: this.logOf(id),
      markFile: this.markOf(id),
    };
  }

  private async orderOf(id: string): Promise<Order | undefined> {
    const text = await ifThere(readFile(join(this.placeOf(id), 'order.json'), 'utf8')).catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Order);
  }

  private get primaryMark(): string {
    return join(this.options.directory, 'primary');
  }

  private placeOf(id: string): string {
    return join(this.options.directory, id);
  }

  private dataOf(id: string): string {
    return join(this.placeOf(id), 'data');
  }

  private markOf(id: string): string {
    return join(this.placeOf(id), 'mark');
  }

  private logOf(id: string): string {
    return join(this.placeOf(id), 'log');
  }
}
