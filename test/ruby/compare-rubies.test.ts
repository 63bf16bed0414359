import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const isComparable = spawnSync('ruby', ['-e', "exit RUBY_VERSION.start_with?('3.1.')"]).status === 0;

test.skipIf(!isComparable)(
  'the built-in Ruby evaluates as Ruby 3.1 does (skipped where that is missing)',
  () => {
    const script = path.join(import.meta.dirname, 'compare-rubies.ts');

    // The built-in one knows no other time zone.
    const env = { ...process.env, TZ: 'UTC' };
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8', env });

    expect(stdout).toMatch(/^expressions: 1\d{3} equal, .* 0 different/m);
    expect(status).toBe(0);
  },
);
