import { expect, test } from 'vitest';
import { apiCommand, shellWord } from './api-command.ts';

test('a request is a command that a shell takes as one', () => {
  const origin = 'https://p.example.com';
  const start = 'curl --fail --cacert "$(puppet config print localcacert)"';
  const token = '-H "X-Authentication: $(cat ~/.puppetlabs/token)"';

  expect(apiCommand({ method: 'GET', path: '/a?b=c&d' }, origin)).toBe(
    `${start} ${token} 'https://p.example.com/a?b=c&d'`,
  );
  expect(apiCommand({ method: 'PUT', path: '/a', body: { name: "it's" } }, origin)).toBe(
    String.raw`${start} -X PUT ${token} -H 'Content-Type: application/json' -d '{"name":"it'\''s"}' https://p.example.com/a`,
  );
});

test('no value can become a command', () => {
  expect(shellWord("a'; rm -rf ~; '$(id)")).toBe(String.raw`'a'\''; rm -rf ~; '\''$(id)'`);
});
