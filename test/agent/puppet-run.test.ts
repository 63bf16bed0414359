/** The module `pxp-module-puppet`: recorded answers to requests, with a stand-in for `puppet` that does what is recorded. */

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordedSteps } from './replay.ts';

const program = join(import.meta.dirname, '..', '..', 'agent', 'libexec', 'run-puppet');

interface Params {
  readonly flags: readonly string[];
  readonly job?: string;
}

let directory = '';
const path = (name: string) => join(directory, name);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-puppet-run-'));
  writeFileSync(path('puppet'), standIn);
  chmodSync(path('puppet'), 0o755);
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Steps whose results are had without a server; what the run does in each. */
const steps: readonly (readonly [string, string])[] = [
  ['debug, trace and evaltrace', 'changed 8 1'],
  ['a resource fails', 'failed 8 0'],
  ['the catalog cannot be compiled', 'exit 1'],
  ['a flag that is not permitted', ''],
  ['a flag with characters that are not permitted', ''],
  ['a default flag turned round', ''],
  ['an unknown entry beside flags: let through', 'unchanged 7 0'],
  ['run while the agent is disabled', 'disabled'],
];

test.each(steps)('%s', async (note, behaviour) => {
  const { params, results } = recorded(note);
  writeFileSync(path('behaviour'), behaviour);
  writeFileSync(path('report-template'), reportOf(results));
  if (behaviour === 'disabled') writeFileSync(path('disabled.lock'), '');

  const answer = await runPuppet(params);

  expect(JSON.parse(answer.output)).toEqual(results);
  expect(answer.code).toBe('error' in results ? 1 : 0);
});

test('the flags that every run gets are added, and the job', async () => {
  writeFileSync(path('behaviour'), 'unchanged 7 0');
  writeFileSync(path('report-template'), reportOf({ status: 'unchanged', metrics: {} }));

  await runPuppet({ flags: ['--noop', '--environment', 'production', '--onetime'], job: '42' });

  expect(readFileSync(path('arguments'), 'utf8').trim()).toBe(
    'agent --noop --environment production --onetime --no-daemonize --verbose --job-id 42',
  );
});

test('what Puppet says goes into the log', async () => {
  writeFileSync(path('behaviour'), 'unchanged 7 0');
  writeFileSync(path('report-template'), reportOf({ status: 'unchanged', metrics: {} }));

  await runPuppet({ flags: [] });

  expect(readFileSync(path('log'), 'utf8')).toBe('Info: running\n');
});

test('another run is waited for, and then Puppet runs', async () => {
  writeFileSync(path('behaviour'), 'exit 1');
  writeFileSync(path('run.lock'), '');
  writeFileSync(path('report-template'), reportOf({ status: 'unchanged', metrics: {} }));
  setTimeout(() => {
    writeFileSync(path('behaviour'), 'unchanged 7 0');
    rmSync(path('run.lock'));
  }, 1500);

  const answer = await runPuppet({ flags: [] });

  expect(JSON.parse(answer.output)).toMatchObject({ status: 'unchanged', exitcode: 0 });
});

test.each([
  ['no report', 'silent', 'no_last_run_report', "report.yaml doesn't exist"],
  ['a report that cannot be read', 'garbage', 'invalid_last_run_report', 'could not be loaded'],
])('%s', async (_what, behaviour, type, message) => {
  writeFileSync(path('behaviour'), behaviour);

  const answer = await runPuppet({ flags: [] });

  expect(JSON.parse(answer.output)).toMatchObject({ error_type: type, status: 'unknown' });
  expect((JSON.parse(answer.output) as { error: string }).error).toContain(message);
});

test('no puppet', async () => {
  rmSync(path('puppet'));

  const answer = await runPuppet({ flags: [] });

  expect(JSON.parse(answer.output)).toMatchObject({
    error_type: 'no_puppet_bin',
    error: `Puppet executable '${path('puppet')}' does not exist`,
    exitcode: -1,
  });
});

function recorded(note: string) {
  const step = recordedSteps('v2-puppet-run').find((each) => each.note === note);
  const messages = step?.entries.flatMap(({ message }) => message ?? []) ?? [];
  const data = messages.map(
    (message) => message.data as { params?: Params; results?: Readonly<Record<string, unknown>> },
  );
  const params = data.find((each) => each.params)?.params;
  const results = data.find((each) => each.results)?.results;
  if (params === undefined || results === undefined) throw new Error(`nothing is recorded as ${note}`);
  return { params, results };
}

/** A report as Puppet writes it, with its Ruby classes. */
function reportOf(results: Readonly<Record<string, unknown>>): string {
  const metrics = Object.entries((results['metrics'] ?? {}) as Readonly<Record<string, number>>);
  return `--- !ruby/object:Puppet::Transaction::Report
host: agent01.example.vm
time: '${String(results['time'])}'
configuration_version: 1400000000
transaction_uuid: ${String(results['transaction_uuid'])}
environment: ${String(results['environment'])}
status: ${String(results['status'])}
logs:
- !ruby/object:Puppet::Util::Log
  level: !ruby/sym notice
  message: "x: y"
metrics:
  resources: !ruby/object:Puppet::Util::Metric
    name: resources
    label: Resources
    values: ${metrics.length === 0 ? '[]' : ''}
${metrics.map(([name, value]) => `    - - ${name}\n      - ${name}\n      - ${value}`).join('\n')}
`;
}

function runPuppet(input: Params): Promise<{ readonly output: string; readonly code: number | null }> {
  const order = { input, configuration: { puppet_bin: path('puppet') }, log: path('log') };
  return new Promise((resolve) => {
    const child = spawn('ruby', [program], { env: { ...process.env, STAND_IN: directory } });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    child.on('close', (code) => resolve({ output, code }));
    child.stdin.end(JSON.stringify(order));
  });
}

const standIn = `#!/bin/sh
cd "$STAND_IN"
if [ "$1" = config ]; then
  echo "lastrunreport = $STAND_IN/report.yaml"
  echo "agent_disabled_lockfile = $STAND_IN/disabled.lock"
  echo "agent_catalog_run_lockfile = $STAND_IN/run.lock"
  exit 0
fi
echo "$*" > arguments
echo 'Info: running'
case "$(cat behaviour)" in
  disabled) exit 1 ;;
  silent) exit 0 ;;
  garbage) echo '[not a report' > report.yaml; exit 0 ;;
  exit*) cp report-template report.yaml; exit 1 ;;
  *) cp report-template report.yaml; exit 0 ;;
esac
`;
