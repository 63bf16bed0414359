import { describe, expect, test } from 'vitest';
import { type Part, Role } from './role.ts';

/** A part that writes down what happens to it. */
function noting(name: string, seen: string[], failsAt?: string): Part<string> {
  const step = (what: string) => async () => {
    await Promise.resolve();
    if (what === failsAt) throw new Error(`${name} cannot ${what}`);
    seen.push(`${what} ${name}`);
  };
  return {
    value: `value of ${name}`,
    start: step('start'),
    reload: step('reload'),
    retire: step('retire'),
    stop: step('stop'),
  };
}

describe('a role', () => {
  test('opens and starts its parts in order, and ends them in reverse', async () => {
    const seen: string[] = [];
    const role = Role.given<{ readonly log: string }>()
      .with({ database: () => noting('database', seen) })
      .with({ users: ({ database }) => (seen.push(`open users on ${database}`), noting('users', seen)) });

    const running = await role.start({ log: 'log' });
    await running.reload();
    await running.stop();

    expect(running.opened).toEqual({ log: 'log', database: 'value of database', users: 'value of users' });
    expect(seen).toEqual([
      'open users on value of database',
      'start database',
      'start users',
      'reload database',
      'reload users',
      'retire users',
      'retire database',
      'stop users',
      'stop database',
    ]);
  });

  test('opens parts of a group at the same time', async () => {
    const first = Promise.withResolvers<void>();
    const role = Role.given<object>().with({
      waiting: async () => {
        await first.promise;
        return { value: 1 };
      },
      awaited: () => {
        first.resolve();
        return { value: 2 };
      },
    });

    const { opened } = await role.start({});

    expect(opened).toEqual({ waiting: 1, awaited: 2 });
  });

  test('stops what is open when a part cannot open, its neighbour included', async () => {
    const seen: string[] = [];
    const role = Role.given<object>()
      .with({ database: () => noting('database', seen) })
      .with({
        port: () => noting('port', seen),
        taken: (): Part<void> => {
          throw new Error('port is taken');
        },
      })
      .with({ never: () => noting('never', seen) });

    await expect(role.start({})).rejects.toThrow('port is taken');

    expect(seen).toEqual(['retire port', 'retire database', 'stop port', 'stop database']);
  });

  test('stops all parts when one cannot start', async () => {
    const seen: string[] = [];
    const role = Role.given<object>()
      .with({ database: () => noting('database', seen) })
      .with({ port: () => noting('port', seen, 'start') });

    await expect(role.start({})).rejects.toThrow('port cannot start');

    expect(seen).toEqual(['start database', 'retire port', 'retire database', 'stop port', 'stop database']);
  });

  test('stops the others when one cannot stop, and says so', async () => {
    const seen: string[] = [];
    const role = Role.given<object>()
      .with({ database: () => noting('database', seen) })
      .with({ port: () => noting('port', seen, 'stop') });
    const running = await role.start({});

    await expect(running.stop()).rejects.toThrow('port cannot stop');

    expect(seen.at(-1)).toBe('stop database');
  });

  test('shows a port the parts that opened before it', async () => {
    const role = Role.given<object>()
      .with({ part: () => ({ value: undefined, alerts: () => [{ severity: 'warning', message: 'full' }] }) })
      .with({ port: (_opened, served) => ({ value: served.flatMap((part) => part.alerts?.() ?? []) }) })
      .with({ later: () => ({ value: undefined, alerts: () => [{ severity: 'info', message: 'late' }] }) });

    const { opened } = await role.start({});

    expect(opened.port).toEqual([{ severity: 'warning', message: 'full' }]);
  });
});
