import { expect, test } from 'vitest';
import { consoleUrl } from './console-url.ts';

test.each([
  ['auto', '', 'https://primary.test'],
  [443, '', 'https://primary.test'],
  [8443, '', 'https://primary.test:8443'],
  [8443, 'https://console.test/', 'https://console.test'],
] as const)('with the port %j and the setting "%s" browsers reach the console at %s', (port, wanted, url) => {
  expect(consoleUrl({ certname: 'primary.test', consolePort: port, consoleUrl: wanted })).toBe(url);
});
