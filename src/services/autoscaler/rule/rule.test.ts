import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Demand } from '../number/demand.ts';
import {
  type Decision,
  decide,
  firstState,
  type Observation,
  type RuleState,
  type SeenServer,
} from './rule.ts';
import { wantedServers } from './wanted.ts';

const minute = 60_000;
const limits = { min: 2, max: 20, spare: 1 };
let state: RuleState;
let nowMs: number;
let servers: SeenServer[];

beforeEach(() => {
  [state, nowMs, servers] = [firstState, 0, []];
});

function demand(need: number, changes: Partial<Demand> = {}): Demand {
  const unused = {
    backlog: 0,
    planned: 0,
    isPlanTrusted: false,
    capacity: 0,
    capacityUsed: 0,
    demandWorkers: 0,
  };
  return { ...unused, need, work: 0, ...changes };
}

function serving(count: number): SeenServer[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    phase: 'serving',
    slot: -1 - index,
  }));
}

function look(changes: Partial<Observation> = {}): Decision {
  const decision = decide(
    state,
    {
      nowMs,
      servers,
      demand: demand(2),
      workersPerServer: 2,
      limits,
      failed: [],
      leadMs: 2 * minute,
      sinceDeployMs: undefined,
      uptimeMs: 60 * minute,
      lost: 0,
      silentShare: 0,
      isPaused: false,
      isIncomplete: false,
      ...changes,
    },
    () => 0,
  );
  ({ state } = decision);
  return decision;
}

const launches = ({ orders }: Decision) => orders.filter(({ kind }) => kind === 'launch').length;
const drains = ({ orders }: Decision) =>
  orders.flatMap((order) => (order.kind === 'drain' ? [order.server] : []));

test('the number of servers is that of the need, one more than load needs at the least, and within the limits', () => {
  expect(wantedServers({ need: 13.9, work: 8.3 }, 3, 2, limits)).toBe(7);
  expect(wantedServers({ need: 13.9, work: 12 }, 3, 2, limits)).toBe(8);
  expect(wantedServers({ need: 0, work: 0 }, 3, 2, limits)).toBe(2);
  expect(wantedServers({ need: 500, work: 0 }, 3, 2, limits)).toBe(20);
});

test('a capacity within a tenth of the need is right', () => {
  expect(wantedServers({ need: 21.9, work: 8 }, 10, 2, limits)).toBe(10);
  expect(wantedServers({ need: 22.3, work: 8 }, 10, 2, limits)).toBe(12);
});

test('servers are added at once: at most double or four more in a minute; those on their way count', () => {
  servers = serving(3);
  expect(launches(look({ demand: demand(40) }))).toBe(4);
  expect(launches(look({ demand: demand(40) }))).toBe(0);

  nowMs = minute;
  expect(launches(look({ demand: demand(40) }))).toBe(7);
  nowMs = 2 * minute;
  expect(launches(look({ demand: demand(40) }))).toBe(6);
  nowMs = 3 * minute;
  expect(launches(look({ demand: demand(40) }))).toBe(0);
});

test('servers go when they were not wanted for half an hour, one a minute, the newest first', () => {
  servers = serving(20).map((server, index) => ({ ...server, slot: index }));
  look({ demand: demand(40) });
  const went: [number, string][] = [];
  for (nowMs = minute; nowMs < 60 * minute; nowMs += 10_000)
    for (const id of drains(look({ demand: demand(20) }))) {
      went.push([nowMs / minute, id]);
      servers = servers.filter((server) => server.id !== id);
    }

  expect(went[0]).toEqual([30, 's19']);
  expect(went).toHaveLength(10);
  expect(went.every(([at], index) => index === 0 || at - (went[index - 1]?.[0] ?? 0) >= 1)).toBe(true);
});

test('a peak that is known in advance shortens that to ten minutes', () => {
  servers = serving(5);
  for (nowMs = 0; nowMs < 10 * minute; nowMs += minute)
    expect(drains(look({ demand: demand(4, { isPlanTrusted: true }) }))).toEqual([]);
  nowMs = 10 * minute;
  expect(drains(look({ demand: demand(4, { isPlanTrusted: true }) }))).toHaveLength(1);
});

/** An hour of looks at nine servers where two are needed. */
function anHour(situation: Partial<Observation>): readonly Decision[] {
  servers = serving(9);
  return Array.from({ length: 60 }, (_, at) => {
    nowMs = at * minute;
    return look(situation);
  });
}

test.each([
  ['paused', { isPaused: true }],
  ['deploy', { sinceDeployMs: 4 * minute }],
  ['lost-server', { lost: 1 }],
  ['silent-servers', { silentShare: 0.25 }],
  ['primary-started', { uptimeMs: minute }],
  ['missing', { isIncomplete: true }],
] as const)('no server is removed, because of the hold %s', (kind, situation) => {
  const looks = anHour(situation);

  expect(looks.flatMap(drains)).toEqual([]);
  expect(looks.at(-1)?.holds.map((hold) => hold.kind)).toContain(kind);
});

test('servers are removed where nothing holds them, and the number stays while the need is unknown', () => {
  const known = anHour({ demand: demand(2) });
  [state, nowMs] = [firstState, 0];
  const unknown = anHour({ demand: undefined });

  expect(known.flatMap(drains).length).toBeGreaterThan(0);
  expect(unknown.flatMap(({ orders }) => orders)).toEqual([]);
  expect(new Set(unknown.map(({ wanted }) => wanted))).toEqual(new Set([9]));
});

test('no server is added while it is paused', () => {
  servers = serving(2);
  const { holds, orders } = look({ demand: demand(40), isPaused: true });

  expect(orders).toEqual([]);
  expect(holds.map(({ kind }) => kind)).toContain('paused');
});

test('a lost server is replaced at once', () => {
  servers = [...serving(3), { id: 'gone', phase: 'lost' }];
  expect(launches(look({ demand: demand(8), lost: 1 }))).toBe(1);
});

test('a launch that fails is repeated later each time, and one that never serves is ended and replaced', () => {
  servers = serving(2);
  expect(launches(look({ demand: demand(6) }))).toBe(1);
  const attempts: number[] = [];
  for (nowMs = 1000; nowMs < 100_000; nowMs += 1000) {
    const failed = state.launches.map(({ slot }) => slot);
    if (launches(look({ demand: demand(6), failed })) > 0) attempts.push(nowMs / 1000);
  }
  // 10, 20, 40 s after each failure.
  expect(attempts).toEqual([11, 32, 73]);

  nowMs = 200_000;
  expect(launches(look({ demand: demand(6) }))).toBe(1);
  const [pending] = state.launches;
  nowMs = (pending?.orderedMs ?? 0) + 5 * minute;
  expect(look({ demand: demand(6) }).orders).toEqual([{ kind: 'end', slot: pending?.slot }]);
  nowMs += 5 * minute;
  expect(launches(look({ demand: demand(6) }))).toBe(1);
});

/** What happens to a pool between two looks. */
interface Happening {
  readonly need: number | undefined;
  readonly pauseMs: number;
  readonly fate: readonly ('serves' | 'fails' | 'waits')[];
  readonly isLost: boolean;
  readonly isTrusted: boolean;
}

const happening: fc.Arbitrary<Happening> = fc.record({
  need: fc.option(fc.double({ min: 0, max: 80, noNaN: true }), { nil: undefined, freq: 8 }),
  pauseMs: fc.constantFrom(1000, 10_000, 60_000, 20 * 60_000),
  fate: fc.array(fc.constantFrom('serves', 'fails', 'waits'), { minLength: 1, maxLength: 4 }),
  isLost: fc.boolean(),
  isTrusted: fc.boolean(),
});

test('for any sequence of events: never above the maximum, no scale-in below the minimum, no slot twice', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (history) => {
      [state, nowMs, servers] = [firstState, 0, []];
      const ordered = new Set<number>();
      const drained = new Set<string>();
      let failed: number[] = [];
      for (const { fate, isLost, isTrusted, need, pauseMs } of history) {
        nowMs += pauseMs;
        const known = need === undefined ? undefined : demand(need, { isPlanTrusted: isTrusted });
        const { orders } = look({ demand: known, failed });
        failed = [];
        const slots = orders.flatMap((order) => (order.kind === 'launch' ? [order.slot] : []));
        for (const slot of slots) {
          expect(ordered.has(slot)).toBe(false);
          ordered.add(slot);
        }
        for (const order of orders) {
          if (order.kind === 'end') servers = servers.filter(({ slot }) => slot !== order.slot);
          if (order.kind !== 'drain') continue;
          expect(drained.has(order.server)).toBe(false);
          drained.add(order.server);
          servers = servers.filter(({ id }) => id !== order.server);
          expect(servers.filter(({ phase }) => phase !== 'lost').length).toBeGreaterThanOrEqual(limits.min);
        }
        if (known === undefined && servers.length >= limits.min)
          expect(orders.filter(({ kind }) => kind === 'drain')).toEqual([]);
        servers = [
          ...servers,
          ...slots.map((slot): SeenServer => ({ id: `l${slot}`, phase: 'launching', slot })),
        ];
        expect(servers.filter(({ phase }) => phase !== 'lost').length).toBeLessThanOrEqual(limits.max);
        servers = servers.flatMap((server, index): SeenServer[] => {
          const what = fate[index % fate.length];
          if (server.phase !== 'launching')
            return [isLost && index === 0 ? { ...server, phase: 'lost' } : server];
          if (what === 'serves') return [{ ...server, phase: 'serving' }];
          if (what === 'waits') return [server];
          if (server.slot !== undefined) failed.push(server.slot);
          return [];
        });
      }
    }),
    { numRuns: 500 },
  );
});
