import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    // A limit for what hangs: several files start a whole Puppet to compare with, on a machine that may be busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A process for each file: what ends one ends no other.
    pool: 'forks',
    maxWorkers: 2,
  },
});
