/**
 * A role is a list of parts. Parts open in the order of the list, then start in this order; they retire and stop in the
 * reverse order. What a part needs is a parameter of the function that opens it: the compiler refuses a list in which that is
 * not open yet.
 */

import type { ServedPart } from '../served-part.ts';

/** A part that is open. All that it says here is optional: most parts need one or two of these. */
export interface Part<Value> extends Partial<ServedPart> {
  /** What later parts use. */
  readonly value: Value;
  /** Begins its work, when all parts are open. */
  start?(): Promise<void> | void;
  /** Reads again what may have changed, as SIGHUP asks. */
  reload?(): Promise<void> | void;
  /** Takes nothing new, and lets go of clients that wait: then ports can drain. */
  retire?(): Promise<void> | void;
  /** Finishes what it has begun, and closes. What opened before it is there until it has. */
  stop?(): Promise<void> | void;
}

/** @param served - the parts that are open already, as they show on a port */
export type Opener<Opened, Value> = (
  opened: Opened,
  served: readonly ServedPart[],
) => Part<Value> | Promise<Part<Value>>;

/** Parts that do not need each other, by the names that later ones have for them. */
export type Openers<Opened, Added> = { readonly [Name in keyof Added]: Opener<Opened, Added[Name]> };

export interface RunningRole<Opened> {
  readonly opened: Opened;
  reload(): Promise<void>;
  stop(): Promise<void>;
}

type AnyOpeners = Readonly<Record<string, Opener<never, unknown>>>;
type AnyPart = Part<unknown>;

export class Role<Given, Opened> {
  private readonly groups: readonly AnyOpeners[];

  private constructor(groups: readonly AnyOpeners[]) {
    this.groups = groups;
  }

  /** A role without parts. */
  static given<Given>(): Role<Given, Given> {
    return new Role<Given, Given>([]);
  }

  /** Adds a part, or several that open, start, retire and stop at the same time. */
  with<Added>(openers: Openers<Opened, Added>): Role<Given, Opened & Added> {
    return new Role<Given, Opened & Added>([...this.groups, openers as AnyOpeners]);
  }

  /** Opens and starts all parts. When one of them fails, those that are open stop, in reverse. */
  async start(given: Given): Promise<RunningRole<Opened>> {
    const groups: (readonly AnyPart[])[] = [];
    const stop = () => stopInReverse(groups);
    try {
      const opened = await openInOrder(this.groups, given, groups);
      for (const group of groups) await all(group, (part) => part.start?.());
      return {
        // Each group has added what its openers promise.
        opened: opened as Opened,
        async reload() {
          for (const group of groups) await all(group, (part) => part.reload?.());
        },
        stop,
      };
    } catch (error) {
      await stop();
      throw error;
    }
  }
}

/** @param groups - gets the parts as they open, so that they can be stopped when a later one fails */
async function openInOrder(
  list: readonly AnyOpeners[],
  given: unknown,
  groups: (readonly AnyPart[])[],
): Promise<unknown> {
  let opened: object = { ...(given as object) };
  for (const openers of list) {
    const before = opened as never;
    const served = groups.flat().map(asServed);
    const entries = Object.entries(openers);
    const outcomes = await Promise.allSettled(entries.map(async ([, open]) => await open(before, served)));
    groups.push(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    const values = entries.map(([name], index) => [name, valueOf(outcomes[index])] as const);
    opened = { ...opened, ...Object.fromEntries(values) };
  }
  return opened;
}

function valueOf(outcome: PromiseSettledResult<AnyPart> | undefined): unknown {
  return outcome?.status === 'fulfilled' ? outcome.value.value : undefined;
}

function asServed(part: AnyPart): ServedPart {
  return {
    routes: part.routes ?? [],
    alerts: () => part.alerts?.() ?? [],
    register: (status) => part.register?.(status),
  };
}

/** One part that fails to stop keeps no other from it. */
async function stopInReverse(groups: readonly (readonly AnyPart[])[]): Promise<void> {
  const reversed = groups.toReversed();
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  for (const group of reversed) await all(group, (part) => part.retire?.()).catch(note);
  for (const group of reversed) await all(group, (part) => part.stop?.()).catch(note);
  if (failures.length > 0) throw failures[0];
}

/** Waits for all of them, also when one fails. */
async function all(group: readonly AnyPart[], act: (part: AnyPart) => unknown): Promise<void> {
  const outcomes = await Promise.allSettled(group.map(async (part) => await act(part)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
