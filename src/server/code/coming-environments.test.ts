import { expect, test } from 'vitest';
import type { HttpRequest, Route } from '../../platform/http/index.ts';
import { awaitingEnvironments } from './coming-environments.ts';

function ask(
  isComing: () => boolean,
  query: string,
  signal = new AbortController().signal,
): Promise<unknown> {
  const inner: Route = {
    method: 'GET',
    path: '/x',
    allow: { kind: 'anyone' },
    handle: () => ({ status: isComing() ? 404 : 200 }),
  };
  const [route] = awaitingEnvironments([inner], (name) => name === 'next' && isComing());
  return Promise.resolve(route?.handle({ query: new URLSearchParams(query), signal } as HttpRequest));
}

test('a request for an environment that is being deployed is answered when it is there', async () => {
  let looks = 0;

  expect(await ask(() => (looks += 1) < 4, 'environment=next')).toEqual({ status: 200 });
  expect(looks).toBeGreaterThan(3);
});

test('others do not wait', async () => {
  expect(await ask(() => true, 'environment=production')).toEqual({ status: 404 });
  expect(await ask(() => true, '')).toEqual({ status: 404 });
});

test('nor does one whose client has gone away', async () => {
  expect(await ask(() => true, 'environment=next', AbortSignal.abort())).toEqual({ status: 404 });
});
