import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, or longer than its size tells: begun first, so that no processor waits for it at the end. */
const first = [
  'autoscaling',
  'console',
  'classification',
  'guide-open-source-masters',
  'membership',
  'guide-compile-masters',
  'split-installation',
  'agent-runs',
  'cluster',
  'demo',
  'bad-input',
  'surviving',
  'who-may-call',
  'packages',
];

/** Those in the list first, then the others in the usual order. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = first.indexOf(basename(moduleId, '.e2e.ts'));
      return index === -1 ? first.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// oxlint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  test: {
    // `*.peers.ts` need more of a machine than CI promises.
    include: [
      'test/e2e/**/*.e2e.ts',
      'console/test/**/*.e2e.ts',
      ...(process.env['BUNRAKU_PEERS'] === 'yes' ? ['test/e2e/**/*.peers.ts'] : []),
    ],
    globalSetup: ['test/e2e/support/build-program.ts'],
    sequence: { sequencer: LongestFirst },
    // Scenarios of a file build on each other; each file has a whole installation of its own, on ports of its own. Four
    // at once keep two processors busy: a scenario waits for half of its time.
    maxWorkers: 4,
    // Limits for what hangs: a run of an agent takes seconds, on a machine that is busy many of them.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
