/**
 * `node test/ca/newer-agent.ts DIR`: runs the agent in DIR, a checkout of Puppet 8 or OpenVox 8, with the machine's Ruby
 * against an installation of ours, through a compile server: first run, second run, renewal of its certificate by
 * `hostcert_renewal_interval` and, where it has that, by `puppet ssl renew_cert`. Debian has Puppet 7 only.
 */

import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Installation } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { buildIfChanged } from '../../scripts/bundle.ts';

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('Usage: node test/ca/newer-agent.ts DIR');
  process.exit(2);
}
const agentSource = resolve(source);
const project = join(import.meta.dirname, '..', '..');
const base = mkdtempSync(join(tmpdir(), 'bunraku-newer-agent-'));
const certname = 'newer.example.net';
const failures: string[] = [];

await buildIfChanged();
const installation = new Installation({
  directory: base,
  project,
  node: process.execPath,
  ports: { primary: await freePort(), compileServers: [await freePort()], balancer: await freePort() },
  controlRepository: join(project, 'examples', 'control-repo'),
  autosign: [certname],
  settings: { allow_auto_renewal: true },
});
try {
  await installation.start();
  play(installation.options.ports.balancer);
} finally {
  await installation.stop();
  rmSync(base, { recursive: true, force: true });
}
process.exitCode = failures.length === 0 ? 0 : 1;

function play(port: number): void {
  console.log(`agent ${puppet(port, '--version').output.trim()}`);
  // Where the example keeps what it manages.
  rmSync(join('/tmp/bunraku-demo', certname), { recursive: true, force: true });
  const run = (...more: readonly string[]) => puppet(port, 'agent', '--test', ...more);
  check('first run applies the catalog', run(), 2);
  check('second run changes nothing', run(), 0);
  const before = serial();
  check('a run renews the certificate when it is time', run('--hostcert_renewal_interval', '20y'), 0);
  say('the certificate is another one', serial() !== before);
  const renewed = puppet(port, 'ssl', 'renew_cert');
  if (/Unknown action/.test(renewed.output)) console.log('this version has no ssl renew_cert');
  else check('ssl renew_cert', renewed, 0);
  check('ssl verify', puppet(port, 'ssl', 'verify'), 0);
  check('a run with the renewed certificate', run(), 0);
}

function puppet(port: number, ...words: readonly string[]) {
  const places = ['conf', 'var', 'ssl', 'public', 'log', 'run'].flatMap((name) => [
    `--${name}dir`,
    join(base, 'agent', name),
  ]);
  const server = ['--server', 'localhost', '--serverport', String(port), '--certname', certname];
  const isVersion = words[0] === '--version';
  const program = ['-I', join(agentSource, 'lib'), join(agentSource, 'bin', 'puppet'), ...words];
  const { status, stderr, stdout } = spawnSync(
    'ruby',
    isVersion ? program : [...program, ...places, ...server, '--color', 'false'],
    { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8', RUBYLIB: join(agentSource, 'lib') } },
  );
  return { exitCode: status ?? -1, output: stdout + stderr };
}

function serial(): string {
  const pem = readFileSync(join(base, 'agent', 'ssl', 'certs', `${certname}.pem`));
  return new X509Certificate(pem).serialNumber;
}

function check(what: string, { exitCode, output }: ReturnType<typeof puppet>, expected: number): void {
  const complaints = output.split('\n').filter((line) => /^(Error|Warning): (?!Facter)/.test(line));
  say(what, exitCode === expected && complaints.length === 0, `${exitCode}\n${output}`);
}

function say(what: string, isTrue: boolean, details = ''): void {
  console.log(`${isTrue ? 'ok' : 'NOT OK'}: ${what}${isTrue ? '' : ` ${details}`}`);
  if (!isTrue) failures.push(what);
}
