import { expect, test } from 'vitest';
import { infrastructureLevels } from './infrastructure-order.ts';

test('compile servers come first, then PuppetDB, the console and the primary', () => {
  const levels = infrastructureLevels([
    { certname: 'primary', role: 'primary' },
    { certname: 'compile1', role: 'compile server' },
    { certname: 'console', role: 'console' },
    { certname: 'puppetdb', role: 'puppetdb' },
    { certname: 'compile2', role: 'compile server' },
  ]);

  expect(levels).toEqual([['compile1', 'compile2'], ['puppetdb'], ['console'], ['primary']]);
});

test('an installation of one server has one level', () => {
  expect(infrastructureLevels([{ certname: 'primary', role: 'primary' }])).toEqual([['primary']]);
});
