import { expect, test } from 'vitest';
import { PlanError } from '../plan-error.ts';
import type { FinishedAction, PlanAction, PlanHost } from './plan-host.ts';
import { PlanRun } from './plan-run.ts';

/** Each action takes as long as it says; time passes when all blocks wait. */
class Clock implements PlanHost {
  now = 0;
  readonly started: number[] = [];
  private running: { readonly id: number; readonly endsAt: number }[] = [];

  start(action: PlanAction): number {
    if (action.kind !== 'sleep') throw new Error('only sleep is known');
    const id = this.started.push(action.seconds);
    this.running.push({ id, endsAt: this.now + action.seconds });
    return id;
  }
  abandon(id: number): void {
    this.running = this.running.filter((each) => each.id !== id);
  }
  next(): FinishedAction {
    const [first] = this.running.toSorted((a, b) => a.endsAt - b.endsAt || a.id - b.id);
    if (first === undefined) throw new Error('nothing can end');
    this.abandon(first.id);
    this.now = first.endsAt;
    return { id: first.id, outcome: { kind: 'slept' } };
  }
  tell(): void {}
  findTask(): undefined {
    return undefined;
  }
  queryPuppetdb(): null {
    return null;
  }
  environmentVariable(): undefined {
    return undefined;
  }
}

function sleeper(run: PlanRun, clock: Clock, log: string[]) {
  return (name: string, seconds: number): void => {
    run.act({ kind: 'sleep', seconds });
    run.once(() => log.push(`${name} at ${clock.now}`));
  };
}

test('blocks wait beside each other, and do everything once', () => {
  const clock = new Clock();
  const run = new PlanRun(clock);
  const log: string[] = [];
  const sleep = sleeper(run, clock, log);
  const blocks = [3, 2, 1].map((seconds) => ({
    evaluate: () => {
      for (let round = 0; round < 3; round += 1) sleep(`${seconds}`, seconds);
      return seconds;
    },
  }));

  const branches = run.fork(blocks, false);
  run.join(branches, undefined);

  expect(branches.map(({ state }) => state)).toEqual([3, 2, 1].map((value) => ({ kind: 'done', value })));
  expect(clock.now).toBe(9);
  expect(clock.started).toHaveLength(9);
  expect(log).toEqual([
    '1 at 1',
    '2 at 2',
    '1 at 2',
    '3 at 3',
    '1 at 3',
    '2 at 4',
    '3 at 6',
    '2 at 6',
    '3 at 9',
  ]);
});

test('blocks within blocks wait for each other', () => {
  const clock = new Clock();
  const run = new PlanRun(clock);
  const log: string[] = [];
  const sleep = sleeper(run, clock, log);
  const inner = (name: string, seconds: number) => ({
    evaluate: () => {
      sleep(name, seconds);
      return name;
    },
  });

  const branches = run.fork(
    [1, 10].map((factor) => ({
      evaluate: () => {
        const own = run.fork([inner(`${factor}a`, factor), inner(`${factor}b`, 2 * factor)], false);
        run.join(own, undefined);
        sleep(`${factor} after`, 1);
        return own.length;
      },
    })),
    false,
  );
  run.join(branches, undefined);

  expect(log).toEqual(['1a at 1', '1b at 2', '1 after at 3', '10a at 10', '10b at 20', '10 after at 21']);
});

test('a block that takes too long fails, and what it waits for is given up', () => {
  const clock = new Clock();
  const run = new PlanRun(clock);
  const [branch] = run.fork(
    [{ name: 'slow', evaluate: () => run.act({ kind: 'sleep', seconds: 9 }).kind }],
    true,
  );

  if (branch !== undefined) run.join([branch], 2);
  run.finish();

  expect(branch?.state).toMatchObject({ kind: 'failed', error: { kind: 'bolt/future-timeout-error' } });
  expect(clock.now).toBe(2);
});

test('what a block was told stays as it was', () => {
  const clock = new Clock();
  const run = new PlanRun(clock);
  let counter = 0;
  const seen: number[] = [];

  const branches = run.fork(
    [
      {
        evaluate: () => {
          const first = run.once(() => counter);
          run.act({ kind: 'sleep', seconds: 2 });
          seen.push(
            first,
            run.once(() => counter),
          );
          return null;
        },
      },
      {
        evaluate: () => {
          run.act({ kind: 'sleep', seconds: 1 });
          run.once(() => (counter += 1));
          return null;
        },
      },
    ],
    false,
  );
  run.join(branches, undefined);

  expect(seen).toEqual([0, 1]);
});

test('a failure of a block is its own; the others go on', () => {
  const clock = new Clock();
  const run = new PlanRun(clock);
  const sleep = (seconds: number) => run.act({ kind: 'sleep', seconds }).kind;

  const branches = run.fork(
    [
      {
        evaluate: () => {
          sleep(1);
          throw PlanError.of('my/kind', 'oops');
        },
      },
      { evaluate: () => sleep(2) },
    ],
    false,
  );
  run.join(branches, undefined);

  expect(branches.map(({ state }) => state.kind)).toEqual(['failed', 'done']);
});

test('a block that does something else the second time ends the plan', () => {
  const clock = new Clock();
  const run = new PlanRun(clock);
  let count = 0;

  const branches = run.fork(
    [
      {
        evaluate: () => {
          count += 1;
          if (count === 1) run.once(() => 1);
          run.act({ kind: 'sleep', seconds: 1 });
          return null;
        },
      },
    ],
    false,
  );

  expect(() => run.join(branches, undefined)).toThrow(
    expect.objectContaining({
      error: expect.objectContaining({ message: expect.stringContaining('did not do the same') }),
    }),
  );
});
