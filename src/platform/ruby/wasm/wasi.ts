/** The system as a guest sees it. @see WASI preview 1 */

import { randomFillSync } from 'node:crypto';
import { GuestMemory } from './guest-memory.ts';
import { NOT_SUPPORTED, SUCCESS, wasiError } from './wasi-errors.ts';
import { type FilesOptions, WasiFiles } from './wasi-files.ts';
import type { WasmFunction, WasmMemory } from './web-assembly.ts';

export interface WasiOptions extends FilesOptions {
  /** `NAME=VALUE` */
  readonly environment: readonly string[];
}

/** The guest has asked for its end. */
export class GuestExit extends Error {
  constructor(code: number) {
    super(`exit ${code}`);
    this.name = 'GuestExit';
  }
}

const REALTIME = 0;
const CLOCK_EVENT = 0;
const IS_ABSOLUTE = 1;
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;

type Calls = Readonly<Record<string, WasmFunction>>;

export class Wasi {
  readonly files: WasiFiles;
  private readonly options: WasiOptions;
  private known: GuestMemory | undefined;

  constructor(options: WasiOptions) {
    this.options = options;
    this.files = new WasiFiles(options, () => this.memory);
  }

  /** Before the guest runs. */
  attach(memory: WasmMemory): void {
    this.known = new GuestMemory(memory);
  }

  get memory(): GuestMemory {
    if (this.known === undefined) throw new Error('the guest runs without memory');
    return this.known;
  }

  /** What the module may call; errors of the system are its results. */
  get imports(): Calls {
    const calls: Calls = { ...this.files.calls, ...this.environmentCalls(), ...this.otherCalls() };
    return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, withErrors(call)]));
  }

  private environmentCalls(): Calls {
    const { environment } = this.options;
    const size = environment.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
    return {
      environ_sizes_get: (count, bytes) => {
        this.memory.setNumber(Number(count), environment.length);
        this.memory.setNumber(Number(bytes), size);
        return SUCCESS;
      },
      environ_get: (addresses, start) => {
        this.memory.setTexts(Number(addresses), Number(start), environment);
        return SUCCESS;
      },
    };
  }

  private otherCalls(): Calls {
    return {
      clock_res_get: (_clock, result) => {
        this.memory.setLong(Number(result), 1000n);
        return SUCCESS;
      },
      clock_time_get: (clock, _precision, result) => {
        this.memory.setLong(Number(result), now(Number(clock)));
        return SUCCESS;
      },
      random_get: (start, count) => {
        randomFillSync(this.memory.slice(Number(start), Number(count)));
        return SUCCESS;
      },
      poll_oneoff: (subscriptions, events, count, result) =>
        this.poll(Number(subscriptions), Number(events), Number(count), Number(result)),
      proc_exit: (code) => {
        throw new GuestExit(Number(code));
      },
    };
  }

  /** Files are always ready; for the time we sleep. */
  private poll(subscriptions: number, events: number, count: number, result: number): number {
    const { view } = this.memory;
    const places = Array.from({ length: count }, (_, index) => subscriptions + index * SUBSCRIPTION_BYTES);
    const isClock = (place: number) => view.getUint8(place + 8) === CLOCK_EVENT;
    const ready = places.filter((place) => !isClock(place));
    if (ready.length === 0) {
      const waits = places.map((place) => remaining(view, place));
      const shortest = waits.reduce((left, right) => (left < right ? left : right));
      sleep(shortest);
      ready.push(...places.filter((_, index) => waits[index] === shortest));
    }
    for (const [index, place] of ready.entries()) {
      const event = events + index * EVENT_BYTES;
      this.memory.slice(event, EVENT_BYTES).fill(0);
      view.setBigUint64(event, view.getBigUint64(place, true), true);
      view.setUint8(event + 10, view.getUint8(place + 8));
    }
    this.memory.setNumber(result, ready.length);
    return SUCCESS;
  }
}

/** Nanoseconds. */
function now(clock: number): bigint {
  if (clock !== REALTIME) return process.hrtime.bigint();
  return BigInt(Date.now()) * 1_000_000n;
}

/** How long a subscription to a clock has still to wait, in nanoseconds. */
function remaining(view: DataView, place: number): bigint {
  const time = view.getBigUint64(place + 24, true);
  if ((view.getUint16(place + 40, true) & IS_ABSOLUTE) === 0) return time;
  const left = time - now(view.getUint32(place + 16, true));
  return left < 0n ? 0n : left;
}

function sleep(nanoseconds: bigint): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(nanoseconds) / 1e6);
}

function withErrors(call: WasmFunction): WasmFunction {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      if (error instanceof GuestExit) throw error;
      return wasiError(error);
    }
  };
}

/** For calls without a name. */
export function unsupported(): number {
  return NOT_SUPPORTED;
}
