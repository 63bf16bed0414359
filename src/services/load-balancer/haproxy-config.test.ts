import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderHaproxyConfig } from './haproxy-config.ts';

const haproxy = spawnSync('haproxy', ['-v']).status === 0;

test.skipIf(!haproxy)('the real HAProxy accepts what is rendered (needs the Debian package haproxy)', () => {
  const config = renderHaproxyConfig({
    servers: [
      { host: '127.0.0.1', port: 8140 },
      { host: '[::1]', port: 8140 },
    ],
    bind: '127.0.0.1:18140',
    pcp: { bind: '127.0.0.1:18142', port: 8142 },
    stats: '127.0.0.1:18404',
  });
  const directory = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, config);

  const check = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });

  rmSync(directory, { recursive: true });

  expect(check.stderr).not.toMatch(/WARNING|ALERT/);
  expect(check.status).toBe(0);
});
