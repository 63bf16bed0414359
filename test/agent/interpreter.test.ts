/** By which program the agent runs a file. */

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sha256 } from './replay.ts';
import { RunningAgent, TestSite } from './running-agent.ts';
import { FileServer, type PcpMessage, TestBroker } from './test-broker.ts';

const library = join(import.meta.dirname, '..', '..', 'agent', 'lib');
const packaged = '/opt/puppetlabs/puppet/bin/ruby';
const packagedOnWindows = 'C:/Program Files/Puppet Labs/Puppet/puppet/bin/ruby.exe';
/** On a machine with Puppet's or OpenVox' package this Ruby runs the file, as the file says. */
const isMissing = !existsSync(packaged);

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-interpreter-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** The command for a file with that first line, in words; `RUBY` is the agent's own. */
function command(firstLine: string): readonly string[] {
  const file = join(directory, 'init.rb');
  writeFileSync(file, `${firstLine}\nputs 'ran'\n`);
  chmodSync(file, 0o755);
  const code = `require 'pxp_agent/command'
command = PxpAgent::Command.of_file(ARGV[0], ['one'])
puts JSON.generate([command.executable, *command.arguments].map { |word| word == RbConfig.ruby ? 'RUBY' : word })`;
  const output = execFileSync('ruby', ['-I', library, '-r', 'json', '-e', code, file], { encoding: 'utf8' });
  return (JSON.parse(output) as readonly string[]).map((word) => word.replace(file, 'FILE'));
}

describe('a file that names the Ruby of packages', () => {
  test.runIf(isMissing).each([
    [`#!${packaged}`, ['RUBY', 'FILE', 'one']],
    [`#! ${packaged} -w -W0 `, ['RUBY', '-w -W0', 'FILE', 'one']],
    [`#!${packaged}\r`, ['RUBY', 'FILE', 'one']],
    [`#!${packagedOnWindows}`, ['RUBY', 'FILE', 'one']],
    [`#!"${packagedOnWindows.replaceAll('/', '\\')}"`, ['RUBY', 'FILE', 'one']],
  ])('is run by the Ruby of the agent where that is missing: %j', (firstLine, words) => {
    expect(command(firstLine)).toEqual(words);
  });

  test.skipIf(isMissing)('is run as it says where that is there', () => {
    expect(command(`#!${packaged}`)).toEqual(['FILE', 'one']);
  });
});

test.each(['#!/usr/bin/env ruby', `#!${packaged}2`, `#!/x${packaged}`, `# ${packaged}`, ''])(
  'any other file is run as it says: %j',
  (firstLine) => {
    expect(command(firstLine)).toEqual(['FILE', 'one']);
  },
);

test('a task for the Ruby of packages runs on a machine with any Ruby', async () => {
  const site = new TestSite();
  const broker = new TestBroker(site.broker);
  const files = new FileServer(site.broker);
  await broker.listen();
  const agent = new RunningAgent(site, {
    'broker-ws-uris': [`wss://localhost:${broker.port}/pcp2/`],
    'master-uris': [await files.listen()],
  });
  const text = `#!${packaged}\nrequire 'json'\nputs JSON.parse($stdin.read)['word']\n`;
  files.files.set('/init.rb', text);
  agent.start();
  await vi.waitUntil(() => broker.isConnected, { timeout: 60_000 });

  const file = { filename: 'init.rb', uri: { path: '/init.rb', params: {} }, sha256: sha256(text) };
  const params = { task: 'm', files: [file], input: { word: 'heard' } };
  broker.send({
    id: 'm',
    message_type: 'http://puppetlabs.com/rpc_non_blocking_request',
    sender: 'pcp://m/server',
    data: { transaction_id: 't', notify_outcome: true, module: 'task', action: 'run', params },
  });
  const isEnd = ({ message_type: type }: PcpMessage) => !type.endsWith('provisional_response');
  const answer = await vi.waitUntil(() => broker.take(isEnd), { timeout: 60_000 });

  expect(answer.data).toEqual({ transaction_id: 't', results: { exitcode: 0, stdout: 'heard\n' } });
  await agent.stop();
  await broker.stop();
  await files.stop();
  site.remove();
});
