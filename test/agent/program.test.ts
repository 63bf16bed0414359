/** The program around the agent: configuration, background, signals, external modules. */

import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RunningAgent, TestSite } from './running-agent.ts';
import { type PcpMessage, TestBroker } from './test-broker.ts';

const agentDirectory = join(import.meta.dirname, '..', '..', 'agent');
const program = join(agentDirectory, 'bin', 'pxp-agent');
const patience = { timeout: 60_000, interval: 20 };
const run = promisify(execFile);

describe('the configuration file', () => {
  test.each([
    ['{"a": 1, "b": [true, null]}', { a: 1, b: [true, null] }],
    ['# comment\na = one two\nb: 2 // rest\n"c d" = "x # y"\n', { a: 'one two', b: 2, 'c d': 'x # y' }],
    [
      'uris = [\n  wss://a:8142/pcp2/ # first\n  "wss://b:8142/pcp2/"\n]',
      { uris: ['wss://a:8142/pcp2/', 'wss://b:8142/pcp2/'] },
    ],
    ['{ a { b = 1 }, a { c = 2 } }', { a: { b: 1, c: 2 } }],
    ['a = """x\n"y" """\nb=1.5', { a: 'x\n"y" ', b: 1.5 }],
    ['', {}],
  ])('is read as JSON or HOCON: %j', (text, expected) => {
    expect(hocon(text)).toEqual(expected);
  });

  test.each([
    ['a = ${b}', 'line 1: substitutions are not supported'],
    ['a = [1', 'missing ]'],
    ['a = ', 'a value was expected'],
    ['a\nb = 1', 'line 1: ":" or "=" was expected'],
    ['{ a = 1', 'missing }'],
    ['a = "x', 'a string does not end'],
    ['{a: 1} b', 'unexpected text after the end'],
  ])('is refused with its line: %j', (text, message) => {
    expect(hocon(text)).toContain(message);
  });
});

describe('the program', () => {
  let site: TestSite;
  let broker: TestBroker;

  beforeEach(async () => {
    site = new TestSite();
    broker = new TestBroker(site.broker);
    await broker.listen();
  });
  afterEach(async () => {
    await broker.stop();
    site.remove();
  });

  test.each([
    [{ 'broker-ws-uris': [] }, 'one of broker-ws-uri and broker-ws-uris is needed'],
    [{ 'broker-ws-uris': ['http://x/'] }, 'is no wss:// address'],
    [{ 'ssl-cert': '/nosuch.pem' }, 'the file /nosuch.pem cannot be read'],
    [{ 'ping-interval': 5 }, 'ping-interval must be more than 5'],
    [{ 'ping-interval': '7' }, 'the setting ping-interval has an unusable value'],
    [{ loglevel: 'loud' }, 'unknown loglevel loud'],
    [{ 'spool-dir-purge-ttl': '2 weeks' }, 'is no duration'],
  ])('does not start with %j', async (settings, message) => {
    writeConf({ ...settings });

    const failed = await run('ruby', [program, '--config-file', site.path('agent.conf')]).catch(
      (error: unknown) => error,
    );

    expect(failed).toMatchObject({ code: 3, stderr: expect.stringContaining(message) as unknown });
  });

  test('goes to the background once, opens its log anew, and ends', async () => {
    writeConf({ pidfile: site.path('agent.pid'), 'nosuch-setting': 1 });
    const start = ['ruby', program, '--config-file', site.path('agent.conf')] as const;

    execFileSync(start[0], start.slice(1));
    await vi.waitUntil(() => broker.isConnected, patience);
    const pid = Number(readFileSync(site.path('agent.pid'), 'utf8'));
    const second = await run('ruby', start.slice(1)).catch((error: unknown) => error);
    renameSync(site.path('agent.log'), site.path('agent.log.1'));
    process.kill(pid, 'SIGUSR2');
    broker.cut();
    await vi.waitUntil(() => broker.isConnected, patience);
    process.kill(pid, 'SIGTERM');
    await vi.waitUntil(() => !existsSync(site.path('agent.pid')), patience);

    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('running already') as unknown });
    expect(readFileSync(site.path('agent.log.1'), 'utf8')).toContain(
      'ignoring the unknown setting nosuch-setting',
    );
    expect(readFileSync(site.path('agent.log'), 'utf8')).toContain('lost the connection');
    await vi.waitUntil(
      () => broker.closed.some(([code, reason]) => code === 1000 && reason === 'agent stops'),
      patience,
    );
  });

  test('takes modules from a directory, with their configuration', async () => {
    mkdirSync(site.path('modules'));
    mkdirSync(site.path('modules-config'));
    writeFileSync(site.path('modules', 'weather'), weather);
    chmodSync(site.path('modules', 'weather'), 0o755);
    writeFileSync(site.path('modules', 'broken'), '#!/bin/sh\necho no\n', { mode: 0o755 });
    writeFileSync(site.path('modules-config', 'weather.conf'), 'place = here');
    const agent = new RunningAgent(site, { 'broker-ws-uris': [`wss://localhost:${broker.port}/pcp2/`] });
    agent.start();
    await vi.waitUntil(() => broker.isConnected, patience);

    expect(await ask('t1', { day: 'today' })).toEqual({
      results: { fine: true, asked: { day: 'today' }, place: 'here' },
    });
    expect(await ask('t2', { day: 1 })).toMatchObject({
      description: expect.stringContaining("invalid input for non blocking 'weather look'") as unknown,
    });
    expect(await ask('t3', { day: 'none' })).toEqual({
      id: 'm',
      description:
        "The task executed for the non blocking 'weather look' request (transaction t3) returned invalid JSON on stdout - stderr:\ncloudy\n",
    });
    expect(agent.log).toContain('modules/broken cannot be used');
    await agent.stop();
  });

  async function ask(id: string, params: unknown): Promise<unknown> {
    const data = { transaction_id: id, notify_outcome: true, module: 'weather', action: 'look', params };
    const type = 'http://puppetlabs.com/rpc_non_blocking_request';
    broker.send({ id: 'm', message_type: type, sender: 'pcp://m/server', data });
    const isEnd = ({ message_type: of }: PcpMessage) => !of.endsWith('provisional_response');
    const answer = await vi.waitUntil(() => broker.take(isEnd), patience);
    const { transaction_id: _id, ...rest } = answer.data as Readonly<Record<string, unknown>>;
    return rest;
  }

  function writeConf(settings: Readonly<Record<string, unknown>>): void {
    const conf = {
      'broker-ws-uris': [`wss://localhost:${broker.port}/pcp2/`],
      'ssl-ca-cert': site.path('ca.pem'),
      'ssl-cert': site.path('cert.pem'),
      'ssl-key': site.path('key.pem'),
      'spool-dir': site.path('spool'),
      'task-cache-dir': site.path('cache'),
      logfile: site.path('agent.log'),
      ...settings,
    };
    writeFileSync(site.path('agent.conf'), JSON.stringify(conf));
  }
});

const weather = `#!/usr/bin/env ruby
require 'json'
if ARGV.first == 'metadata'
  input = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }
  puts JSON.generate(description: 'x', actions: [{ name: 'look', description: 'x', input: input, results: { type: 'object' } }])
else
  order = JSON.parse($stdin.read)
  if order['input']['day'] == 'none'
    warn 'cloudy'
    puts 'rain'
  else
    puts JSON.generate(fine: true, asked: order['input'], place: order['configuration']['place'])
  end
end
`;

/** @returns the value, or the message of the error */
function hocon(text: string): unknown {
  const code = `require 'pxp_agent/hocon'
begin
  puts JSON.generate([PxpAgent::Hocon.parse($stdin.read)])
rescue PxpAgent::Hocon::Error => e
  puts JSON.generate([e.message])
end`;
  const output = execFileSync('ruby', ['-I', join(agentDirectory, 'lib'), '-e', code], {
    input: text,
    encoding: 'utf8',
  });
  return (JSON.parse(output) as readonly unknown[])[0];
}
