import { expect, test } from 'vitest';
import { curlCommand, shellQuoted } from './curl-command.ts';

test('no value can become a command', () => {
  expect(shellQuoted("a'; rm -rf ~; '$(id)")).toBe(String.raw`'a'\''; rm -rf ~; '\''$(id)'`);
});

test('a request with a body is sent as JSON', () => {
  const command = curlCommand('https://p.example.com', '/console-api/v1/facets', { field: 'status' });

  expect(command).toContain(`-d '{"field":"status"}' 'https://p.example.com/console-api/v1/facets'`);
});
