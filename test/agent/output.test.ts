/** Output of an action while it runs. */

import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RunningAgent, TestSite } from './running-agent.ts';
import { type PcpMessage, TestBroker } from './test-broker.ts';

const patience = { timeout: 60_000, interval: 10 };

interface Piece {
  readonly transaction_id: string;
  readonly stream: string;
  readonly offset: number;
  readonly text: string;
  readonly truncated?: boolean;
}

describe('output that is followed', () => {
  const site = new TestSite();
  const broker = new TestBroker(site.broker);
  let agent: RunningAgent | undefined;
  beforeAll(async () => {
    await broker.listen();
    agent = new RunningAgent(site, { 'broker-ws-uris': [`wss://localhost:${broker.port}/pcp2/`] });
    agent.start();
    await vi.waitUntil(() => broker.isConnected, patience);
  });
  afterAll(async () => {
    await agent?.stop();
    await broker.stop();
    site.remove();
  });

  test('comes line by line while the action runs, all of it before the end', async () => {
    run('lines', `echo one; echo zwö; printf three; ${until('go')}; echo; echo err >&2; printf end`);
    expect(await follow('lines')).toBe('following');
    await pieceWith('zwö');
    expect(broker.unread.map(typeOf)).not.toContain('rpc_non_blocking_response');
    await pieceWith('three'); // A part of a line comes after some seconds.

    writeFileSync(site.path('go'), '');
    await vi.waitUntil(() => broker.unread.map(typeOf).includes('rpc_non_blocking_response'), patience);

    expect(textOf('lines', 'stdout')).toBe('one\nzwö\nthree\nend');
    expect(textOf('lines', 'stderr')).toBe('err\n');
    expect(broker.unread.map(typeOf).at(-1)).toBe('rpc_non_blocking_response');
    broker.unread.length = 0;
  });

  test('can be asked for from an offset', async () => {
    run('offset', `echo 0123456789; echo more; ${until('go2')}`);
    await sleep(300);
    expect(await follow('offset', { stdout_offset: 11 })).toBe('following');
    await pieceWith('more');

    writeFileSync(site.path('go2'), '');
    await vi.waitUntil(() => broker.unread.map(typeOf).includes('rpc_non_blocking_response'), patience);

    expect(textOf('offset', 'stdout')).toBe('more\n');
    broker.unread.length = 0;
  });

  test('ends at the limit and says so; the response has all of it', async () => {
    run('limit', `sleep 0.3; seq 1 20000; ${until('go3')}`);
    expect(await follow('limit', { limit_bytes: 1000 })).toBe('following');
    const last = await vi.waitUntil(
      () => pieces('limit').find(({ truncated }) => truncated === true),
      patience,
    );
    writeFileSync(site.path('go3'), '');
    const end = await vi.waitUntil(
      () => broker.take((message) => typeOf(message) === 'rpc_non_blocking_response'),
      patience,
    );

    expect(last).toMatchObject({ text: '' });
    expect(textOf('limit', 'stdout').length).toBeLessThanOrEqual(1000);
    expect((end.data as { results: { stdout: string } }).results.stdout).toHaveLength(108_894);
    broker.unread.length = 0;
  });

  test('waits while the broker does not read, and loses nothing', async () => {
    const before = agent?.bytesRead() ?? 0;
    run('slow', `sleep 0.5; seq 1 2100000; ${until('go4')}`);
    expect(await follow('slow', { limit_bytes: 16_000_000 })).toBe('following');
    broker.freeze();
    // Buffers of the connection take some megabytes; then the agent stops reading what the action writes.
    let frozen = 0;
    await vi.waitUntil(async () => {
      frozen = agent?.bytesRead() ?? 0;
      await sleep(1500);
      return agent?.bytesRead() === frozen && frozen - before > 65_536;
    }, patience);

    expect(frozen - before).toBeLessThan(14_000_000);
    broker.thaw();
    await vi.waitUntil(() => textOf('slow', 'stdout').length === 15_688_896, patience);
    writeFileSync(site.path('go4'), '');
    await vi.waitUntil(() => broker.unread.map(typeOf).includes('rpc_non_blocking_response'), patience);
    broker.unread.length = 0;
  });

  test('is not there for transactions that ended or never were', async () => {
    run('short', 'true');
    await vi.waitUntil(
      () => broker.take((message) => typeOf(message) === 'rpc_non_blocking_response'),
      patience,
    );

    expect(await follow('short')).toBe('ended');
    expect(await follow('nosuch')).toBe('unknown');
  });

  function until(file: string): string {
    return `until [ -e ${site.path(file)} ]; do sleep 0.05; done`;
  }

  function run(id: string, command: string): void {
    const data = {
      transaction_id: id,
      notify_outcome: true,
      module: 'command',
      action: 'run',
      params: { command },
    };
    const type = 'http://puppetlabs.com/rpc_non_blocking_request';
    broker.send({ id: 'm', message_type: type, sender: 'pcp://m/server', data });
  }

  async function follow(id: string, more: Readonly<Record<string, number>> = {}): Promise<string> {
    const params = { transaction_id: id, ...more };
    const data = { transaction_id: `f-${id}`, module: 'output', action: 'follow', params };
    const type = 'http://puppetlabs.com/rpc_blocking_request';
    broker.send({ id: 'f', message_type: type, sender: 'pcp://m/server', data });
    const answer = await vi.waitUntil(
      () => broker.take((message) => typeOf(message) === 'rpc_blocking_response'),
      patience,
    );
    return (answer.data as { results: { status: string } }).results.status;
  }

  async function pieceWith(text: string): Promise<void> {
    await vi.waitUntil(() => pieces().some((piece) => piece.text.includes(text)), patience);
  }

  function pieces(id?: string): readonly Piece[] {
    return broker.unread
      .filter((message) => typeOf(message) === 'rpc_action_output')
      .map(({ data }) => data as Piece)
      .filter(({ transaction_id: of }) => id === undefined || of === id);
  }

  /** Pieces put together; each begins where the one before ended. */
  function textOf(id: string, stream: string): string {
    const own = pieces(id).filter((piece) => piece.stream === stream && piece.truncated !== true);
    let offset = own[0]?.offset ?? 0;
    for (const piece of own) {
      expect(piece.offset).toBe(offset);
      offset += Buffer.byteLength(piece.text);
    }
    return own.map(({ text }) => text).join('');
  }
});

function typeOf({ message_type: type }: PcpMessage): string {
  return type.replace('http://puppetlabs.com/', '');
}
