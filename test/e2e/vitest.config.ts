import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    globalSetup: ['test/e2e/support/build-program.ts'],
    // Scenarios of a file build on each other; each file has a whole installation of its own, on ports of its own.
    maxWorkers: 2,
    // Limits for what hangs: a run of an agent takes seconds, on a machine that is busy many of them.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
  },
});
