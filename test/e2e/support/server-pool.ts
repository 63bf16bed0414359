/** A pool of compile servers that the primary's local driver launches, as an operator and the system see it. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaproxySocket } from '../../../src/services/load-balancer/index.ts';
import { readCredentials } from './agent.ts';
import { type Outcome, run } from './joining.ts';
import type { Site } from './site.ts';
import { until } from './until.ts';

export interface Member {
  readonly certname: string;
  readonly state: string;
  readonly cause: string;
  readonly leaving: string | null;
}

export interface PoolStatus {
  readonly numbers: { readonly need_workers: number; readonly work_workers: number };
  readonly advice: { readonly wanted: number; readonly advised: number };
  readonly members: readonly Member[];
}

export interface ServerPoolOptions {
  /** `orchestrator_port` of the primary; absent where it has none. */
  readonly orchestratorPort?: number;
  /** `console_services_port` of the primary; absent where it has none. */
  readonly usersPort?: number;
}

/** A process of the pool. */
export interface PoolProcess {
  readonly pid: number;
  readonly certname: string;
  /** For agents. */
  readonly port: number;
  /** 0 where it has no broker. */
  readonly brokerPort: number;
}

const groupsPath = '/classifier-api/v1/groups';

export class ServerPool {
  private readonly site: () => Site;
  private readonly options: ServerPoolOptions;

  constructor(site: () => Site, options: ServerPoolOptions = {}) {
    this.site = site;
    this.options = options;
  }

  /** A command of the operator. */
  bunraku(...words: readonly string[]): Promise<Outcome> {
    return run(this.site(), [...words, '--data', this.site().installation.primaryDirectory]);
  }

  async status(): Promise<PoolStatus> {
    return (await this.ask('/autoscaler/v1/status')) as PoolStatus;
  }

  async serving(): Promise<readonly string[]> {
    return namesOf((await this.status()).members.filter(isServing));
  }

  /** @returns their names, as soon as so many servers serve and there are no others */
  whenServing(count: number, timeoutMs?: number): Promise<readonly string[]> {
    const look = async () => {
      const { members } = await this.status();
      return members.length === count && members.every(isServing) ? namesOf(members) : undefined;
    };
    return until(`${count} servers serve`, look, timeoutMs);
  }

  /** As the system lists them. */
  processList(): readonly PoolProcess[] {
    const place = `--data=${this.site().installation.localServersDirectory}/`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ({ pid: Number(pid), words: commandLine(pid) }))
      .filter(({ words }) => words.some((word) => word.startsWith(place)))
      .map(({ pid, words }) => ({
        pid,
        certname: valueIn(words, '--certname='),
        port: Number(valueIn(words, '--serverport=')),
        brokerPort: Number(valueIn(words, '--pcp-broker-port=')),
      }));
  }

  /** The same by certname. */
  processes(): ReadonlyMap<string, number> {
    return new Map(this.processList().map(({ certname, pid }) => [certname, pid]));
  }

  /** The name of its directory; `undefined` when it has none. */
  instanceOf(certname: string): string | undefined {
    return this.instances().find((id) => certname.startsWith(`pool-${id}.`));
  }

  /** The directory of its instance. @throws Error when there is none */
  placeOf(certname: string): string {
    const id = this.instanceOf(certname);
    if (id === undefined) throw new Error(`there is no instance of ${certname}`);
    return join(this.site().installation.localServersDirectory, id);
  }

  /** PEM. */
  certificateOf(certname: string): string {
    return readCredentials(join(this.placeOf(certname), 'data', 'puppet', 'ssl'), certname).certificate;
  }

  /** Asks the primary, as the operator. @throws Error unless it answers with 200 */
  async ask(path: string, base = this.site().installation.primaryUrl): Promise<unknown> {
    const client = this.site().installation.operator();
    try {
      const { body, status } = await client.send({ method: 'GET', url: `${base}${path}`, timeoutMs: 60_000 });
      const text = body.toString('utf8');
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return JSON.parse(text);
    } finally {
      client.close();
    }
  }

  /** Where any server of the pool is known: `certificate`, `PuppetDB` and so on, with their certnames. */
  async known(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { installation } = this.site();
    const statuses = (await this.ask('/puppet-ca/v1/certificate_statuses/any')) as readonly Named[];
    const { servers } = (await this.ask('/infrastructure/v1/status')) as {
      readonly servers: readonly Member[];
    };
    const nodes = (await this.site().puppetDb('nodes[certname] { }')) as unknown as readonly Member[];
    const fileSync = await this.ask('/file-sync/v1/status');
    const balanced = await new HaproxySocket(installation.balancerSocket).servers('puppet');
    const places: Readonly<Record<string, readonly string[]>> = {
      certificate: statuses.map(({ name }) => name),
      register: namesOf(servers),
      PuppetDB: namesOf(nodes),
      'file sync': namesIn(fileSync),
      balancer: balanced.map(({ name }) => name),
      broker: await this.brokersWithAgents(),
      pin: namesIn(await this.groups()),
      instance: this.instances().map((id) => `pool-${id}.${domainOf(namesOf(servers))}`),
    };
    return new Map(
      Object.entries(places).map(([place, names]) => [
        place,
        [...new Set(names.filter((name) => name.startsWith('pool-')))].toSorted(),
      ]),
    );
  }

  /** Where servers are still known that should not be: `balancer: pool-1.example.test`. */
  async traces(names: readonly string[]): Promise<readonly string[]> {
    const known = [...(await this.known())];
    return known.flatMap(([place, there]) =>
      there.filter((name) => names.includes(name)).map((name) => `${place}: ${name}`),
    );
  }

  /** Pins a server to the group of compile servers, as the operator does in the console. */
  async pin(certname: string): Promise<void> {
    const groups = (await this.groups()) as readonly (Named & { readonly id: string })[];
    const { id } = groups.find(({ name }) => name === 'PE Master') ?? {};
    const client = this.site().installation.operator();
    const body = JSON.stringify({ nodes: [certname] });
    const url = `https://localhost:${this.options.usersPort}${groupsPath}/${id}/pin`;
    const { status } = await client.send({ method: 'POST', url, body }).finally(() => client.close());
    if (status !== 204) throw new Error(`${certname} could not be pinned: ${status}`);
  }

  private async groups(): Promise<unknown> {
    const { usersPort } = this.options;
    return usersPort === undefined ? [] : await this.ask(groupsPath, `https://localhost:${usersPort}`);
  }

  /** The servers at which PXP agents are connected, as the orchestrator knows it. */
  private async brokersWithAgents(): Promise<readonly string[]> {
    const { orchestratorPort } = this.options;
    if (orchestratorPort === undefined) return [];
    const { items } = (await this.ask(
      '/orchestrator/v1/inventory',
      `https://localhost:${orchestratorPort}`,
    )) as { readonly items: readonly { readonly broker?: string }[] };
    return items.flatMap(({ broker }) => broker?.replace(/^pcp:\/\/|\/server$/g, '') ?? []);
  }

  /** Directories of the driver: the ids of its orders. */
  instances(): readonly string[] {
    const directory = this.site().installation.localServersDirectory;
    if (!existsSync(directory)) return [];
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }
}

interface Named {
  readonly name: string;
}

function namesOf(list: readonly Pick<Member, 'certname'>[]): readonly string[] {
  return list.map(({ certname }) => certname);
}

/** Names of servers of a pool, wherever they stand in a value. */
function namesIn(value: unknown): readonly string[] {
  return JSON.stringify(value).match(/pool-[\da-f]+\.[\w.-]+/g) ?? [];
}

function isServing({ state }: Member): boolean {
  return state === 'serving';
}

function domainOf(names: readonly string[]): string {
  return (names.find((name) => name.startsWith('pool-')) ?? '.bunraku.test').replace(/^[^.]*\./, '');
}

function valueIn(words: readonly string[], option: string): string {
  return words.find((word) => word.startsWith(option))?.slice(option.length) ?? '';
}

function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // It has ended.
  }
}
