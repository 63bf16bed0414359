import type { Outside } from '../../src/language/functions/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';

function refuse(what: string): never {
  throw new PuppetError({ code: 'argument_error', severity: 'error', message: `${what} is not available in tests` });
}

/** An outside in which there is nothing but a clock and chance. */
export const refuseOutside: Outside = {
  generate: () => refuse('generate()'),
  readServerFile: () => undefined,
  now: () => Date.now(),
  random: () => Math.random(),
  queryPuppetdb: () => refuse('puppetdb_query()'),
};
