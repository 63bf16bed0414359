/** One run of a plan: who waits for what, and which blocks run beside it. */

import { failure } from '../../catalog/index.ts';
import type { Value } from '../../pcore/index.ts';
import { FatalPlanError, PlanError, planErrorOf } from '../plan-error.ts';
import { Branch, type JournalEntry, PlanEnded, Suspended } from './branch.ts';
import type { ActionOutcome, PlanAction, PlanEvent, PlanHost } from './plan-host.ts';

/** A plan that is being run, outer ones first. */
interface RunningPlan {
  readonly id: number;
  readonly name: string;
}

/** What a block takes over from where it was started. */
interface Surroundings {
  readonly plans: readonly RunningPlan[];
  readonly runAs: string | undefined;
}

/**
 * The plan itself waits where it stands: its thread blocks. Blocks beside it are evaluated while it waits, each until
 * it has to wait itself; see `Branch`.
 */
export class PlanRun {
  private readonly host: PlanHost;
  /** The block that is being evaluated; `undefined` for the plan itself. */
  private current: Branch | undefined;
  private readonly branches: Branch[] = [];
  private readonly outcomes = new Map<number, ActionOutcome>();
  private surroundings: Surroundings = { plans: [], runAs: undefined };
  private count = 0;

  constructor(host: PlanHost) {
    this.host = host;
  }

  get runAs(): string | undefined {
    return this.surroundings.runAs;
  }

  private get plan(): number {
    return this.surroundings.plans.at(-1)?.id ?? 0;
  }

  /**
   * Does something that the world notices, or reads something that may change: once, however often a block is
   * evaluated. It must not evaluate code of the plan.
   */
  once<T>(act: () => T): T {
    const branch = this.current;
    if (branch === undefined) return act();
    const known = branch.journal[branch.cursor];
    branch.cursor += 1;
    // Blocks do the same again each time: what is at this place in the journal came from this very call.
    if (known?.kind === 'value') return known.value as T;
    if (known?.kind === 'thrown') throw known.error;
    if (known !== undefined) throw diverged();
    try {
      const value = act();
      branch.journal.push({ kind: 'value', value });
      return value;
    } catch (error) {
      branch.journal.push({ kind: 'thrown', error });
      throw error;
    }
  }

  /** As `once`, for something that uses `once` itself. It must not wait. */
  onceAsAWhole<T>(act: () => T): T {
    return this.once(() => {
      const { current } = this;
      this.current = undefined;
      try {
        return act();
      } finally {
        this.current = current;
      }
    });
  }

  tell(event: PlanEvent): void {
    this.once(() => this.host.tell(event));
  }

  /** Carries an action out and waits for its end. */
  act(action: PlanAction): ActionOutcome {
    const branch = this.current;
    if (branch === undefined) return this.actNow(action);
    let entry = branch.journal[branch.cursor];
    if (entry === undefined) {
      entry = { kind: 'action', id: this.host.start(action), outcome: undefined };
      branch.journal.push(entry);
    }
    if (entry.kind !== 'action') throw diverged();
    const { id } = entry;
    entry.outcome ??= this.take(id);
    if (entry.outcome === undefined) throw new Suspended(() => this.outcomes.has(id));
    branch.cursor += 1;
    return entry.outcome;
  }

  /** Runs a plan within the run: what it starts in the background is its own. */
  within<T>(name: string, runAs: string | undefined, evaluate: () => T): T {
    const before = this.surroundings;
    const id = this.once(() => this.nextNumber());
    this.surroundings = { plans: [...before.plans, { id, name }], runAs: runAs ?? before.runAs };
    this.tell({ kind: 'plan-started', plan: name });
    try {
      return this.between(evaluate, { kind: 'plan-ended', plan: name });
    } finally {
      this.surroundings = before;
    }
  }

  /** Evaluates something whose actions people are not told of. */
  quietly<T>(evaluate: () => T): T {
    this.tell({ kind: 'default-logging', isOn: false });
    return this.between(evaluate, { kind: 'default-logging', isOn: true });
  }

  /** Starts blocks beside the one that is running. @param plan - their own: those of `parallelize()` are of none */
  fork(
    blocks: readonly { readonly name?: string; readonly evaluate: () => Value }[],
    isOfPlan: boolean,
  ): readonly Branch[] {
    const { current, surroundings } = this;
    const known = current?.journal[current.cursor];
    if (known !== undefined && known.kind !== 'fork') throw diverged();
    if (current !== undefined) current.cursor += 1;
    if (known !== undefined) return known.branches;
    const branches = blocks.map(({ name, evaluate }) => {
      const id = this.nextNumber();
      const inSurroundings = (): Value => this.inSurroundings(surroundings, evaluate);
      return new Branch({
        id,
        name: name ?? String(id),
        plan: isOfPlan ? this.plan : -1,
        evaluate: inSurroundings,
      });
    });
    this.branches.push(...branches);
    current?.journal.push({ kind: 'fork', branches });
    return branches;
  }

  /** Waits until all of these have ended. @param timeoutSeconds - those that have not ended by then fail */
  join(branches: readonly Branch[], timeoutSeconds: number | undefined): void {
    const areEnded = (): boolean => branches.every(({ isEnded }) => isEnded);
    if (timeoutSeconds === undefined) {
      this.waitFor(areEnded);
      return;
    }
    const timer = this.once(() => this.host.start({ kind: 'sleep', seconds: timeoutSeconds }));
    this.waitFor(() => areEnded() || this.outcomes.has(timer));
    this.once(() => {
      this.host.abandon(timer);
      for (const branch of branches) if (!branch.isEnded) this.expire(branch, timeoutSeconds);
    });
  }

  /** The blocks that the plan that is running has started in the background. @throws PlanError within one of them */
  ownBackground(): readonly Branch[] {
    return this.once(() => {
      const own = this.branches.filter(({ plan }) => plan === this.plan);
      if (this.current !== undefined && own.includes(this.current)) {
        const message =
          'The wait() function cannot be called with no arguments inside a background block in the same plan.';
        throw new PlanError({ kind: 'bolt/infinite-wait', message });
      }
      return own;
    });
  }

  /** Lets all blocks come to their end: a plan does not end before what it has started. */
  finish(): void {
    this.waitFor(() => this.branches.every(({ isEnded }) => isEnded));
  }

  /** Tells of the end of something, unless it has not come yet. */
  private between<T>(evaluate: () => T, end: PlanEvent): T {
    let isLeft = false;
    try {
      return evaluate();
    } catch (error) {
      isLeft = error instanceof Suspended || error instanceof PlanEnded;
      throw error;
    } finally {
      if (!isLeft) this.tell(end);
    }
  }

  private inSurroundings(surroundings: Surroundings, evaluate: () => Value): Value {
    const before = this.surroundings;
    this.surroundings = surroundings;
    try {
      return evaluate();
    } finally {
      this.surroundings = before;
    }
  }

  private actNow(action: PlanAction): ActionOutcome {
    const id = this.host.start(action);
    this.waitFor(() => this.outcomes.has(id));
    const outcome = this.take(id);
    if (outcome === undefined) throw new Error('an action has ended without an outcome');
    return outcome;
  }

  private waitFor(isOver: () => boolean): void {
    if (this.current === undefined) {
      this.drive(isOver);
      return;
    }
    // What it was told the first time stays: a block that has gone on is never held up at the same place again.
    const entry = this.current.journal[this.current.cursor];
    if (entry === undefined && !isOver()) throw new Suspended(isOver);
    this.once(() => true);
  }

  /** For the plan itself: evaluates blocks and waits for actions until `isOver`. */
  private drive(isOver: () => boolean): void {
    while (!isOver()) {
      const ready = this.branches.filter(({ state }) => state.kind === 'waiting' && state.isReady());
      for (const branch of ready) this.step(branch);
      if (ready.length > 0) continue;
      const { id, outcome } = this.host.next();
      this.outcomes.set(id, outcome);
    }
  }

  private step(branch: Branch): void {
    // One that was evaluated before it in this round may have ended it.
    if (branch.isEnded) return;
    branch.cursor = 0;
    this.current = branch;
    try {
      branch.state = { kind: 'done', value: branch.evaluate() };
    } catch (error) {
      if (error instanceof Suspended) {
        branch.state = { kind: 'waiting', isReady: error.isReady };
        return;
      }
      // Mistakes in the code end the whole plan, as in the reference.
      if (error instanceof FatalPlanError || planErrorOf(error) === undefined) throw new PlanEnded(error);
      branch.state = { kind: 'failed', error };
    } finally {
      this.current = undefined;
    }
  }

  private expire(branch: Branch, seconds: number): void {
    const message = `Future '${branch.name}' timed out after ${seconds} seconds.`;
    const details = { future: branch.name };
    branch.state = { kind: 'failed', error: PlanError.of('bolt/future-timeout-error', message, details) };
    const last: JournalEntry | undefined = branch.journal.at(-1);
    if (last?.kind === 'action' && last.outcome === undefined) this.host.abandon(last.id);
  }

  private take(id: number): ActionOutcome | undefined {
    const outcome = this.outcomes.get(id);
    this.outcomes.delete(id);
    return outcome;
  }

  private nextNumber(): number {
    this.count += 1;
    return this.count;
  }
}

/** A block did something else than before, although nothing that it sees has changed. */
function diverged(): Error {
  return failure(
    'A block that runs beside others did not do the same again: its code depends on something that changes',
  );
}
