/** `npm test`: installs what is missing and runs everything. */

import { buildIfChanged } from './bundle.ts';
import { ensurePackages, testPackages } from './debian-packages.ts';
import { ensureMountedRoot } from './mounted-root.ts';
import { runAll } from './run.ts';
import { staticChecks, unitTests } from './steps.ts';

ensureMountedRoot();
const missing = ensurePackages(testPackages);
for (const entry of missing)
  console.error(
    `MISSING: Debian package ${entry.name} (${entry.purpose}); tests that need it are skipped by name`,
  );
if (missing.length > 0 && process.env['CI'] === 'true') {
  console.error('In CI nothing is skipped.');
  process.exit(1);
}
await buildIfChanged();
// Tests may use the build: nothing changes sources from here on.
process.env['TESTS_ARE_BUILT'] = 'yes';
process.exitCode = await runAll([
  [
    { title: 'conformance', command: 'node', args: ['scripts/conformance.ts'] },
    ...['8', '9'].map((level) => ({
      title: `conformance at level ${level}`,
      command: 'node',
      args: ['scripts/conformance.ts', '--level', level],
    })),
    { title: 'beside what PuppetDB answered', command: 'node', args: ['test/puppetdb/differential.ts'] },
    ...staticChecks,
    { title: 'fleet', command: 'node', args: ['scripts/fleet.ts'] },
    ...['own', 'with-legacy-facts', 'with-settings'].map((variant) => ({
      title: `fleet at level 8, ${variant}`,
      command: 'node',
      args: ['scripts/fleet.ts', '--level', '8', '--variant', variant],
    })),
  ],
  unitTests,
  { title: 'end to end', command: 'vitest', args: ['run', '--config', 'test/e2e/vitest.config.ts'] },
]);
