import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    setupFiles: ['test/support/usual-umask.ts'],
    // Limits for what hangs, and for nothing else: several files start a whole Puppet to compare with, on a machine that
    // may be busy with other things, and just after its installation. No test has a shorter one of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // A process for each file: what ends one ends no other.
    pool: 'forks',
    maxWorkers: 2,
  },
});
