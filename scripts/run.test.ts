import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Step } from './run.ts';

const module = join(import.meta.dirname, 'run.ts');

function runAll(stages: readonly (Step | readonly Step[])[]) {
  const script = `import(${JSON.stringify(module)}).then(({ runAll }) => runAll(${JSON.stringify(stages)})).then((code) => { process.exitCode = code; })`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
}

const shell = (title: string, script: string): Step => ({ title, command: 'sh', args: ['-c', script] });

test('the steps of a list run side by side, and the output of each stays whole', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-run-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  // Each ends only when the other has begun.
  const meet = (own: string, other: string) =>
    `echo ${own} begins; touch ${directory}/${own}; until [ -e ${directory}/${other} ]; do sleep 0.01; done; echo ${own} ends`;

  const { status, stdout } = runAll([
    [shell('one', meet('one', 'two')), shell('two', meet('two', 'one'))],
    shell('after', 'echo after'),
  ]);

  expect(status).toBe(0);
  expect(stdout).toContain('== one\none begins\none ends\n== one: ok');
  expect(stdout).toContain('== two\ntwo begins\ntwo ends\n== two: ok');
  expect(stdout.trimEnd()).toMatch(/== after\nafter\n== after: ok, \S+ s$/);
});

test('a step that fails stops no other, and its output is repeated at the end', () => {
  const { status, stdout } = runAll([
    [shell('bad', 'echo reason; exit 3'), shell('good', 'echo fine')],
    shell('last', 'echo last'),
  ]);

  expect(status).toBe(1);
  expect(stdout).toContain('== good: ok');
  expect(stdout).toContain('== last: ok');
  expect(stdout).toMatch(/== bad failed; the end of what it wrote:\nreason\n\n\nFailed: bad\n$/);
});

/** As vitest says it; with the file as the argument it succeeds. */
const crashing = (more: string): Step => ({
  ...shell(
    'tests',
    `[ "$0" = /src/one.test.ts ] && exit 0
     echo '# Check failed: jit_page.has_value().'
     echo 'Caused by: Error: Worker exited unexpectedly with signal SIGTRAP during started state while running test file /src/one.test.ts'
     ${more}
     exit 1`,
  ),
  isRepeatedAfterCrash: true,
});

test('test files whose process was ended by V8 run once more, and it is said', () => {
  const { status, stdout } = runAll([crashing('true')]);

  expect(stdout).toContain('== tests: V8 ended the process of /src/one.test.ts; once more');
  expect(status).toBe(0);
});

test.each([
  ['a test has failed as well', crashing("echo ' FAIL  src/two.test.ts'")],
  ['the step does not want it', { ...crashing('true'), isRepeatedAfterCrash: false }],
])('nothing runs once more when %s', (_when, step) => {
  const { status, stdout } = runAll([step]);

  expect(stdout).not.toContain('once more');
  expect(status).toBe(1);
});
