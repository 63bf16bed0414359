/**
 * Carries out what the controller says: looks, stores, acts.
 *
 * What was decided is stored before anything is done, and what is done may be done again. A process that is killed in between leaves
 * nothing that the next one does not see.
 */

import { SerialQueue } from '../../../lib/serial-queue.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { asDriverError, type Driver, type Instance, type LaunchOrder } from '../drivers/driver.ts';
import type { Decision } from '../rule/rule.ts';
import {
  type PoolOptions as ControlOptions,
  control,
  leadOf,
  type PoolSeen,
  type PoolState,
  restoredState,
} from './control.ts';
import type { Effect } from './lifecycle.ts';
import type { Facts, Member, ServerFact } from './member.ts';
import { differs, type PoolStore } from './pool-store.ts';

/** The register of servers. */
export interface PoolServersTerminus {
  servers(): readonly ServerFact[];
  /** Tells a server to drain and to leave; stored, and done again without harm. */
  orderToLeave(certname: string, cause: string): Promise<void>;
  /** Revokes the certificate and removes every trace; done again without harm. */
  forget(certname: string, cause: string): Promise<void>;
}

export interface PoolOptions {
  readonly driver: Driver;
  readonly servers: PoolServersTerminus;
  readonly store: PoolStore;
  readonly control: Pick<
    ControlOptions,
    'lostTimeoutMs' | 'leastLeadMs' | 'random' | 'newKey' | 'certnameOf'
  >;
  readonly now: () => Date;
  /** On a clock that is never moved. */
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** For the history. */
export interface Transition {
  readonly certname: string;
  readonly from: string;
  readonly to: string;
  readonly cause: string;
}

export interface PoolLook {
  readonly transitions: readonly Transition[];
  readonly decision: Decision | undefined;
}

/** So many launches that fail one after the other are worth an alert. */
const manyFailures = 3;

export class Pool {
  private readonly options: PoolOptions;
  private readonly control: ControlOptions;
  private readonly queue = new SerialQueue();
  private state: PoolState;
  private readonly granted = new Set<string>();
  private readonly forgotten = new Set<string>();
  private failures = new Map<string, NonNullable<Facts['failure']>>();
  private readonly doing = new Map<string, Promise<void>>();
  private instances: readonly Instance[] | undefined;
  private listedMs: number | undefined;
  private inventoryProblem: string | undefined;
  private lastFailure: string | undefined;

  private constructor(options: PoolOptions, members: readonly Member[]) {
    this.options = options;
    const { assumedLeadMs, countedBy } = options.driver;
    this.control = { ...options.control, assumedLeadMs, countedBy };
    this.state = restoredState(members, options.nowMs());
  }

  static async load(options: PoolOptions): Promise<Pool> {
    return new Pool(options, await options.store.members());
  }

  /** By certname. */
  get members(): readonly Member[] {
    return [...this.state.members.values()].sort((a, b) => (a.certname < b.certname ? -1 : 1));
  }

  /** From an order to a server that serves. */
  get leadMs(): number {
    return leadOf(this.state, this.control.assumedLeadMs);
  }

  /** Warnings for people. */
  problems(): readonly string[] {
    const { failures } = this.state.rule;
    const failing = `${failures} launches failed one after the other: ${this.lastFailure ?? 'they did not serve in time'}`;
    return [
      ...(this.inventoryProblem === undefined
        ? []
        : [`The driver cannot list instances: ${this.inventoryProblem}`]),
      ...(failures >= manyFailures ? [failing] : []),
    ];
  }

  /** The authority has accepted a server's proof. */
  noteGranted(certname: string): void {
    this.granted.add(certname);
  }

  /**
   * One look. Rejects when the decision could not be stored: then nothing is done.
   *
   * @param rule - the situation, where the number of servers is to be decided as well
   * @returns what became of servers, and the decision
   */
  step(rule: PoolSeen['rule']): Promise<PoolLook> {
    return this.queue.run(() => this.look(rule));
  }

  private async look(rule: PoolSeen['rule']): Promise<PoolLook> {
    const { store } = this.options;
    const isFresh = await this.lookAtInstances();
    const seen = this.seen(rule);
    // Failures until the next look count there.
    this.failures = new Map();
    const { decision, effects, gone, state } = control(this.state, seen, this.control);
    const changed = Array.from(state.members.values()).filter((member) =>
      differs(this.state.members.get(member.key), member),
    );
    await store.save(
      changed,
      gone.map(({ key }) => key),
    );
    const transitions = this.note(changed, gone);
    this.state = state;
    this.keepNotes();
    // By an old list an instance that has ended would be ended again.
    this.carryOut(isFresh ? effects : effects.filter(({ kind }) => kind !== 'end'));
    return { transitions, decision };
  }

  /** What would be decided now. Nothing is done. */
  preview(rule: NonNullable<PoolSeen['rule']>): Decision {
    const { decision } = control(this.state, this.seen(rule), this.control);
    if (decision === undefined) throw new Error('unreachable: there is a situation to decide in');
    return decision;
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    await Promise.all(this.doing.values());
    await this.options.driver.close?.();
  }

  private seen(rule: PoolSeen['rule']): PoolSeen {
    const { now, nowMs, servers } = this.options;
    const isIncomplete = rule?.isIncomplete === true || this.inventoryProblem !== undefined;
    return {
      nowMs: nowMs(),
      at: now().toISOString(),
      servers: servers.servers(),
      instances: this.instances,
      granted: this.granted,
      failures: this.failures,
      forgotten: this.forgotten,
      rule: rule === undefined ? undefined : { ...rule, isIncomplete },
    };
  }

  /** @returns whether the list is a new one */
  private async lookAtInstances(): Promise<boolean> {
    const { driver, nowMs } = this.options;
    const atMs = nowMs();
    const isRecent = this.listedMs !== undefined && atMs - this.listedMs < (driver.inventoryIntervalMs ?? 0);
    if (isRecent) return false;
    this.listedMs = atMs;
    this.instances = await this.inventory();
    return true;
  }

  private async inventory(): Promise<readonly Instance[] | undefined> {
    const { driver, log } = this.options;
    try {
      const instances = await driver.inventory();
      this.inventoryProblem = undefined;
      return instances;
    } catch (error) {
      const { message } = asDriverError(error);
      if (message !== this.inventoryProblem)
        log.warn({ driver: driver.name, reason: message }, 'no inventory');
      this.inventoryProblem = message;
      return undefined;
    }
  }

  private note(changed: readonly Member[], gone: readonly Member[]): readonly Transition[] {
    const transitions = [
      ...changed.map((member) => ({ before: this.state.members.get(member.key), to: member.state, member })),
      ...gone.map((member) => ({ before: member, to: 'gone', member })),
    ].flatMap(({ before, member, to }): Transition[] => {
      const from = before?.state ?? 'absent';
      const cause = to === 'gone' ? (member.ending ?? member.cause) : member.cause;
      return from === to ? [] : [{ certname: member.certname, from, to, cause }];
    });
    for (const transition of transitions)
      this.options.log.info({ ...transition }, 'life of a compile server');
    return transitions;
  }

  /** What was noted of servers that are no more is void. */
  private keepNotes(): void {
    const names = new Set(this.members.map(({ certname }) => certname));
    for (const name of this.granted) if (!names.has(name)) this.granted.delete(name);
    for (const key of this.forgotten) if (!this.state.members.has(key)) this.forgotten.delete(key);
  }

  private carryOut(effects: readonly Effect[]): void {
    const due = effects.filter(({ key, kind }) => !this.doing.has(`${kind} ${key}`));
    const launches = due.flatMap((effect) => (effect.kind === 'launch' ? [effect.order] : []));
    // In one call: platforms limit how often they are asked.
    const launching = launches.length === 0 ? Promise.resolve() : this.launch(launches);
    for (const effect of due) {
      const id = `${effect.kind} ${effect.key}`;
      const work = (effect.kind === 'launch' ? launching : this.act(effect))
        .catch((err: unknown) => {
          const fields = { err, order: effect.kind, server: effect.key };
          this.options.log.warn(fields, 'an order could not be carried out, trying again later');
        })
        .finally(() => this.doing.delete(id));
      this.doing.set(id, work);
    }
  }

  private async act(effect: Exclude<Effect, { readonly kind: 'launch' }>): Promise<void> {
    const { driver, servers } = this.options;
    switch (effect.kind) {
      case 'leave':
        return await servers.orderToLeave(effect.certname, effect.cause);
      case 'forget':
        await servers.forget(effect.certname, effect.cause);
        this.forgotten.add(effect.key);
        return;
      case 'end':
        return await driver.end(effect.instance);
    }
  }

  private async launch(orders: readonly LaunchOrder[]): Promise<void> {
    const { driver, log } = this.options;
    const outcomes = await driver
      .launch(orders)
      .catch((error: unknown) => orders.map(() => asDriverError(error)));
    for (const [index, { certname, id }] of orders.entries()) {
      const failure = outcomes[index];
      if (failure === undefined) continue;
      const { message, retry } = failure;
      this.lastFailure = message;
      this.failures.set(id, { message, isFinal: retry === 'never' });
      log.warn({ certname, reason: message, retry }, 'a launch failed');
    }
  }
}
