/**
 * Looks the same things up here and with the installed Puppet, and compares what is printed.
 *
 *   node test/hiera/compare-with-puppet.ts [--only REGEXP] [--verbose]
 *   node test/hiera/compare-with-puppet.ts --record     writes down what Puppet says
 *   node test/hiera/compare-with-puppet.ts --recorded   compares with what is written down, without Puppet
 *
 * Not recorded are encrypted data, whose keys are made anew each time, and what versions of Ruby answer differently.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Answer, askOurselves, type Place } from './ask-ourselves.ts';
import { type Scenario, scenarios } from './scenarios.ts';

interface Asked {
  readonly scenario: string;
  readonly place: Place;
  readonly lookup: readonly string[];
  readonly args: readonly string[];
}

const FACTS = {
  role: 'web',
  list: ['p', 'q'],
  dots: './data/../other/.',
  os: { name: 'Debian', release: { major: '12' } },
  processors: { count: 4 },
};

/**
 * The reference changes values in place that it prints only at the end: what is shown as found is what a merge with a
 * knockout prefix has left of it, and the type that `convert_to` names has become an object of Ruby, with its address.
 */
const PRINTED_TOO_LATE: readonly string[] = ['by_options --explain', 'converted_list --explain'];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    recorded: { type: 'boolean', default: false },
  },
});
const only = options.only === undefined ? undefined : new RegExp(options.only);
const recording = path.join(import.meta.dirname, '..', 'recorded', 'hiera', 'lookups.json');
const root = mkdtempSync(path.join(tmpdir(), 'bunraku-hiera-'));
try {
  run();
} finally {
  rmSync(root, { recursive: true, force: true });
}

function run(): void {
  const facts = path.join(root, 'facts.json');
  writeFileSync(facts, JSON.stringify(FACTS));
  const isRecording = options.record || options.recorded;
  const leftOut = isRecording || dropsEmptyHosts() ? 'a hierarchy with an address without a host' : undefined;
  if (leftOut !== undefined)
    process.stdout.write(`left out, older versions of Ruby answer differently: ${leftOut}\n`);
  const chosen = scenarios.filter(
    ({ isEncrypted, name }) =>
      name !== leftOut && (only?.test(name) ?? true) && !(isRecording && isEncrypted === true),
  );
  if (chosen.some(({ isEncrypted }) => isEncrypted === true)) makeKeys();
  const asked = chosen.flatMap((scenario) =>
    prepare(scenario, path.join(root, scenario.name.replaceAll(/\W+/g, '-')), facts),
  );
  const theirs = options.recorded ? readAnswers(asked) : askPuppet(asked);
  if (options.record) writeAnswers(asked, theirs);
  let [same, known] = [0, 0];
  for (const [index, question] of asked.entries()) {
    const ours = askOurselves(question.lookup, question.place);
    const expected = theirs[index] ?? { stdout: '', stderr: 'no answer', exit: -1 };
    if (isSame(plain(ours), plain(expected))) same += 1;
    else if (PRINTED_TOO_LATE.includes(question.lookup.join(' '))) known += 1;
    else report(question, ours, expected);
  }
  process.stdout.write(
    `${chosen.length} hierarchies, ${asked.length} lookups: ${same} the same, ${known} known to differ, ${asked.length - same - known} differ\n`,
  );
  process.exitCode = same + known === asked.length ? 0 : 1;
}

/** Ruby's library for URIs prints `http:///` as `http:/` before its version 0.12. */
function dropsEmptyHosts(): boolean {
  const { stdout } = spawnSync('ruby', ['-ruri', '-e', 'print URI("http:///")'], { encoding: 'utf8' });
  return stdout !== 'http:///';
}

function prepare({ files, lookups, name }: Scenario, directory: string, facts: string): readonly Asked[] {
  const environments = path.join(directory, 'environments');
  const global = path.join(directory, 'global');
  for (const [file, text] of Object.entries(files)) {
    const absolute = file.startsWith('global/')
      ? path.join(directory, file)
      : path.join(environments, 'production', file);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(
      absolute,
      encrypted(text.replaceAll('{GLOBAL}', global).replaceAll('{KEYS}', path.join(root, 'keys'))),
    );
  }
  const hiera = 'global/hiera.yaml' in files ? path.join(global, 'hiera.yaml') : path.join(root, 'none.yaml');
  const common = [
    '--node',
    'node.example.com',
    '--facts',
    facts,
    '--environmentpath',
    environments,
    '--hiera_config',
    hiera,
  ];
  const place = { directory: path.join(environments, 'production'), globalHieraConfig: hiera, facts: FACTS };
  return lookups.map((lookup) => ({ scenario: name, lookup, place, args: [...lookup, ...common] }));
}

function makeKeys(): void {
  const keys = path.join(root, 'keys');
  mkdirSync(keys);
  for (const name of ['one', 'two']) {
    const subject = [
      '-subj',
      '/',
      '-days',
      '3650',
      '-keyout',
      `${keys}/${name}.key`,
      '-out',
      `${keys}/${name}.crt`,
    ];
    const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], {
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(made.stderr);
  }
}

/** `ENC(PAIR, TEXT)` becomes what eyaml makes of the text. */
function encrypted(text: string): string {
  return text.replace(/ENC\((one|two), ([^)]*)\)/g, (_all, pair: string, clear: string) => {
    const keys = path.join(root, 'keys');
    const args = ['encrypt', '-q', '-o', 'string', '-s', clear, '--pkcs7-public-key', `${keys}/${pair}.crt`];
    const made = spawnSync('eyaml', [...args, '--pkcs7-private-key', `${keys}/${pair}.key`], {
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(made.stderr);
    return made.stdout.trim();
  });
}

function askPuppet(asked: readonly Asked[]): readonly Answer[] {
  const { status, stdout, stderr } = spawnSync(
    'ruby',
    [path.join(import.meta.dirname, 'lookup-with-puppet.rb')],
    {
      input: asked.map(({ args }) => `${JSON.stringify(args)}\n`).join(''),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...process.env, LANG: 'C.UTF-8', RUBYOPT: '--disable-error_highlight --disable-did_you_mean' },
    },
  );
  if (status !== 0) throw new Error(`lookup-with-puppet.rb failed: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"stdout"'))
    .map((line) => JSON.parse(line) as Answer);
}

/** A lookup within its hierarchy: what its answer is filed under. */
function nameOf({ lookup, scenario }: Asked): string {
  return `${scenario}: ${lookup.join(' ')}`;
}

/** Paths are below another directory each time. */
function writeAnswers(asked: readonly Asked[], answers: readonly Answer[]): void {
  const entries = asked.map((question, index) => [nameOf(question), answers[index]] as const);
  mkdirSync(path.dirname(recording), { recursive: true });
  writeFileSync(
    recording,
    `${JSON.stringify(Object.fromEntries(entries), undefined, 1).replaceAll(root, '{ROOT}')}\n`,
  );
}

function readAnswers(asked: readonly Asked[]): readonly Answer[] {
  const text = readFileSync(recording, 'utf8').replaceAll('{ROOT}', root);
  const answers: Readonly<Record<string, Answer>> = JSON.parse(text);
  return asked.map((question) => {
    const answer = answers[nameOf(question)];
    if (answer === undefined) throw new Error(`not recorded: ${nameOf(question)}`);
    return answer;
  });
}

/** Of a lookup that fails Puppet's command says nothing, unless it is to explain it. */
function isSame(ours: Answer, theirs: Answer): boolean {
  const hasMessage = theirs.stderr !== '';
  return (
    ours.stdout === theirs.stdout &&
    ours.exit === theirs.exit &&
    (!hasMessage || ours.stderr === theirs.stderr)
  );
}

function plain({ exit, stderr, stdout }: Answer): Answer {
  return { stdout: withoutParserLine(stdout.replace(/^---\s*/, '')), stderr: plainMessages(stderr), exit };
}

/** Older versions of Ruby's JSON name a line of their own source. */
function withoutParserLine(text: string): string {
  return text.replaceAll(/: \d+: unexpected token at/g, ': unexpected token at');
}

/** Without decoration; the reference says some messages once more as those of the exception inside. */
function plainMessages(text: string): string {
  return withoutParserLine(text)
    .replaceAll(/\u001b\[[\d;]*m/g, '')
    .replaceAll('Error: Could not run: ', 'Error: ')
    .replaceAll(/^(Info|Debug|Notice):.*\n/gm, '')
    .replaceAll(/\nWrapped exception:\n.*/g, '')
    .trim();
}

function report({ args, scenario }: Asked, ours: Answer, theirs: Answer): void {
  const shown = args.slice(0, args.indexOf('--node')).join(' ');
  process.stdout.write(`DIFFERENT ${scenario}: lookup ${shown}\n`);
  const [left, right] = [plain(ours), plain(theirs)];
  for (const part of ['stdout', 'stderr'] as const) {
    if (left[part] === right[part]) continue;
    const [mine, other] = [left[part].split('\n'), right[part].split('\n')];
    const at = options.verbose
      ? 0
      : Math.max(
          mine.findIndex((line, index) => line !== other[index]),
          0,
        );
    const end = options.verbose ? undefined : at + 3;
    process.stdout.write(
      `  ${part} here   ${mine.slice(at, end).join('\n              ')}\n  ${part} Puppet ${other.slice(at, end).join('\n              ')}\n`,
    );
  }
  if (left.exit !== right.exit) process.stdout.write(`  exit here ${left.exit}, Puppet ${right.exit}\n`);
}
