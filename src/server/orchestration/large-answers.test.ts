/** Large answers of agents, with the thread that reads them. */

import { afterAll, expect, test } from 'vitest';
import type { AgentLink, AgentListener, AgentMessage } from '../../services/orchestrator/index.ts';
import { LargeAnswers } from './large-answers.ts';

const answers = new LargeAnswers();
afterAll(() => answers.stop());

const id = '98681863-25fc-47f5-8bb6-a55f6bf39635';
const messageType = 'http://puppetlabs.com/rpc_non_blocking_response';
const dataOf = (stdout: string) => ({ transaction_id: 't', results: { exitcode: 0, stdout, stderr: '' } });
const bytesOf = (stdout: string, sender = 'pcp://a.test/agent') =>
  Buffer.from(JSON.stringify({ id, message_type: messageType, sender, data: dataOf(stdout) }));

test('an answer is read, and its result is bytes', async () => {
  const stdout = JSON.stringify({ list: Array(50_000).fill('item') });

  const found = await answers.read(new Uint8Array(bytesOf(stdout)));

  expect(found).toMatchObject({
    certname: 'a.test',
    message: {
      id,
      messageType,
      data: null,
      read: { transactionId: 't', answer: { kind: 'results', outcomes: { task: { state: 'finished' } } } },
    },
  });
  const read = found?.message.read as { readonly answer: { readonly outcomes: Outcomes } } | undefined;
  expect(Buffer.from(read?.answer.outcomes.task.largeResult ?? []).toString()).toBe(stdout);
});

type Outcomes = Readonly<Record<'task', { readonly largeResult: Uint8Array }>>;

test('other messages give undefined', async () => {
  expect(await answers.read(Buffer.from('{'))).toBeUndefined();
  expect(await answers.read(bytesOf('', 'pcp:///server'))).toBeUndefined();
});

test('answers of nodes that are reached by SSH are read there, too, when they are large', async () => {
  const heard: (readonly [string, AgentMessage])[] = [];
  let inner: AgentListener | undefined;
  const ssh: AgentLink = {
    connection: () => undefined,
    connections: () => [],
    expectedUntil: () => undefined,
    send: () => Promise.resolve('not-connected'),
    listen: (listener) => {
      inner = listener;
      return () => undefined;
    },
  };
  answers.of(ssh).listen({
    message: (certname, message) => void heard.push([certname, message]),
    connected: () => undefined,
    lost: () => undefined,
  });
  const small = { id, messageType, data: dataOf('small') };

  inner?.message('b.test', small);
  inner?.message('c.test', { id, messageType, data: dataOf('x'.repeat(300_000)) });
  await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(2);

  expect(heard[0]).toEqual(['b.test', small]);
  expect(heard[1]).toMatchObject(['c.test', { data: null, read: { transactionId: 't' } }]);
});
