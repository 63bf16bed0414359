import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    testTimeout: 30_000,
    pool: 'threads',
    maxWorkers: 2,
  },
});
