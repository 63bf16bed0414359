import { expect, test } from 'vitest';
import { complaintOf } from './leaking-node.ts';

test('a release of Node that leaks is complained of, the one that we bring is not', () => {
  expect(complaintOf('v24.21.0')).toMatch('loses 10 kB');
  expect(complaintOf(process.version)).toBeUndefined();
});
