import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    globalSetup: ['test/e2e/support/build-program.ts'],
    // Scenarios build on each other, and each file has a whole installation with real agents to run.
    fileParallelism: false,
    // Limits for what hangs: a run of an agent takes seconds, on a machine that is busy many of them.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
  },
});
