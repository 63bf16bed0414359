import type { Logger } from '../../../platform/log/index.ts';
import type { PuppetDbTerminus } from '../termini.ts';

export interface PoolOptions {
  /** At most; one is started at once, others when they are needed. */
  readonly workers: number;
  /** The file of the worker thread: differs between sources and bundle. */
  readonly workerUrl: URL;
  /** A compile that takes longer is ended together with its worker. */
  readonly timeoutMs: number;
  /** Requests that may wait for a worker; more are refused, so that agents try again later. */
  readonly maxQueued: number;
  /** The heap of one worker, in MiB. */
  readonly maxHeapMiB: number;
  /** Which Ruby runs code of modules: the setting `ruby`; `auto` when absent. */
  readonly ruby?: string;
  /** How long code in Ruby may run at a stretch; 30 seconds when absent. */
  readonly rubyTimeoutSeconds?: number;
  /** What one Ruby may have; 1 GiB when absent. */
  readonly rubyMemoryBytes?: number;
  /** Absent where code is compiled without a PuppetDB. */
  readonly puppetDb?: PuppetDbTerminus;
  /** Told of each compile for a node that has ended, and how long a worker was busy with it. */
  readonly onCompiled?: (certname: string, durationMs: number) => void;
  readonly log: Logger;
}
