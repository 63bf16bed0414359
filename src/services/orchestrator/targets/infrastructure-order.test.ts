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

  expect(levels).toEqual([
    { role: 'compile server', certnames: ['compile1', 'compile2'] },
    { role: 'puppetdb', certnames: ['puppetdb'] },
    { role: 'console', certnames: ['console'] },
    { role: 'primary', certnames: ['primary'] },
  ]);
});

test('an installation of one server has one level', () => {
  expect(infrastructureLevels([{ certname: 'primary', role: 'primary' }])).toEqual([
    { role: 'primary', certnames: ['primary'] },
  ]);
});
