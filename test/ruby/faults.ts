/**
 * Kills, hangs and bloats Ruby in the middle of compiles while others go on; then many compiles with Ruby, with deploys
 * in between. Says what was left behind: processes, descriptors, pipes, memory.
 *
 *   node test/ruby/faults.ts [--faults N] [--compiles N] [--deploys N] [--ruby auto|wasm|PATH]
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { defaultLanguageSettings } from '../../src/language/environment/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { WorkerPool } from '../../src/services/compiler/pool/index.ts';
import type { CompileJob, EnvironmentSource } from '../../src/services/compiler/worker-protocol.ts';
import { builtWorker } from '../support/built-worker.ts';

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '300' },
    compiles: { type: 'string', default: '10000' },
    deploys: { type: 'string', default: '20' },
    ruby: { type: 'string', default: 'auto' },
  },
});
const [faults, compiles, deploys] = [Number(values.faults), Number(values.compiles), Number(values.deploys)];

/** What goes wrong, and what the message says of it; `killed from outside` needs help. */
const kinds: readonly (readonly [name: string, code: string, message: RegExp])[] = [
  [
    'kills itself',
    'Process.kill(:KILL, Process.pid); sleep',
    /Ruby ended unexpectedly .*the function 'm::fault'|sending a signal needs a Ruby of the machine/,
  ],
  ['leaves', 'exit!(1)', /Ruby ended unexpectedly .*the function 'm::fault'/],
  ['hangs', 'loop {}', /'m::fault' .*took longer than 2 seconds/],
  ['sleeps', 'sleep 60', /'m::fault' .*took longer than 2 seconds/],
  ['takes memory', 'a = []; loop { a << "x" * 20_000_000 }', /'m::fault' .*(needed more memory|took longer)/],
  ['nests', 'def self.d(n); d(n + 1); end; d(0)', /stack level too deep|took longer/],
  ['raises', 'raise "no"', /no/],
  ['exits', 'exit', /'m::fault' .*called exit/],
];

const fault = `Puppet::Functions.create_function(:'m::fault') do
  def fault(code)
    eval(code)
  end
end
`;
const fine = `Puppet::Functions.create_function(:'m::fine') do
  def fine(list)
    list.map { |item| item.to_s.upcase }.join('-')
  end
end
`;
const manifest = `
notify { m::fine(['a', 1, $facts['kernel']]): message => inline_template('<%= instance_variables.length > 0 %>') }
if $trusted['certname'] =~ /^fault(\\d+)$/ { notify { String(m::fault($facts['code'])): } }
`;

const root = mkdtempSync(path.join(tmpdir(), 'bunraku-faults-'));
// Others make pipes, too.
process.env['TMPDIR'] = root;
const pool = new WorkerPool({
  workers: 2,
  workerUrl: builtWorker(new URL('../../src/services/compiler/compile-worker.ts', import.meta.url)),
  timeoutMs: 30_000,
  maxQueued: 100_000,
  maxHeapMiB: 512,
  ruby: values.ruby,
  rubyTimeoutSeconds: 2,
  rubyMemoryBytes: 400 * 2 ** 20,
  log: silentLogger,
});
let version = 0;
let problems = 0;
try {
  await run();
} finally {
  await pool.close();
  rmSync(root, { recursive: true, force: true });
}

async function run(): Promise<void> {
  let source = deploy();
  await Promise.all(Array.from({ length: 8 }, (_, index) => compile(source, `warm${index}`)));
  await misbehave(source);
  const before = await settled();
  for (let round = 0; round < deploys; round += 1) {
    const old = source;
    source = deploy();
    pool.forget(old.key);
    await Promise.all(
      Array.from({ length: Math.ceil(compiles / deploys) }, (_, index) => compile(source, `node${index}`)),
    );
  }
  const after = await settled();
  process.stdout.write(
    `after the faults ${describe(before)}\nafter ${compiles} compiles ${describe(after)}\n`,
  );
  // One for each worker.
  expectNoMore('processes', 2, after.processes, 0);
  // Those of a Ruby in a thread, of which there is one or not at the moment of the first count.
  expectNoMore('descriptors', before.descriptors, after.descriptors, values.ruby === 'wasm' ? 12 : 4);
  expectNoMore('directories of pipes', 0, after.pipes, 0);
  expectNoMore('MiB', before.residentMiB, after.residentMiB, 150);
  await pool.close();
  await sleep(500);
  expectNoMore('processes after the end', 0, children().filter(isRunning).length, 0);
  process.stdout.write(problems === 0 ? 'nothing is left behind\n' : `${problems} problems\n`);
  process.exitCode = problems === 0 ? 0 : 1;
}

/** A new version of the environment. */
function deploy(): EnvironmentSource {
  version += 1;
  const directory = path.join(root, String(version));
  const functions = path.join(directory, 'modules/m/lib/puppet/functions/m');
  mkdirSync(functions, { recursive: true });
  mkdirSync(path.join(directory, 'manifests'));
  writeFileSync(path.join(functions, 'fault.rb'), fault);
  writeFileSync(path.join(functions, 'fine.rb'), fine);
  writeFileSync(path.join(directory, 'manifests/site.pp'), manifest);
  const logical = '/code/environments/production';
  return {
    key: String(version),
    physicalDirectory: directory,
    config: {
      name: 'production',
      directory: logical,
      modulepath: [`${logical}/modules`],
      manifest: `${logical}/manifests`,
      configVersion: version,
      codeId: null,
      settings: defaultLanguageSettings,
    },
  };
}

/** Every second compile is one that must not notice. */
async function misbehave(source: EnvironmentSource): Promise<void> {
  const counts = { asExpected: 0, undisturbed: 0 };
  const killer = setInterval(killOne, 700);
  const ours: Promise<void>[] = [];
  for (let index = 0; index < faults; index += 1) {
    const [, code = '', message = /./] = kinds[index % kinds.length] ?? [];
    ours.push(
      refused(source, `fault${index}`, code).then((text) => {
        // Killed from outside it may be at any time.
        if (message.test(text) || /Ruby ended unexpectedly/.test(text)) counts.asExpected += 1;
        else complain(`fault ${index} (${code}): ${text}`);
      }),
      compile(source, `node${index}`, true).then(() => {
        counts.undisturbed += 1;
      }),
    );
  }
  await Promise.all(ours);
  clearInterval(killer);
  process.stdout.write(
    `${faults} faults: ${counts.asExpected} with their error; ${counts.undisturbed} other compiles beside them\n`,
  );
}

async function refused(source: EnvironmentSource, certname: string, code: string): Promise<string> {
  try {
    await pool.compile(source, jobFor(certname, code));
    return 'it compiles';
  } catch (error) {
    return (error as Error).message;
  }
}

async function compile(source: EnvironmentSource, certname: string, mayBeKilled = false): Promise<void> {
  try {
    await pool.compile(source, jobFor(certname, ''));
  } catch (error) {
    const { message } = error as Error;
    if (!mayBeKilled || !message.includes('Ruby ended unexpectedly')) complain(`${certname}: ${message}`);
  }
}

function jobFor(certname: string, code: string): CompileJob {
  return {
    certname,
    facts: { kernel: 'Linux', code },
    trusted: { authenticated: 'remote', certname, extensions: {}, external: {} },
    serverFacts: {},
    node: { classes: {}, parameters: {} },
    format: 'rich_data_json',
  };
}

/** One of the Rubies, as the kernel does when there is no memory left. */
function killOne(): void {
  const [pid] = children();
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function complain(text: string): void {
  problems += 1;
  if (problems <= 10) process.stdout.write(`PROBLEM: ${text}\n`);
}

function expectNoMore(what: string, before: number, after: number, slack: number): void {
  if (after > before + slack) complain(`${what}: ${before}, then ${after}`);
}

interface State {
  readonly processes: number;
  readonly descriptors: number;
  readonly pipes: number;
  readonly residentMiB: number;
}

async function settled(): Promise<State> {
  await sleep(1500);
  globalThis.gc?.();
  return {
    processes: children().length,
    descriptors: readdirSync('/proc/self/fd').length,
    pipes: readdirSync(tmpdir()).filter((name) => name.startsWith('bunraku-ruby-')).length,
    residentMiB: Math.round(process.memoryUsage().rss / 2 ** 20),
  };
}

function describe({ descriptors, pipes, processes, residentMiB }: State): string {
  return `there are ${processes} Ruby processes, ${descriptors} descriptors, ${pipes} directories of pipes, ${residentMiB} MiB`;
}

/** Not one that has ended, and that only we could wait for: it goes when we do. */
function isRunning(pid: number): boolean {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return !text.slice(text.lastIndexOf(')') + 2).startsWith('Z');
}

/** Rubies that this process has started and that are still there. */
function children(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      // Zombies count, too.
      const isOurs = Number(parent) === process.pid && /\(.*ruby.*\)/.test(text);
      return isOurs ? [Number(name)] : [];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ESRCH') return [];
      throw error;
    }
  });
}
