import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpRequest } from '../../platform/http/index.ts';
import type { ClientRequest } from '../../platform/http-client/index.ts';
import { type Delivery, type Message, outboxRoutes, primaryDestination } from './index.ts';

/** A primary without the network between. */
class Primary {
  /** Paths of requests. */
  readonly requests: string[] = [];
  /** Certnames and payloads of commands. */
  readonly taken: string[] = [];
  /** Of commands: certname -> what becomes of them. */
  readonly outcomes = new Map<string, 'taken' | 'content-wanted' | Error>();

  async send({ body, headers = {}, url }: ClientRequest) {
    const { pathname: path, searchParams: query } = new URL(url);
    this.requests.push(path);
    if (!Buffer.isBuffer(body)) throw new Error('no body');
    const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    const route = outboxRoutes(this).find((each) => each.path === path);
    // The handlers look at nothing else.
    const request = { query, body: async () => bytes } as unknown as HttpRequest;
    try {
      const response = await route?.handle(request);
      return {
        status: response?.status ?? 404,
        headers: {},
        body: Buffer.from(String(response?.body ?? '')),
      };
    } catch (error) {
      return { status: error instanceof ServiceError ? 503 : 500, headers: {}, body: Buffer.alloc(0) };
    }
  }

  async take({ certname, payload }: Delivery) {
    const outcome = this.outcomes.get(certname) ?? 'taken';
    if (outcome instanceof Error) throw outcome;
    if (outcome === 'taken') this.taken.push(`${certname} ${Buffer.from(payload).toString('utf8')}`);
    return outcome;
  }
}

const command = (certname: string, payload = `{"of":"${certname}"}`): Message => ({
  command: 'replace_facts',
  version: 5,
  certname,
  producerTimestamp: '2026-11-21T10:00:00.000Z',
  payload,
});

function sendAll(primary: Primary, messages: readonly Message[]) {
  const destination = primaryDestination(primary, 'https://primary.example:8140');
  const { signal } = new AbortController();
  return Promise.allSettled(messages.map((message) => destination.send(message, undefined, signal)));
}

test('commands that are to be sent at once share a request, and each has its own answer', async () => {
  const primary = new Primary();
  primary.outcomes.set('b', 'content-wanted').set('c', new ServiceError('bad-request', 'why'));

  const outcomes = await sendAll(primary, [command('a'), command('b'), command('c'), command('ü')]);

  expect(primary.requests).toEqual(['/outbox/v1/batches']);
  expect(primary.taken).toEqual(['a {"of":"a"}', 'ü {"of":"ü"}']);
  expect(outcomes).toMatchObject([
    { value: 'taken' },
    { value: 'content-wanted' },
    { reason: { reason: 'bad-request', message: '{"error":"why"}' } },
    { value: 'taken' },
  ]);
});

test('a large command goes alone', async () => {
  const primary = new Primary();
  const large = `{"of":"${'x'.repeat(200_000)}"}`;

  const outcomes = await sendAll(primary, [command('a'), command('b', large)]);

  expect(primary.requests.toSorted()).toEqual(['/outbox/v1/batches', '/outbox/v1/commands']);
  expect(outcomes).toMatchObject([{ value: 'taken' }, { value: 'taken' }]);
  expect(primary.taken.toSorted()).toEqual(['a {"of":"a"}', `b ${large}`]);
});

test('all are sent again when the primary can take none', async () => {
  const primary = new Primary();
  primary.outcomes.set('b', new ServiceError('unavailable', 'the database is away'));

  const outcomes = await sendAll(primary, [command('a'), command('b')]);

  expect(outcomes).toMatchObject([
    { reason: { reason: 'unavailable' } },
    { reason: { reason: 'unavailable' } },
  ]);
});

test('a primary of another version, without the API or with another answer, is told of, and all are sent again', async () => {
  const message = command('a');
  const large = command('b', `{"of":"${'x'.repeat(200_000)}"}`);
  const primaryThatAnswers = (status: number, body: string) => ({
    send: () => Promise.resolve({ status, headers: {}, body: Buffer.from(body) }),
  });
  const outcomeOf = async (status: number, body: string, sent = message) => {
    const destination = primaryDestination(primaryThatAnswers(status, body), 'https://primary.example:8140');
    return await destination
      .send(sent, undefined, new AbortController().signal)
      .catch((error: unknown) => error);
  };
  const told = (reason: string) => ({ reason: 'unavailable', message: expect.stringContaining(reason) });

  expect(await outcomeOf(404, 'not found')).toMatchObject(
    told('does not know /outbox/v1/batches (status 404): it seems to be of another version'),
  );
  expect(await outcomeOf(404, 'not found', large)).toMatchObject(told('does not know /outbox/v1/commands'));
  expect(await outcomeOf(200, 'no JSON')).toMatchObject(
    told('answer of /outbox/v1/batches is not understood'),
  );
  expect(await outcomeOf(200, '[]')).toMatchObject(told('answer of /outbox/v1/batches is not understood'));
  expect(await outcomeOf(503, '')).toMatchObject(told('answered /outbox/v1/batches with status 503'));
});

test('one that the primary stumbles over does not hold up the others', async () => {
  const primary = new Primary();
  primary.outcomes.set('b', new TypeError('a bug'));

  const outcomes = await sendAll(primary, [command('a'), command('b'), command('c')]);

  expect(outcomes).toMatchObject([
    { value: 'taken' },
    { reason: { reason: 'unavailable' } },
    { value: 'taken' },
  ]);
});
