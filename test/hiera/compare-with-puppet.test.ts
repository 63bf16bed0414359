import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const script = path.join(import.meta.dirname, 'compare-with-puppet.ts');

test('lookups and their explanations are those that Puppet gave', () => {
  const { status, stdout } = spawnSync(process.execPath, [script, '--recorded'], { encoding: 'utf8' });

  expect(stdout).toMatch(/^9\d hierarchies, 4\d\d lookups: .* 0 differ$/m);
  expect(status).toBe(0);
});
