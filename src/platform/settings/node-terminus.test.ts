import { expect, test } from 'vitest';
import { nodeTerminusOfInstallation } from './node-terminus.ts';

test.each([
  ['a new installation has groups', {}, 'classifier'],
  ['one from before groups were the default has none', { '/s/started-with.json': '{}' }, 'plain'],
  [
    'one goes on as it was',
    { '/s/started-with.json': '{}', '/s/node-terminus': 'classifier\n' },
    'classifier',
  ],
  ['also without groups', { '/s/started-with.json': '{}', '/s/node-terminus': 'plain\n' }, 'plain'],
])('%s', (_, files: Readonly<Record<string, string>>, expected) => {
  expect(nodeTerminusOfInstallation('/s', (path) => files[path])).toBe(expected);
});
