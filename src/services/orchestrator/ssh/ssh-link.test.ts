/** Actions by the system's `ssh`, on an SSH server of this machine. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type SshServer, startSshServer } from '../../../../test/support/ssh-server.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { serverItself } from '../../../platform/changes/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { type StartProcess, startProcess } from '../../../platform/processes/index.ts';
import type { AgentMessage } from '../agent-link.ts';
import { combinedLink } from '../combined-link.ts';
import { JobRunner } from '../job-runner.ts';
import { decodeAnswer, queryType, requestType } from '../jobs/agent-answer.ts';
import { SimulatedFleet, SimulatedStore, VirtualTime } from '../simulated-fleet.testing.ts';
import type { ConnectionStore, SshConnection, SshSecrets } from './connection.ts';
import { Connections } from './connections.ts';
import { Downloads } from './downloads.ts';
import { SshLink } from './ssh-link.ts';

const node = 'ssh.example.vm';
const script = Buffer.from('#!/bin/sh\necho "got $1"; echo oh >&2; exit 3\n');
const library = Buffer.from('from the library\n');

const calm = { calmMs: Number.POSITIVE_INFINITY, longestBreakMs: 0, doubled: 0, restarts: 0, kills: 0 };
const policy = {
  disconnectedMs: 30_000,
  disconnectedAfterRestartMs: 120_000,
  answerMs: 10_000,
  quietMs: 60_000,
  silentMs: 300_000,
  mostDeliveries: 5,
  reportRetryMs: 500,
  mostReportTries: 5,
};

/** Stand for those of the node, which are not there or belong to this machine. */
const programs = {
  sudo: `#!/bin/sh
if [ "$1" != -S ]; then echo "sudo: a password is required" >&2; exit 1; fi
read -r password
if [ "$password" != right ]; then echo "sudo: 1 incorrect password attempt" >&2; exit 1; fi
shift 4
IS_ROOT=yes exec "$@"
`,
  puppet: `#!/bin/sh
report=DIRECTORY/report.yaml
case "$*" in
  config*) echo $report;;
  *disabled*) echo "Notice: Skipping run; administratively disabled"; exit 1;;
  *)
    printf -- "--- !ruby/object:Puppet::Transaction::Report\\nhost: x\\n" > $report
    printf "transaction_uuid: 5c3a7d1e-0f2b-4c55-9d0e-%012d\\nenvironment: production\\n" $$ >> $report
    echo "ran $*"; exit \${CODE:-2};;
esac
`,
};

let directory: string;
let server: SshServer;
let link: SshLink;
let messages: AgentMessage[];
let ids = 0;
let start: StartProcess;
/** Content by path. */
let contents: Readonly<Record<string, Buffer>>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-ssh-'));
  mkdirSync(join(directory, 'bin'));
  for (const [name, content] of Object.entries(programs))
    writeFileSync(join(directory, 'bin', name), content.replaceAll('DIRECTORY', directory), { mode: 0o755 });
  execFileSync('/usr/bin/ssh-keygen', [
    '-q',
    '-t',
    'ed25519',
    '-N',
    '',
    '-f',
    join(directory, 'ssh-stranger'),
  ]);
  server = await startSshServer(directory, [`SetEnv PATH=${directory}/bin:/usr/bin:/bin`]);
});
afterAll(() => {
  server.process.kill();
  rmSync(directory, { recursive: true });
});

beforeEach(async () => {
  start = startProcess;
  contents = { '/script': script, '/library': library };
  mkdirSync(join(directory, 'nodes'));
  mkdirSync(join(directory, 'secrets'));
  await open('client');
});
afterEach(() => {
  link.close();
  rmSync(join(directory, 'nodes'), { recursive: true });
  rmSync(join(directory, 'secrets'), { recursive: true });
  rmSync(join(directory, 'downloads'), { recursive: true, force: true });
});

async function open(
  key: string,
  more: Partial<SshConnection['parameters']> = {},
  sudo: SshSecrets = {},
): Promise<void> {
  const connection: SshConnection = {
    id: 'an id',
    certname: node,
    parameters: {
      user: userInfo().username,
      port: server.port,
      hostname: '127.0.0.1',
      connectTimeoutSeconds: 10,
      directory: join(directory, 'nodes'),
      isSuperuser: false,
      checksHostKey: true,
      ...more,
    },
  };
  const secrets: SshSecrets = { privateKey: readFileSync(join(directory, `ssh-${key}`), 'utf8'), ...sudo };
  const store: ConnectionStore = {
    all: () => Promise.resolve([connection]),
    secretsOf: () => Promise.resolve(secrets),
    add: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  };
  const newId = () => `id-${(ids += 1)}`;
  const connections = new Connections({ store, newId, nowMs: () => 0 });
  await connections.load();
  link = new SshLink({
    connections,
    start: (...what) => start(...what),
    temporaryDirectory: join(directory, 'secrets'),
    knownHostsFile: join(directory, 'known_hosts'),
    path: process.env['PATH'],
    readFile: ({ path }) => Promise.resolve(contents[path] ?? Buffer.of()),
    downloads: new Downloads({
      directory: join(directory, 'downloads'),
      temporaryDirectory: join(directory, 'secrets'),
      mostBytes: 3 * 2 ** 20,
    }),
    newId,
    nowMs: () => 0,
    log: silentLogger,
  });
  const heard: AgentMessage[] = [];
  messages = heard;
  link.listen({
    message: (_, message) => heard.push(message),
    connected: () => undefined,
    lost: () => undefined,
  });
}

/** @returns what the node answered in the end */
async function ask(module: string, action: string, params: JsonObject, id = `transaction-${(ids += 1)}`) {
  await link.send(node, requestType, { transaction_id: id, notify_outcome: true, module, action, params });
  return await vi.waitFor(
    () => {
      const found = messages
        .map(decodeAnswer)
        .find((each) => each?.answer.kind === 'results' || each?.answer.kind === 'error');
      if (found === undefined) throw new Error('no answer yet');
      return found.answer;
    },
    { timeout: 30_000 },
  );
}

const reference = (filename: string, content: Buffer, path = '/script') => ({
  filename,
  sha256: createHash('sha256').update(content).digest('hex').toUpperCase(),
  uri: { path, params: { environment: 'production' } },
});

test('a command runs in a shell, and leaves nothing behind', async () => {
  const command = `umask; echo "it's $((40 + 2))"; echo oh >&2; exit 7`;

  expect(await ask('command', 'run', { command })).toEqual({
    kind: 'results',
    results: { exitcode: 7, stdout: "0022\nit's 42\n", stderr: 'oh\n' },
  });
  expect([readdirSync(join(directory, 'nodes')), readdirSync(join(directory, 'secrets'))]).toEqual([[], []]);
  expect(messages.map(decodeAnswer).map((each) => each?.answer.kind)).toEqual(['accepted', 'results']);
});

test('a script gets its arguments as they are', async () => {
  const params = { script: reference('a.sh', script), arguments: ["it's $HOME"] };

  expect(await ask('script', 'run', params)).toMatchObject({
    results: { exitcode: 3, stdout: "got it's $HOME\n", stderr: 'oh\n' },
  });
});

test('a task gets its parameters, and the files that it needs', async () => {
  const content = Buffer.from(
    '#!/bin/sh\necho "$PT_a $PT_list"; cat; echo; cat "$PT__installdir/m/files/x"\n',
  );
  const task = {
    task: 'm::t',
    input: { a: "it's", list: [1, 'two'] },
    files: [
      reference('t.rb', library),
      reference('t.sh', content),
      reference('m/files/x', library, '/library'),
    ],
    metadata: {
      implementations: [
        { name: 't.rb', requirements: ['puppet-agent'] },
        { name: 't.sh', requirements: ['shell'], files: ['m/files/x'] },
      ],
    },
  };
  contents = { '/script': content, '/library': library };

  const answer = await ask('task', 'run', task);

  const { results } = answer as Extract<typeof answer, { readonly kind: 'results' }>;
  const [first, input, more] = String(results['stdout']).split('\n');
  expect(first).toBe('it\'s [1,"two"]');
  expect(JSON.parse(input ?? '')).toMatchObject({ a: "it's", list: [1, 'two'], _task: 'm::t' });
  expect(more).toBe('from the library');
});

test.each([
  [{ sudoPassword: 'right' }, { results: { exitcode: 0, stdout: 'yes run\n' } }],
  [{ sudoPassword: 'wrong' }, { description: expect.stringMatching(/reached by SSH: sudo: 1 incorrect/) }],
  [{}, { description: expect.stringMatching(/reached by SSH: sudo: a password is required/) }],
])('with sudo and %j commands run as the superuser, or not at all', async (sudo, expected) => {
  await open('client', { isSuperuser: true }, sudo);

  // The password is not left where the command could find it.
  expect(await ask('command', 'run', { command: 'echo $IS_ROOT $(ls | grep -v command)' })).toMatchObject(
    expected,
  );
});

/** Downloads a source from the node. */
async function collect(source: string) {
  messages.length = 0;
  const answer = await ask('file', 'collect', { source, destination: 'logs/today' });
  const place = join(directory, 'downloads', 'logs', 'today', node);
  return { answer, place };
}

function resultOf({ answer }: Awaited<ReturnType<typeof collect>>): JsonObject {
  const { results } = answer as Extract<typeof answer, { readonly kind: 'results' }>;
  return results;
}

test('a file or directory of the node arrives unchanged, with links replaced by their targets', async () => {
  const source = join(directory, 'nodes', "it's here");
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
  mkdirSync(join(source, 'below'), { recursive: true });
  writeFileSync(join(source, 'below', 'bytes'), bytes);
  writeFileSync(join(source, 'run.sh'), 'echo', { mode: 0o755 });
  linkSync(join(source, 'run.sh'), join(source, 'second-name'));
  symlinkSync('/etc/hostname', join(source, 'link'));

  const whole = await collect(`${source}/`);
  const one = await collect(join(source, 'run.sh'));

  const path = join(whole.place, "it's here");
  expect(JSON.parse(String(resultOf(whole)['stdout']))).toEqual({
    path,
    _output: `Downloaded '127.0.0.1:${source}/' to '${whole.place}'`,
  });
  expect(readFileSync(join(path, 'below', 'bytes')).equals(bytes)).toBe(true);
  expect(readFileSync(join(path, 'link'), 'utf8')).toBe(readFileSync('/etc/hostname', 'utf8'));
  expect(readFileSync(join(path, 'second-name'), 'utf8')).toBe('echo');
  expect(lstatSync(join(path, 'link')).isFile()).toBe(true);
  expect(lstatSync(join(path, 'run.sh')).mode & 0o777).toBe(0o700);
  expect(readdirSync(one.place)).toEqual(["it's here", 'run.sh']);
  expect([readdirSync(join(directory, 'nodes')), readdirSync(join(directory, 'secrets'))]).toEqual([
    ["it's here"],
    [],
  ]);
});

test('a download that cannot be read completely leaves no files', async () => {
  const large = join(directory, 'nodes', 'large');
  writeFileSync(large, Buffer.alloc(3 * 2 ** 20 + 1));

  const missing = await collect('/no/such/file');
  const tooLarge = await collect(large);
  const nameless = await collect('/');

  expect(resultOf(missing)).toMatchObject({ stderr: expect.stringContaining('/no/such'), stdout: '' });
  expect(resultOf(tooLarge)).toMatchObject({ exitcode: 1, stderr: 'it is larger than 3 MiB' });
  expect(nameless.answer).toMatchObject({
    kind: 'error',
    description: '/ does not end with the name of a file or directory',
  });
  expect(existsSync(join(directory, 'downloads'))).toBe(false);
  expect(readdirSync(join(directory, 'secrets'))).toEqual([]);
});

test('a download from an unreachable node fails with that reason', async () => {
  await open('stranger');

  const { answer } = await collect('/etc/hostname');

  expect(answer).toMatchObject({
    kind: 'error',
    description: expect.stringMatching(/^ssh\.example\.vm cannot be reached by SSH: /),
  });
  expect(readdirSync(join(directory, 'secrets'))).toEqual([]);
});

test('Puppet runs with the flags of the job, and its report tells what came of it', async () => {
  const flags = ['--environment', 'production', '--noop'];

  expect(await ask('pxp-module-puppet', 'run', { flags, job: '12' })).toEqual({
    kind: 'results',
    results: {
      status: 'changed',
      exitcode: 0,
      transaction_uuid: expect.stringMatching(/^5c3a7d1e-0f2b-4c55-9d0e-\d{12}$/),
      environment: 'production',
    },
  });
});

test('Puppet that does not run says why', async () => {
  expect(await ask('pxp-module-puppet', 'run', { flags: ['--tags', 'disabled'] })).toEqual({
    kind: 'results',
    results: {
      status: 'unknown',
      exitcode: 1,
      error: 'Notice: Skipping run; administratively disabled',
    },
  });
});

test('output appears while a command runs, once', async () => {
  const go = join(directory, 'go');
  const id = 'followed';
  const command = `echo one; echo two >&2; until [ -e ${go} ]; do sleep 0.05; done; echo three`;
  const answer = ask('command', 'run', { command }, id);
  const pieces = () => messages.filter(({ messageType }) => messageType.endsWith('rpc_action_output'));
  const follow = { transaction_id: 'q', module: 'output', action: 'follow', params: { transaction_id: id } };

  await vi.waitFor(() => expect(messages).not.toHaveLength(0));
  await link.send(node, queryType, follow);
  await vi.waitFor(() => expect(pieces()).toHaveLength(2), { timeout: 20_000 });
  await link.send(node, queryType, { ...follow, module: 'status', action: 'query' });
  await vi.waitFor(() =>
    expect(messages.map(decodeAnswer)).toContainEqual(
      expect.objectContaining({ answer: { kind: 'running' } }),
    ),
  );
  writeFileSync(go, '');
  await answer;

  expect(pieces().map(({ data }) => data)).toEqual([
    { transaction_id: id, stream: 'stdout', offset: 0, text: 'one\n' },
    { transaction_id: id, stream: 'stderr', offset: 0, text: 'two\n' },
    { transaction_id: id, stream: 'stdout', offset: 4, text: 'three\n' },
  ]);
});

test('a request that comes twice runs once, and its end can be asked for', async () => {
  const file = join(directory, 'count');
  const id = 'twice';
  const command = `echo x >> ${file}`;
  await ask('command', 'run', { command }, id);
  await ask('command', 'run', { command }, id);
  await vi.waitFor(() => expect(messages).toHaveLength(3));
  const query = { transaction_id: 'q', module: 'status', action: 'query', params: { transaction_id: id } };
  messages.length = 0;
  await link.send(node, queryType, query);

  await vi.waitFor(() =>
    expect(messages.map(decodeAnswer)).toMatchObject([{ transactionId: id, answer: { kind: 'results' } }]),
  );
  expect(readFileSync(file, 'utf8')).toBe('x\n');
});

test('what an earlier process began is unknown, and is not begun again', async () => {
  const query = {
    transaction_id: 'q',
    module: 'status',
    action: 'query',
    params: { transaction_id: 'earlier' },
  };
  await link.send(node, queryType, query);

  await vi.waitFor(() =>
    expect(messages.map(decodeAnswer)).toMatchObject([
      { transactionId: 'earlier', answer: { kind: 'unknown', queryId: 'q', isUnheardOf: false } },
    ]),
  );
});

test('a script that comes along gets its variables', async () => {
  const content = Buffer.from('#!/bin/sh\necho "$GIVEN, $1"\n').toString('base64');
  const variables = { GIVEN: "it's $HOME" };
  const input = { name: 'a.sh', content, arguments: ['one'], variables };

  const answer = await ask('task', 'run', {
    task: 'bunraku::script',
    files: [reference('script.sh', script)],
    metadata: {},
    input,
  });

  expect(answer).toMatchObject({ results: { exitcode: 0, stdout: "it's $HOME, one\n" } });
});

test('a connection that is lost while something runs leaves its end unknown', async () => {
  const begun = join(directory, 'begun');
  const answer = ask('command', 'run', { command: `touch ${begun}; sleep 3` });
  await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 20_000 });
  // The processes of this connection alone.
  const { pid } = server.process;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const each of children) process.kill(Number(each), 'SIGKILL');

  expect(await answer).toMatchObject({
    kind: 'error',
    description: expect.stringMatching(
      /^it is unknown whether it ran to its end: the connection to ssh\.example\.vm/,
    ),
  });
});

test.each([
  ['no key that the node knows', 'stranger', {}, /Permission denied/],
  ['no server', 'client', { port: 1 }, /Connection refused/],
  ['a directory that is not there', 'client', { directory: '/no/such/place' }, /No such file or directory/],
])('with %s nothing runs, and the reason is told', async (_, key, parameters, reason) => {
  await open(key, parameters);

  expect(await ask('command', 'run', { command: 'true' })).toMatchObject({
    kind: 'error',
    description: expect.stringMatching(reason),
  });
});

test.each([
  ['Read from remote host 192.0.2.1: Connection reset by peer', /^it is unknown whether it ran/],
  ['Connection to 192.0.2.1 closed by remote host.', /^it is unknown whether it ran/],
  ['Timeout, server 192.0.2.1 not responding.', /^it is unknown whether it ran/],
  [
    'ssh: connect to host 192.0.2.1 port 22: No route to host',
    /^ssh\.example\.vm cannot be reached by SSH: /,
  ],
  ['ssh: Could not resolve hostname x: Name or service not known', /^ssh\.example\.vm cannot be reached/],
  ['kex_exchange_identification: Connection closed by remote host', /^ssh\.example\.vm cannot be reached/],
])('when ssh ends with %j it is only said that nothing ran when that is certain', async (said, expected) => {
  start = (_, __, options) =>
    startProcess('sh', ['-c', 'echo "$SAID" >&2; exit 255'], {
      ...options,
      environment: { ...options.environment, SAID: said },
    });

  expect(await ask('command', 'run', { command: 'true' })).toMatchObject({
    kind: 'error',
    description: expect.stringMatching(expected),
  });
});

test('a host whose key has changed is refused', async () => {
  writeFileSync(
    join(directory, 'known_hosts'),
    `[127.0.0.1]:${server.port} ${readFileSync(join(directory, 'ssh-stranger.pub'), 'utf8')}`,
  );

  expect(await ask('command', 'run', { command: 'true' })).toMatchObject({
    kind: 'error',
    description: expect.stringMatching(/^ssh\.example\.vm cannot be reached by SSH: /),
  });
  rmSync(join(directory, 'known_hosts'));
});

test('a job reaches nodes by SSH, and says what came of it', async () => {
  const time = new VirtualTime();
  const store = new SimulatedStore();
  const agents = new SimulatedFleet(time, () => 0.5, calm, 0).link((act) => Promise.resolve(act()));
  const runner = new JobRunner({
    store: store.view((act) => Promise.resolve(act())),
    link: combinedLink(agents, link),
    findReport: () => Promise.resolve(undefined),
    policy,
    limits: { deploy: 8, task: 250 },
    nowMs: () => time.now,
    newId: () => `job-${(ids += 1)}`,
    pause: () => Promise.resolve(),
    log: silentLogger,
  });
  await runner.start();
  const definition = {
    type: 'command',
    options: {},
    environment: '',
    owner: { id: '1', login: 'admin' },
    description: '',
  } as const;
  const request = { module: 'command', action: 'run', params: { command: 'echo done' } };
  await runner.add({ definition, levels: [[node]], request }, serverItself);
  const ended = () => store.jobs.get(1)?.actions.get(node);

  await vi.waitFor(() => expect(ended()?.state).toBe('finished'), { timeout: 20_000 });
  expect(ended()?.outcome).toEqual({
    state: 'finished',
    result: { stdout: 'done\n', stderr: '', exit_code: 0 },
  });
  await runner.close();
});

test('what needs an agent is refused', async () => {
  expect(await ask('apply', 'prep', { environment: 'production' })).toEqual({
    kind: 'error',
    description: "It is not possible to run 'apply prep' by SSH",
  });
});
