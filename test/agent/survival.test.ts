/** What becomes of actions when the connection or the agent goes away. */

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunningAgent, TestSite } from './running-agent.ts';
import { type PcpMessage, TestBroker } from './test-broker.ts';

const patience = { timeout: 60_000, interval: 20 };

let site: TestSite;
let broker: TestBroker;
let agent: RunningAgent;

beforeEach(async () => {
  site = new TestSite();
  broker = new TestBroker(site.broker);
  await broker.listen();
  agent = new RunningAgent(site, { 'broker-ws-uris': [`wss://localhost:${broker.port}/pcp2`] });
  agent.start();
  await connected();
});
afterEach(async () => {
  await agent.stop();
  await broker.stop();
  site.remove();
});

test('an action goes on while the connection is lost, and its end comes over the next one', async () => {
  run('t1', `${untilGo()}; echo survived`);
  await answer('rpc_provisional_response');

  broker.cut();
  await connected();
  go();

  expect((await answer('rpc_non_blocking_response')).data).toEqual({
    transaction_id: 't1',
    results: { exitcode: 0, stdout: 'survived\n' },
  });
});

test('an outcome that could not be sent is sent once after the next connection', async () => {
  run('t1', `${untilGo()}; echo unheard`);
  await answer('rpc_provisional_response');
  await broker.stop();
  go();
  await vi.waitUntil(() => agent.log.includes('is sent when there is a connection again'), patience);

  await broker.listen();
  await connected();

  expect((await answer('rpc_non_blocking_response')).data).toMatchObject({
    results: { stdout: 'unheard\n' },
  });
  broker.cut();
  await connected();
  await sleep(300);
  expect(broker.unread).toEqual([]);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'an action outlives an agent that gets %s, and the next agent tells its end',
  async (signal) => {
    run('t1', `echo begun >> ${site.path('begun')}; ${untilGo()}; echo orphan; exit 3`);
    await answer('rpc_provisional_response');
    await vi.waitUntil(() => runs() === 1, patience);
    await agent.stop(signal);
    await vi.waitUntil(() => !broker.isConnected, patience);

    agent.start();
    await connected();

    expect(await status('t1')).toEqual({ transaction_id: 't1', status: 'running' });
    go();
    expect((await answer('rpc_non_blocking_response')).data).toEqual({
      transaction_id: 't1',
      results: { exitcode: 3, stdout: 'orphan\n' },
    });
    expect(await status('t1')).toMatchObject({ status: 'failure', exitcode: 3, stdout: 'orphan\n' });
    expect(runs()).toBe(1);
  },
);

test('an action that ended while there was no agent is told by the next one', async () => {
  run('t1', `echo begun >> ${site.path('begun')}; ${untilGo()}; echo orphan`);
  await answer('rpc_provisional_response');
  await vi.waitUntil(() => runs() === 1, patience);
  await agent.stop('SIGKILL');
  go();
  await vi.waitUntil(() => spoolHas('t1', 'exitcode'), patience);

  agent.start();
  await connected();

  expect((await answer('rpc_non_blocking_response')).data).toMatchObject({ results: { stdout: 'orphan\n' } });
});

test('an action whose process was killed ends with an error, and is never run again', async () => {
  run('t1', `echo begun >> ${site.path('begun')}; sleep 60`);
  await answer('rpc_provisional_response');
  await vi.waitUntil(() => runs() === 1, patience);
  await agent.stop('SIGKILL');
  process.kill(-Number(readFileSync(site.path('spool', 't1', 'pid'), 'utf8')), 'SIGKILL');

  agent.start();
  await connected();

  expect((await answer('rpc_error_message')).data).toMatchObject({
    transaction_id: 't1',
    description: 'task process is not running, but no output is available',
  });
  expect(await status('t1')).toMatchObject({ status: 'unknown' });
  run('t1', `echo begun >> ${site.path('begun')}`);
  await answer('rpc_provisional_response');
  await sleep(300);
  expect(runs()).toBe(1);
  expect(broker.unread).toEqual([]);
});

test('an action that the agent had not begun when it was killed never begins, and that is told', async () => {
  // The file cannot be fetched: the agent waits before it tries again.
  request('t1', 'task', {
    task: 'm',
    input: {},
    files: [{ filename: 'm.sh', uri: { path: '/m', params: {} }, sha256: '' }],
  });
  await answer('rpc_provisional_response');
  await agent.stop('SIGKILL');

  agent.start();
  await connected();

  expect((await answer('rpc_error_message')).data).toMatchObject({
    transaction_id: 't1',
    id: 'm-t1',
    description: 'the agent was stopped before the action began',
  });
});

test('a transaction that is asked for many times at once runs once', async () => {
  for (let index = 0; index < 20; index += 1) run('t1', `echo begun >> ${site.path('begun')}`);

  for (let index = 0; index < 20; index += 1) await answer('rpc_provisional_response');
  await answer('rpc_non_blocking_response');

  expect(runs()).toBe(1);
  await sleep(300);
  expect(broker.unread).toEqual([]);
});

test('no transaction id leads out of the spool directory', async () => {
  const ids = ['../../evil', '/tmp/evil', '.', '..', '', 'a\u0000b', 'x'.repeat(5000)];

  for (const id of ids) {
    run(id, 'true');
    await answer('rpc_non_blocking_response');
  }

  expect(site.spoolEntries()).toHaveLength(ids.length);
});

/** For commands: they wait for `go`, however busy the machine is. */
function untilGo(): string {
  return `until [ -e ${site.path('go')} ]; do sleep 0.05; done`;
}

function go(): void {
  writeFileSync(site.path('go'), '');
}

function run(id: string, command: string): void {
  request(id, 'command', { command });
}

function request(id: string, module: string, params: unknown): void {
  const action = 'run';
  const data = { transaction_id: id, notify_outcome: true, module, action, params };
  const type = 'http://puppetlabs.com/rpc_non_blocking_request';
  broker.send({ id: `m-${id}`, message_type: type, sender: 'pcp://m/server', data });
}

async function status(id: string): Promise<unknown> {
  const data = {
    transaction_id: `q-${id}`,
    module: 'status',
    action: 'query',
    params: { transaction_id: id },
  };
  const type = 'http://puppetlabs.com/rpc_blocking_request';
  broker.send({ id: 'q', message_type: type, sender: 'pcp://m/server', data });
  const { data: answered } = await answer('rpc_blocking_response');
  return (answered as { results: unknown }).results;
}

async function answer(type: string): Promise<PcpMessage> {
  return await vi.waitUntil(
    () => broker.take(({ message_type: found }) => found === `http://puppetlabs.com/${type}`),
    patience,
  );
}

async function connected(): Promise<void> {
  await vi.waitUntil(() => broker.isConnected, patience);
}

function runs(): number {
  try {
    return readFileSync(site.path('begun'), 'utf8').split('\n').length - 1;
  } catch {
    return 0; // It has not begun.
  }
}

function spoolHas(id: string, name: string): boolean {
  try {
    return agent.spoolFile(id, name) !== '';
  } catch {
    return false; // Not yet.
  }
}
