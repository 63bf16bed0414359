/** What is counted of commands, for all and for each kind and version. */

import { isSupportedVersion, readCommandName } from '../commands/command-name.ts';
import type { CommandOutcome } from '../commands/command-outcome.ts';
import type { Beans } from './beans.ts';
import { Histogram, Timer } from './histogram.ts';
import { Meter } from './meter.ts';

export interface ObservedCommand {
  readonly command: string;
  readonly version: number;
  readonly bytes: number;
  /** From its arrival until it was durable. */
  readonly durationMs: number;
  readonly outcome: CommandOutcome;
}

const storageTimers: Readonly<Record<string, string>> = {
  'replace catalog': 'replace-catalog-time',
  'replace facts': 'replace-facts-time',
  'store report': 'store-report-time',
};

export class CommandMetrics {
  private readonly beans: Beans;
  private readonly nowMs: () => number;
  private readonly global: Counted;
  private readonly kinds = new Map<string, Counted>();
  private readonly storage = new Map<string, Timer>();
  private readonly catalogs = { stored: 0, unchanged: 0 };

  /** @param depth - commands that have arrived and are not carried out yet */
  constructor(beans: Beans, depth: () => number, nowMs: () => number) {
    this.beans = beans;
    this.nowMs = nowMs;
    this.global = new Counted(beans, 'global', nowMs);
    beans.define('puppetlabs.puppetdb.mq:name=global.depth', () => ({ Count: depth() }));
    for (const name of Object.values(storageTimers)) {
      const timer = new Timer(nowMs);
      this.storage.set(name, timer);
      beans.define(`puppetlabs.puppetdb.storage:name=${name}`, () => timer.attributes());
    }
    const catalogs = this.catalogs;
    const total = (): number => catalogs.stored + catalogs.unchanged;
    beans.define('puppetlabs.puppetdb.storage:name=duplicate-catalogs', () => ({
      Count: catalogs.unchanged,
    }));
    beans.define('puppetlabs.puppetdb.storage:name=new-catalogs', () => ({ Count: catalogs.stored }));
    beans.define('puppetlabs.puppetdb.storage:name=duplicate-pct', () => ({
      Value: catalogs.unchanged / Math.max(total(), 1),
    }));
  }

  observe(observed: ObservedCommand): void {
    const { command, version, durationMs, outcome } = observed;
    this.global.add(observed);
    const name = readCommandName(command);
    if (name === undefined || !isSupportedVersion(name, version)) return;
    const key = `${name}.${version}`;
    const kind = this.kinds.get(key) ?? new Counted(this.beans, key, this.nowMs);
    this.kinds.set(key, kind);
    kind.add(observed);
    if (outcome.kind === 'dead' || outcome.kind === 'wanted') return;
    this.storage.get(storageTimers[name] ?? '')?.add(durationMs);
    if (name === 'replace catalog' && outcome.kind !== 'obsolete') this.catalogs[outcome.kind]++;
  }
}

class Counted {
  private readonly seen: Meter;
  private readonly processed: Meter;
  private readonly fatal: Meter;
  private readonly retried: Meter;
  private readonly size = new Histogram();
  private readonly retryCounts = new Histogram();
  private readonly time: Timer;
  private ignored = 0;

  constructor(beans: Beans, prefix: string, nowMs: () => number) {
    this.seen = new Meter(nowMs);
    this.processed = new Meter(nowMs);
    this.fatal = new Meter(nowMs);
    this.retried = new Meter(nowMs);
    this.time = new Timer(nowMs);
    const sources = {
      seen: this.seen,
      processed: this.processed,
      retried: this.retried,
      // What cannot be carried out is kept aside at once: what is fatal is discarded.
      fatal: this.fatal,
      discarded: this.fatal,
      size: this.size,
      'retry-counts': this.retryCounts,
      // A command is carried out before it is acknowledged: keeping it and carrying it out are one.
      'processing-time': this.time,
      'message-persistence-time': this.time,
    };
    for (const [name, source] of Object.entries(sources)) {
      beans.define(`puppetlabs.puppetdb.mq:name=${prefix}.${name}`, () => source.attributes());
    }
    beans.define(`puppetlabs.puppetdb.mq:name=${prefix}.ignored`, () => ({ Count: this.ignored }));
  }

  add({ bytes, durationMs, outcome }: ObservedCommand): void {
    this.seen.mark();
    this.size.add(bytes);
    this.retryCounts.add(outcome.retries);
    for (let retry = 0; retry < outcome.retries; retry++) this.retried.mark();
    if (outcome.kind === 'dead') {
      this.fatal.mark();
      return;
    }
    if (outcome.kind === 'obsolete') this.ignored++;
    this.processed.mark();
    this.time.add(durationMs);
  }
}
