/** The stream of what has changed, as a browser's `EventSource` reads it. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpServer, type HttpServer, type UserIdentity } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { sessionAuthenticator } from '../session-requests.ts';
import type { ConsoleSessions } from '../sessions.ts';
import { LiveHub } from './live-hub.ts';
import { liveRoutes } from './live-routes.ts';
import { LiveWatch } from './live-watch.ts';

let http: HttpServer;
let url: string;
let hub: LiveHub;
let watch: LiveWatch;
let nowMs: number;
/** What the user of each session may do; a session that is not here has ended. */
let rights: Map<string, readonly string[]>;

beforeEach(async () => {
  nowMs = 0;
  rights = new Map([
    ['ann', ['nodes', 'orchestrator']],
    ['bob', ['orchestrator']],
  ]);
  let ids = 0;
  hub = new LiveHub({ steadyMs: () => nowMs, newId: () => `id${ids++}` });
  const sessions = {
    beginOf: async () => new Date(),
    identify: async (text: string, address: string): Promise<UserIdentity | undefined> => {
      const may = rights.get(text);
      if (may === undefined) return undefined;
      return {
        kind: 'user',
        id: text,
        login: text,
        address,
        permits: ({ objectType }) => may.includes(objectType),
      };
    },
  } as Partial<ConsoleSessions> as ConsoleSessions;
  watch = new LiveWatch(hub, sessions);
  http = createHttpServer({
    routes: liveRoutes(hub),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: () => Promise.reject(new Error('no tokens here')),
    authenticateSession: sessionAuthenticator(sessions, Date.now),
    log: silentLogger,
  });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
});
afterEach(async () => {
  watch.stop();
  await http.drain(0);
});

class Page {
  readonly lines: string[] = [];
  hasEnded = false;
  status = 0;
  private readonly controller = new AbortController();

  static async open(login: string, topics: string, lastId?: string): Promise<Page> {
    const page = new Page();
    const answer = await fetch(`${url}/console-api/v1/events?topics=${topics}`, {
      headers: {
        cookie: `__Host-bunraku=${login}`,
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      signal: page.controller.signal,
    });
    page.status = answer.status;
    if (answer.status === 200) void page.read(answer);
    else page.lines.push(await answer.text());
    return page;
  }

  leave(): void {
    this.controller.abort();
  }

  has(text: string): Promise<void> {
    return expect.poll(() => this.lines.join('\n'), { timeout: 10_000 }).toContain(text);
  }

  private async read(answer: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of answer.body ?? []) this.lines.push(...decoder.decode(bytes).split('\n'));
      this.hasEnded = true;
    } catch {
      // The test has left.
    }
  }
}

function changeTopics(login: string, stream: string, topics: readonly string[]) {
  return fetch(`${url}/console-api/v1/events/${stream}/topics`, {
    method: 'PUT',
    headers: {
      cookie: `__Host-bunraku=${login}`,
      'sec-fetch-site': 'same-origin',
      'x-bunraku-console': '1',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ topics }),
  });
}

test('a page hears of what it follows, and of nothing else', async () => {
  const page = await Page.open('ann', 'jobs,node:web1');
  await page.has('data: {"stream":"id1","epoch":"id0"}');

  hub.publish('node:web2');
  hub.publish('node:web1', { status: 'failed' });
  hub.publish('jobs', { job: 7 });

  await page.has('data: {"topic":"jobs","version":3,"job":7}');
  expect(page.lines).toContain('id: id0-2');
  expect(page.lines).toContain('data: {"topic":"node:web1","version":2,"status":"failed"}');
  expect(page.lines.join('\n')).not.toContain('web2');
});

test('a page changes what it follows without a new connection, and only its own', async () => {
  const page = await Page.open('ann', 'jobs');
  await page.has('"stream":"id1"');

  expect((await changeTopics('ann', 'id1', ['nodes'])).status).toBe(200);
  expect((await changeTopics('bob', 'id1', ['jobs'])).status).toBe(404);
  expect((await changeTopics('ann', 'other', ['jobs'])).status).toBe(404);
  hub.publish('jobs');
  hub.publish('nodes');

  await page.has('"topic":"nodes"');
  expect(page.lines.join('\n')).not.toContain('"topic":"jobs"');
});

test('a page gets changes from while it subscribed, and no older ones', async () => {
  hub.publish('node:web1', { status: 'failed' });
  nowMs += 11_000;
  hub.publish('job:7', { step: 1 });
  hub.publish('job:7', { step: 2 });
  const page = await Page.open('ann', 'jobs');
  await page.has('"stream"');

  expect((await changeTopics('ann', 'id1', ['jobs', 'job:7', 'node:web1'])).status).toBe(200);
  expect((await changeTopics('ann', 'id1', ['job:7'])).status).toBe(200);
  hub.publish('job:7', { step: 3 });
  await page.has('"step":3');
  expect(page.lines.filter((line) => line.startsWith('data: {"topic"'))).toEqual([
    'data: {"topic":"job:7","version":3,"step":2}',
    'data: {"topic":"job:7","version":4,"step":3}',
  ]);

  const second = await Page.open('ann', 'job:7');
  await second.has('"step":3');
  expect(second.lines[1]).toContain('"stream"');
});

test('a page that was cut off gets what it missed', async () => {
  const first = await Page.open('ann', 'jobs');
  await first.has('"stream"');
  hub.publish('jobs', { job: 1 });
  await first.has('"job":1');
  first.leave();
  hub.publish('jobs', { job: 2 });

  const second = await Page.open('ann', 'jobs', 'id0-1');

  await second.has('"job":2');
  expect(second.lines.join('\n')).not.toContain('"job":1');
});

test.each([
  ['another start of the server', 'other-1'],
  ['a time before what is kept', 'id0-1'],
  ['a number that was never given', 'id0-99'],
  ['nothing that is one', 'garbage'],
])('a page that comes back with the event of %s asks for everything anew', async (_, lastId) => {
  hub.publish('jobs', { job: 1 });
  hub.publish('jobs', { job: 2 });
  nowMs += 6 * 60_000;
  hub.publish('jobs', { job: 3 });

  const page = await Page.open('ann', 'jobs', lastId);

  await page.has('event: reset');
  expect(page.lines).toContain('data: {"topics":["jobs"]}');
});

test.each([
  ['bob', 'fleet', 403, 'bob may not follow fleet: the permission nodes:view_data is missing'],
  ['ann', 'weather', 400, 'topics: weather does not exist'],
  ['ann', 'constructor', 400, 'topics: constructor does not exist'],
  ['ann', Array.from({ length: 51 }, (_, index) => `job:${index}`).join(','), 400, 'at most 50'],
  ['nobody', 'jobs', 401, 'Route requires authentication'],
])('%s may not follow %.20s', async (login, topics, status, message) => {
  const page = await Page.open(login, topics);

  expect(page.status).toBe(status);
  expect(page.lines[0]).toContain(message);
});

test('the streams of a session end with it, those of others go on', async () => {
  const [ann, bob] = [await Page.open('ann', 'jobs'), await Page.open('bob', 'jobs')];
  await Promise.all([ann.has('"stream"'), bob.has('"stream"')]);

  watch.endSession('ann');
  await ann.has('data: {"reason":"logged-out"}');
  await expect.poll(() => ann.hasEnded).toBe(true);

  rights.delete('bob');
  await watch.check();
  await bob.has('data: {"reason":"expired"}');
  expect(hub.all()).toEqual([]);
});

test('a user who lost a right hears no more of what it was for', async () => {
  const page = await Page.open('ann', 'jobs,nodes');
  await page.has('"stream"');

  rights.set('ann', ['orchestrator']);
  await watch.check();
  hub.publish('nodes');
  hub.publish('jobs');

  await page.has('"topic":"jobs"');
  expect(page.lines.join('\n')).not.toContain('"topic":"nodes"');
});

test('one user has ten pages at most, and leaving makes room', async () => {
  const pages = await Promise.all(Array.from({ length: 10 }, () => Page.open('ann', 'jobs')));

  const tooMany = await Page.open('ann', 'jobs');
  expect(tooMany.status).toBe(503);
  expect((await Page.open('bob', 'jobs')).status).toBe(200);

  pages[0]?.leave();
  await expect.poll(async () => (await Page.open('ann', 'jobs')).status, { timeout: 10_000 }).toBe(200);
});

test('a browser that does not read costs the newest event of each topic, not all of them', async () => {
  const stream = hub.open({ userId: 'slow', session: undefined, address: '' }, ['jobs', 'nodes'], undefined);
  for (let number = 1; number <= 20_000; number++) hub.publish('jobs', { number });
  hub.publish('nodes', { number: 1 });
  expect(stream?.body.readableLength).toBeLessThan(70 * 1024);

  let text = '';
  stream?.body.setEncoding('utf8');
  for (let piece: string | null; (piece = stream?.body.read() as string | null) !== null; ) text += piece;

  await expect
    .poll(() => {
      text += (stream?.body.read() as string | null) ?? '';
      return text;
    })
    .toMatch(/"number":20000[^]*"topic":"nodes"/);
  stream?.bye('stopping');
});

test('pages are told when the server stops', async () => {
  const page = await Page.open('ann', 'jobs');
  await page.has('"stream"');

  watch.stop();

  await page.has('data: {"reason":"stopping"}');
});
