import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const hasRuby = spawnSync('ruby', ['-e', '']).status === 0;

test.skipIf(!hasRuby)(
  'a Ruby that is killed, hangs or takes all memory costs its own compile, and leaves nothing behind (skipped without Ruby)',
  () => {
    const script = path.join(import.meta.dirname, 'faults.ts');

    const { stdout, status } = spawnSync(
      process.execPath,
      [script, '--faults', '8', '--compiles', '100', '--deploys', '2'],
      { encoding: 'utf8' },
    );

    expect(stdout).toContain('nothing is left behind');
    expect(status).toBe(0);
  },
);
