import { expect, test } from 'vitest';
import { apiCommand } from './api-command.ts';

test('a request is a command that a shell takes as one', () => {
  const origin = 'https://p.example.com';

  expect(apiCommand({ method: 'GET', path: '/a?b=c&d' }, origin)).toBe(
    `curl --fail --cacert ca.pem -H "X-Authentication: $(bunraku access show)" 'https://p.example.com/a?b=c&d'`,
  );
  expect(apiCommand({ method: 'PUT', path: '/a', body: { name: "it's" } }, origin)).toBe(
    String.raw`curl --fail --cacert ca.pem -X PUT -H "X-Authentication: $(bunraku access show)" -H 'Content-Type: application/json' -d '{"name":"it'\''s"}' https://p.example.com/a`,
  );
});
