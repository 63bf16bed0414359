/** The server as one user, the signing process as another: code of modules cannot read the key of the authority. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { isPresent, puppetAgent } from '../../scripts/debian-packages.ts';
import { Agent } from './support/agent.ts';
import { scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

/** Users need no names. */
const server = { uid: 45_001, gid: 45_002 };
const signer = { uid: 45_003, gid: 45_002 };

const program = join(inject('program'), 'dist/main.js');

function obstacle(): string {
  if (process.getuid?.() !== 0) return 'only root can start processes of two users';
  if (!isPresent(puppetAgent)) return `Debian package ${puppetAgent.name} is missing`;
  return '';
}

scenariosUnless(obstacle(), 'A server and a signing process of two users', () => {
  const base = mkdtempSync(join(tmpdir(), 'bunraku-two-users-'));
  const data = join(base, 'data');
  const production = join(data, 'code-staging/environments/production');
  const key = join(data, 'ca/ca_key.pem');
  const socket = join(base, 'run/socket');
  const processes: ChildProcess[] = [];
  let port = 0;
  let log = '';
  let node = process.execPath;

  /** Commands of an operator, who is root. */
  const asRoot = (...args: readonly string[]) => {
    const { status, stderr, stdout } = spawnSync(node, [program, ...args], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  function start(user: typeof server, ...args: readonly string[]): ChildProcess {
    const child = spawn(node, [program, ...args], {
      ...user,
      cwd: base,
      env: { ...process.env, HOME: base },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        log += text.toString('utf8');
      });
    processes.push(child);
    return child;
  }

  const startSigner = () => start(signer, 'ca', 'signer', '--data', data, '--socket', socket);

  beforeAll(async () => {
    chmodSync(base, 0o755);
    chmodSync(dirname(dirname(program)), 0o755);
    // The checkout may be where only root looks.
    node = join(base, 'node');
    writeFileSync(node, readFileSync(process.execPath), { mode: 0o755 });
    mkdirSync(join(base, 'run'), { mode: 0o750 });
    chownSync(join(base, 'run'), signer.uid, signer.gid);
    mkdirSync(data);
    chownSync(data, server.uid, server.gid);
    stage(production);
    spawnSync('chown', ['-R', `${server.uid}:${server.gid}`, join(data, 'code-staging')]);
    expect(
      asRoot('ca', 'setup', '--data', data, '--certname', 'localhost', '--keylength', '2048').status,
    ).toBe(0);
    for (const name of ['ca_key.pem', 'root_key.pem'])
      chownSync(join(data, 'ca', name), signer.uid, signer.gid);
    port = await freePort();
    startSigner();
    const words = [
      '--data',
      data,
      '--certname',
      'localhost',
      '--serverport',
      String(port),
      '--autosign',
      'true',
    ];
    start(server, 'primary', ...words, '--ca-signer-socket', socket);
    await until('the primary is ready', () => log.includes('primary is ready'));
  });

  afterAll(async () => {
    for (const one of processes.toReversed()) one.kill();
    await until('they have ended', () =>
      processes.every((one) => one.exitCode !== null || one.signalCode !== null),
    );
    rmSync(base, { recursive: true, force: true });
  });

  function stage(environment: string): void {
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(environment, path)), { recursive: true });
      writeFileSync(join(environment, path), text);
    };
    write('manifests/site.pp', 'notify { "ruby: ${thief::read(\'KEY\')}": }\n'.replace('KEY', key));
    write(
      'modules/thief/lib/puppet/functions/thief/read.rb',
      `Puppet::Functions.create_function(:'thief::read') do
  dispatch(:read) { param 'String', :path }
  def read(path)
    "read by #{Process.uid}: #{\`cat #{path} 2>&1\`} #{IO.read(path)}"
  rescue SystemCallError => e
    "user #{Process.uid} #{e.class}"
  end
end
`,
    );
  }

  test('an agent gets its certificate, and a function in Ruby cannot read the key', async () => {
    const agent = new Agent({
      certname: 'a.two.test',
      directory: join(base, 'a'),
      server: 'localhost',
      port,
    });
    const { exitCode, output } = await agent.run();

    expect({ exitCode, output }).toMatchObject({ exitCode: 2 });
    expect(output).toContain(`ruby: user ${server.uid} Errno::EACCES`);
    expect(output).not.toContain('PRIVATE KEY');
  });

  test('file() cannot read the key', async () => {
    writeFileSync(join(production, 'manifests/site.pp'), `notify { file('${key}'): }\n`);
    expect(asRoot('code', 'commit', '--data', data, '--wait')).toMatchObject({ status: 0 });
    const agent = new Agent({
      certname: 'b.two.test',
      directory: join(base, 'b'),
      server: 'localhost',
      port,
    });
    const { output } = await agent.run();

    expect(output).not.toContain('PRIVATE KEY');
    expect(output).toContain(
      `Error while evaluating a Function Call, Permission denied @ rb_sysopen - ${key} (file: `,
    );
    expect(statSync(key)).toMatchObject({ uid: signer.uid, mode: 0o100600 });
  });

  test('a signing process that was killed is found again when its unit has started it', async () => {
    processes[0]?.kill('SIGKILL');
    await until('the primary has noticed', () => log.includes('signing process of the CA has ended'));
    startSigner();
    const agent = new Agent({
      certname: 'c.two.test',
      directory: join(base, 'c'),
      server: 'localhost',
      port,
    });
    const { output } = await agent.run();

    expect(output).toContain('Downloaded certificate for c.two.test');
  });

  test('commands of root leave nothing that the server cannot read, and status is content', () => {
    expect(asRoot('ca', 'generate', '--data', data, '--certname', 'd.two.test').status).toBe(0);
    expect(asRoot('ca', 'clean', '--data', data, '--certname', 'c.two.test').status).toBe(0);
    const { output } = asRoot('infrastructure', 'status', '--data', data);
    expect(output).toContain('fully operational');
    expect(output).not.toContain('runs under the same user');
    const paths = readdirSync(data, { recursive: true, encoding: 'utf8' });
    expect(paths.filter((path) => statSync(join(data, path)).uid === 0)).toEqual([]);
  });
});
