import { expect, test } from 'vitest';
import { runGenerator } from './run-generator.ts';

test('gives what a command prints, errors in between', () => {
  expect(runGenerator('/bin/sh', ['-c', 'echo one; echo two >&2; echo three'])).toBe('one\ntwo\nthree\n');
});

test('runs a command in its directory, without input, in the language C and without variables of a user', () => {
  const script = 'echo $PWD $LANG $LC_ALL "$HOME" "$USER"; cat';

  expect(runGenerator('/usr/bin/env', ['sh', '-c', script])).toBe('/usr/bin C C  \n');
});

test.each([
  ['/bin/sh', ['-c', 'echo no; exit 3'], "Execution of '/bin/sh -c echo no; exit 3' returned 3: no"],
  ['/bin/sh', ['-c', 'kill -9 $$'], "Execution of '/bin/sh -c kill -9 $$' returned : "],
  ['/bin/no-such-command', ['a'], "Execution of '/bin/no-such-command a' returned 1: "],
  ['/etc/passwd', [], "Execution of '/etc/passwd' returned 1: "],
])('says how %s %j failed', (command, args, failure) => {
  expect(() => runGenerator(command, args)).toThrow(`Failed to execute generator ${command}: ${failure}`);
});

test('says that the directory is missing', () => {
  expect(() => runGenerator('/no-such-directory/x', [])).toThrow(
    'No such file or directory @ dir_chdir - /no-such-directory',
  );
});
