import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { renderAccessLine } from './access-log.ts';

const at = new Date('2026-11-24T04:38:17.178Z');

function lineOf(
  headers: Readonly<Record<string, string>>,
  shownUrl = '/puppet/v3/node/web1?environment=production',
) {
  const message = { method: 'GET', httpVersion: '1.1', headers } as unknown as IncomingMessage;
  const sample = { method: 'GET', route: '/x', status: 200, durationMs: 14.4, message, shownUrl };
  return renderAccessLine({ ...sample, address: '10.0.0.7', bytes: 1234 }, at);
}

test('a request is a line in the form of Puppet Server', () => {
  expect(lineOf({ 'user-agent': 'Puppet/7.23.0 Ruby/3.1.2 (x86_64-linux)' })).toBe(
    '10.0.0.7 - - [24/Nov/2026:04:38:17 +0000] "GET /puppet/v3/node/web1?environment=production HTTP/1.1" 200 1234 ' +
      '"-" "Puppet/7.23.0 Ruby/3.1.2 (x86_64-linux)" 14 - -\n',
  );
});

test('a request cannot end a line or its quotes', () => {
  const line = lineOf({ 'user-agent': 'a" 500 "\u0085b', 'content-length': '3' });

  expect(line).toContain(String.raw`"a\x22 500 \x22\x85b" 14 3 -`);
});
