/** All that is measured of a PuppetDB, under the names that dashboards ask the reference for. */

import type { Population } from '../admin/population.ts';
import { Beans } from './beans.ts';
import { CommandMetrics } from './command-metrics.ts';
import { Timer } from './histogram.ts';
import { HttpMetrics } from './http-metrics.ts';
import { defineProcessBeans } from './process-beans.ts';

export interface ServerMetricsOptions {
  readonly nowMs: () => number;
  /** Commands that have arrived and are not carried out yet. */
  readonly queueDepth: () => number;
  readonly queriesInFlight: () => number;
  /** How many queries can be answered at a time. */
  readonly readers: number;
  readonly readPopulation: () => Promise<Population>;
}

/** Counting everything takes a moment on a large fleet. */
const populationAgeMs = 60_000;

export class ServerMetrics {
  readonly beans = new Beans();
  readonly commands: CommandMetrics;
  readonly http: HttpMetrics;
  readonly garbage: Timer;
  private readonly options: ServerMetricsOptions;
  private population: Promise<Population> | undefined;
  private countedMs = 0;

  constructor(options: ServerMetricsOptions) {
    const { nowMs, queueDepth } = options;
    this.options = options;
    this.commands = new CommandMetrics(this.beans, queueDepth, nowMs);
    this.http = new HttpMetrics(this.beans, nowMs);
    this.garbage = new Timer(nowMs);
    this.beans.define('puppetlabs.puppetdb.storage:name=gc-time', () => this.garbage.attributes());
    this.definePopulation();
    this.definePools();
    defineProcessBeans(this.beans, nowMs);
  }

  private definePopulation(): void {
    const values: Readonly<Record<string, (population: Population) => unknown>> = {
      'num-nodes': ({ nodes }) => nodes,
      'num-active-nodes': ({ nodes }) => nodes,
      'num-inactive-nodes': ({ inactiveNodes }) => inactiveNodes,
      'num-resources': ({ resources }) => resources,
      'avg-resources-per-node': ({ nodes, resources }) => Math.round(resources / Math.max(nodes, 1)),
      'pct-resource-dupes': ({ resources, distinctResources }) =>
        Math.max(resources - distinctResources, 0) / Math.max(resources, 1),
    };
    for (const [name, value] of Object.entries(values)) {
      this.beans.define(`puppetlabs.puppetdb.population:name=${name}`, async () => ({
        Value: value(await this.count()),
      }));
    }
    const dead = 'puppetlabs.puppetdb.dlo:name=puppetlabs.puppetdb.dlo.global';
    this.beans.define(`${dead}.messages`, async () => ({ Count: (await this.count()).deadLetters }));
    this.beans.define(`${dead}.filesize`, async () => ({ Count: (await this.count()).deadLetterBytes }));
  }

  private definePools(): void {
    const { queriesInFlight, queueDepth, readers } = this.options;
    const pool = (name: string, under: () => number, most: number): void => {
      const define = (part: string, value: () => number): void =>
        this.beans.define(`puppetlabs.puppetdb.database:name=${name}.pool.${part}`, () => ({
          Value: value(),
        }));
      define('ActiveConnections', () => Math.min(under(), most));
      define('PendingConnections', () => Math.max(under() - most, 0));
      define('MaxConnections', () => most);
    };
    pool('PDBReadPool', queriesInFlight, readers);
    pool('PDBWritePool', queueDepth, readers);
  }

  /** What was counted a minute ago is good enough; what failed is tried again. */
  private async count(): Promise<Population> {
    const { nowMs, readPopulation } = this.options;
    if (this.population === undefined || nowMs() - this.countedMs >= populationAgeMs) {
      const counting = readPopulation();
      [this.population, this.countedMs] = [counting, nowMs()];
      counting.catch(() => {
        if (this.population === counting) this.population = undefined;
      });
    }
    return await this.population;
  }
}
