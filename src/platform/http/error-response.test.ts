import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { errorResponse, unexpectedResponse } from './error-response.ts';

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

test('a full disk is told as one, and what is a bug is not told', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

  expect(unexpectedResponse(full, '/puppet-ca/v1/certificate_request/a')).toMatchObject({
    status: 503,
    body: 'no space left on device',
  });
  expect(unexpectedResponse(new Error('secret detail'), '/puppet-ca/v1/x')).toMatchObject({
    status: 500,
    body: 'Internal Server Error: the request could not be processed; see the server log for details',
  });
});

test('what is nested beyond the stack is the mistake of its client', () => {
  const overflow = new RangeError('Maximum call stack size exceeded');

  expect(unexpectedResponse(overflow, '/classifier-api/v1/groups')).toMatchObject({
    status: 400,
    body: '{"kind":"bad-request","msg":"The request is nested too deeply"}',
  });
});
