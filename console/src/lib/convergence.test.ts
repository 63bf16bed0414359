import { expect, test } from 'vitest';
import { convergenceText, serversOf } from './convergence.ts';

const wanted = { environment: 'production', 'environment-commit': 'b' };

test('a server serves the deployed version, an earlier one or none', () => {
  const servers = serversOf(wanted, {
    'c2.test': { deployed: [{ environment: 'production', 'environment-commit': 'a' }] },
    'c1.test': { deployed: [wanted] },
    'new.test': { deployed: [] },
  });

  expect(servers).toEqual([
    { certname: 'c1.test', commit: 'b', isCurrent: true },
    { certname: 'c2.test', commit: 'a', isCurrent: false },
    { certname: 'new.test', commit: undefined, isCurrent: false },
  ]);
  expect(convergenceText(servers)).toBe('1 of 3 servers');
  expect(convergenceText(servers.slice(0, 1))).toBe('1 server');
  expect(convergenceText([])).toBe('no server yet');
});
