import { readFileSync, statSync } from 'node:fs';
import type { Outside } from '../../src/language/functions/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { runGenerator } from '../../src/services/compiler/run-generator.ts';

/** The outside of a test: this machine, without a PuppetDB. */
export const outside: Outside = {
  generate: runGenerator,
  readServerFile: (path) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === false ? readFileSync(path) : undefined,
  now: () => Date.now(),
  random: () => Math.random(),
  queryPuppetdb: () => {
    throw new PuppetError({
      code: 'argument_error',
      severity: 'error',
      message: 'There is no PuppetDB in tests',
    });
  },
};

function refuse(what: string): never {
  throw new PuppetError({
    code: 'argument_error',
    severity: 'error',
    message: `${what} is not available in tests`,
  });
}

/** An outside in which there is nothing but a clock and chance. */
export const refuseOutside: Outside = {
  ...outside,
  generate: () => refuse('generate()'),
  readServerFile: () => undefined,
};
