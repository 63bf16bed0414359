import { afterEach, expect, test } from 'vitest';
import type { ClientRequest, ClientResponse } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { CheckInClient, type CheckInClientOptions } from './check-in.ts';
import { protocol, protocolKind } from './protocol.ts';
import { type CheckIn, CheckInWire } from './wire.ts';

const own: CheckIn = CheckInWire.parse({
  state: 'running',
  version: '8.0.0',
  protocol,
  url: 'https://compile1.test:8140',
  started_at: '2026-01-01T00:00:00Z',
  services: {},
  code: {},
  load: { workers: 1, busy_workers: 0, queued: 0, load_average: 0, cores: 1, resident_bytes: 1 },
});

let client: CheckInClient | undefined;
afterEach(() => client?.stop('stopped'));

const stay = { status: 200, text: JSON.stringify({ leave: false, protocol }) };
type Answer = { readonly status: number; readonly text: string } | 'away';

/** A primary that gives these answers, and the last one from then on. What happens is noted in order. */
function talkTo(
  answers: readonly Answer[],
  state: () => CheckIn['state'] = () => 'running',
  told: Pick<CheckInClientOptions, 'onAccepted' | 'onLongWaiting' | 'onMeanCompileMs'> = {},
) {
  const events: string[] = [];
  const { promise: exhausted, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const send = async ({ body, url }: ClientRequest): Promise<ClientResponse> => {
    const said = CheckInWire.parse(JSON.parse(String(body)));
    events.push(`${said.state} ${new URL(url).searchParams.get('wait_ms')}`);
    const answer = answers[Math.min(asked, answers.length - 1)] ?? 'away';
    asked += 1;
    if (asked > answers.length) resolve();
    if (answer === 'away') throw new Error('away');
    return { status: answer.status, headers: {}, body: Buffer.from(answer.text) };
  };
  client = new CheckInClient({
    client: { send },
    primaryUrl: 'https://primary.test:8140',
    report: async () => ({ ...own, state: state() }),
    log: { ...silentLogger, warn: (_fields, message) => events.push(message) },
    onLeave: () => events.push('leave'),
    onRevoked: () => {
      events.push('revoked');
      resolve();
    },
    pauseMs: 1,
    ...told,
    onUnderstood: (problem) => problem !== undefined && events.push(problem),
  });
  client.start();
  return { events, exhausted };
}

test('a server is told once to leave, and goes on checking in while it drains', async () => {
  const leave = { status: 200, text: JSON.stringify({ leave: true, protocol }) };

  const { events, exhausted } = talkTo([leave, leave]);
  await exhausted;

  expect(events).toEqual(['running 2000', 'leave', 'running 2000', 'running 2000']);
});

test('a server whose certificate was revoked says nothing more, also when it stops', async () => {
  const { events, exhausted } = talkTo([{ status: 403, text: 'certificate revoked' }]);
  await exhausted;
  await client?.stop('drained');

  expect(events).toEqual(['running 2000', 'revoked']);
});

test('a primary that is away is logged once, until it has been there again', async () => {
  const { events, exhausted } = talkTo(['away', { status: 503, text: '' }, stay, 'away']);
  await exhausted;

  const told = 'could not check in with the primary, trying again';
  expect(events.slice(0, 7)).toEqual([
    'running 2000',
    told,
    'running 2000',
    'running 2000',
    'running 2000',
    told,
    'running 2000',
  ]);
});

test('a server that changes asks to be answered soon, and its last word is that it stops', async () => {
  const { events, exhausted } = talkTo([stay], () => 'starting');
  await exhausted;
  await client?.stop('drained');

  expect([events[0], events.at(-1)]).toEqual(['starting 500', 'drained 0']);
});

test('a server that was never answered has no last word', async () => {
  const { events, exhausted } = talkTo(['away']);
  await exhausted;
  const before = events.filter((event) => event.includes(' 2000')).length;
  await client?.stop('stopped');

  expect(events.filter((event) => event.startsWith('stopped'))).toEqual([]);
  expect(before).toBeGreaterThan(1);
});

test('a primary of another protocol is told of, whether it still answers or refuses', async () => {
  const near = { status: 200, text: JSON.stringify({ leave: false, protocol: protocol + 1 }) };
  const far = { status: 200, text: JSON.stringify({ leave: false, protocol: protocol + 2 }) };
  const refusing = { status: 409, text: JSON.stringify({ kind: protocolKind }) };

  const { events, exhausted } = talkTo([near, far, refusing]);
  await exhausted;

  expect(events[0]).toBe('running 2000');
  expect(events[1]).toBe('running 2000');
  expect(events[2]).toMatch(/^the primary speaks protocol .*update this server first$/);
  expect(events.slice(3, 5)).toEqual(['running 2000', `the primary refuses: ${refusing.text}`]);
});

test('runs count as told once the primary has accepted the check-in, not before', async () => {
  const accepted: string[] = [];
  const states = ['starting', 'stopping', 'running'] as const;
  let sent = 0;

  const { exhausted } = talkTo(
    ['away', { status: 503, text: 'busy' }, stay],
    () => states[sent++] ?? 'running',
    { onAccepted: ({ state }) => accepted.push(state) },
  );
  await exhausted;

  expect(accepted[0]).toBe('running');
});

test('a server learns the mean compile time of others', async () => {
  const learnt: number[] = [];
  const answer = { status: 200, text: JSON.stringify({ leave: false, protocol, mean_compile_ms: 320 }) };

  const { exhausted } = talkTo([stay, answer], undefined, { onMeanCompileMs: (ms) => learnt.push(ms) });
  await exhausted;

  expect(learnt[0]).toBe(320);
});

test('a server learns which nodes have waited for long, and forgets them while the primary is away', async () => {
  const learnt: (readonly string[])[] = [];
  const answer = { status: 200, text: JSON.stringify({ leave: false, protocol, long_waiting: ['a.test'] }) };

  const { exhausted } = talkTo([stay, answer, 'away', stay], undefined, {
    onLongWaiting: (nodes) => void learnt.push(nodes),
  });
  await exhausted;

  expect(learnt.slice(0, 3)).toEqual([[], ['a.test'], []]);
});
