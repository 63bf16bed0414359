import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Nothing below starts a process, a thread or a server, or changes what a process has one of. */
const pureFolders = ['src/language/', 'src/lib/', 'console/src/', 'test/syntax/'];

/** What test files write that start something, or change what a process has one of. */
const needsProcess =
  /child_process|worker_threads|vi\.|process\.|Process|Thread|Worker|[Ss]erver\(|\.listen\(|start\(|spawn|execFile|[Oo]penssl|PostgreSQL|[Ff]ixture|running|[Rr]uby|withoutRoot/;

const all = globSync([
  'src/**/*.test.ts',
  'console/src/**/*.test.ts',
  'scripts/**/*.test.ts',
  'test/**/*.test.ts',
]);
const pure = all.filter(
  (file) =>
    pureFolders.some((folder) => file.startsWith(folder)) || !needsProcess.test(readFileSync(file, 'utf8')),
);

const common = {
  setupFiles: ['test/support/usual-umask.ts'],
  // Limits for what hangs, and for nothing else: several files start a whole Puppet to compare with, on a machine that
  // may be busy with other things, and just after its installation. No test has a shorter one of its own.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000 } },
  pool: 'forks',
  // Node takes types away itself, and keeps what it has compiled for all processes: nothing here replaces modules.
  experimental: { viteModuleRunner: false, nodeLoader: false },
} satisfies TestProjectInlineConfiguration['test'];

// oxlint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  test: {
    // More than there are processors: tests of servers and agents wait for half of their time. Three keep two processors
    // busy for three quarters of it.
    maxWorkers: 4,
    projects: [
      {
        // A process for each file: what ends one ends no other.
        test: {
          ...common,
          name: 'unit',
          include: all.filter((file) => !pure.includes(file)),
        },
      },
      {
        // They share a process, which loads the code once for all of them.
        test: { ...common, name: 'pure', include: pure, isolate: false },
      },
    ],
  },
});
