import { describe, expect, test } from 'vitest';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { CheckInClient } from './check-in.ts';
import { isUnderstood, protocol, protocolIn, refuseOthers } from './protocol.ts';
import { CheckInWire } from './wire.ts';

describe('the protocol between servers', () => {
  test('is 1 for servers from before there was a number', () => {
    expect(protocolIn(undefined)).toBe(1);
    expect(protocolIn('no number')).toBe(1);
    expect(protocolIn('3')).toBe(3);
  });

  test('is understood by one older and one newer', () => {
    expect(
      [protocol - 2, protocol - 1, protocol, protocol + 1, protocol + 2].map((n) => isUnderstood(n)),
    ).toEqual([false, true, true, true, false]);
  });

  test('tells a server that is too new what to update first', () => {
    expect(() => refuseOthers('compile1.test', String(protocol + 1))).not.toThrow();
    expect(() => refuseOthers('compile1.test', String(protocol + 2))).toThrow(
      `compile1.test speaks protocol ${protocol + 2}, and this server ${protocol - 1} to ${protocol + 1}: update this server first`,
    );
  });

  test('of a primary that is too new, or that refuses, is a problem until it answers as it should', async () => {
    const answers = [
      { status: 200, body: JSON.stringify({ leave: false, protocol: protocol + 2 }) },
      { status: 409, body: '{"kind":"infrastructure/protocol","msg":"compile1.test speaks protocol 2"}' },
      { status: 200, body: JSON.stringify({ leave: false, protocol: protocol + 1 }) },
    ];
    const problems: (string | undefined)[] = [];
    const all = Promise.withResolvers<void>();
    class Primary extends HttpClient {
      override send(): ReturnType<HttpClient['send']> {
        const { body, status } = answers.shift() ?? { status: 503, body: '' };
        return Promise.resolve({ status, headers: {}, body: Buffer.from(body) });
      }
    }
    const client = new CheckInClient({
      client: new Primary({}),
      primaryUrl: 'https://primary.test:8140',
      report: () => Promise.resolve(report),
      log: silentLogger,
      onLeave: () => {},
      onRevoked: () => {},
      onUnderstood(problem) {
        problems.push(problem);
        if (problem === undefined) all.resolve();
      },
    });

    client.start();
    await all.promise;
    await client.stop('stopped');

    expect(problems).toEqual([
      `the primary speaks protocol ${protocol + 2}, and this server ${protocol - 1} to ${protocol + 1}: update this server first`,
      expect.stringContaining('the primary refuses: '),
      undefined,
    ]);
  });
});

const report = CheckInWire.parse({
  state: 'running',
  version: '7.23.0',
  url: 'https://compile1.test:8140',
  started_at: '2026-01-01T00:00:00Z',
  services: {},
  code: {},
  load: { workers: 2, busy_workers: 1, queued: 0, load_average: 0.5, cores: 2, resident_bytes: 1 },
});
