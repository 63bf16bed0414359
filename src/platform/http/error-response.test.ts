import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { errorResponse } from './error-response.ts';

const depth = 1_000_000;

test('details that are nested too deeply to be written are left out of the answer', () => {
  const submitted: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  const error = new ServiceError('bad-request', 'Too deep.', {
    kind: 'schema-violation',
    details: { submitted },
  });

  expect(errorResponse(error, '/classifier-api/v1/groups')).toMatchObject({
    status: 400,
    body: '{"kind":"schema-violation","msg":"Too deep."}',
  });
});

test('other details are in it', () => {
  const error = new ServiceError('conflict', 'Taken.', { details: { name: 'a' } });

  expect(errorResponse(error, '/x').body).toBe('{"kind":"conflict","msg":"Taken.","details":{"name":"a"}}');
});
