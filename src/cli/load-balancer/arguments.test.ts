import { expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { runCommand } from '../run-command.testing.ts';
import { dnsZoneCommand } from './dns-zone.ts';
import { haproxyConfigCommand } from './haproxy-config.ts';

test.each([
  ['compile1.test:0'],
  ['compile1.test:99999'],
  ['compile1.test:8140:1'],
  ['compile1.test', 'compile2.test'],
])('servers that cannot be are refused in zones and configurations: %s', async (...words) => {
  const zone = runCommand(dnsZoneCommand, '--domain', 'test', '--server', ...words);
  const config = runCommand(haproxyConfigCommand, '--server', ...words);

  await expect(zone).rejects.toThrow(UsageError);
  await expect(config).rejects.toThrow(UsageError);
});

test('a configuration of HAProxy has what was named, and what is usual where nothing was', async () => {
  const { out } = await runCommand(
    haproxyConfigCommand,
    '--server',
    'compile1.test',
    '--server=[::1]:8150',
    '--maxconn=500',
    '--pcp-port=none',
  );

  expect(out).toContain('bind *:8140');
  expect(out).toContain('compile1.test:8140');
  expect(out).toContain('[::1]:8150');
  expect(out).toContain('maxconn 500');
  expect(out).not.toContain('8142');
});
