import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { withClassSource } from './missing-class.ts';

const node = {
  classes: {},
  parameters: {},
  classSources: { apache: ['All Nodes'], 'Web::Missing': ['Web servers', 'Shops'] },
};
const messageOf = (error: unknown) => (withClassSource(error, node) as Error).message;
const failure = (message: string) => new ServiceError('compile-failed', message, { details: { logs: [] } });

test('a class that groups name and no code has is told with the groups', () => {
  const error = failure('Could not find class Web::Missing for web1 on node web1');

  expect(messageOf(error)).toBe(
    "Could not find class Web::Missing for web1 on node web1; it is given by the node groups 'Web servers', 'Shops'",
  );
  expect(withClassSource(error, node)).toMatchObject({ reason: 'compile-failed', details: { logs: [] } });
});

test.each([
  'Could not find class other for web1 on node web1',
  'Evaluation Error: Could not find class apache for web1 (file: site.pp, line: 1) on node web1',
])('what manifests name is told as it is: %s', (message) => {
  expect(messageOf(failure(message))).toBe(message);
});
