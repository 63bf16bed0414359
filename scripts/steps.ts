/** What several of the scripts run. */

import type { Step } from './run.ts';

/** The longest first. */
export const staticChecks: readonly Step[] = [
  {
    title: 'linter',
    command: 'oxlint',
    args: ['-c', '.oxlintrc.json', '--type-aware', '--deny-warnings', '.'],
  },
  { title: 'unused code', command: 'knip', args: ['--no-progress'] },
  // Each of several checkers would work out again what they have in common; the other processor has other steps.
  { title: 'types', command: 'tsc', args: ['-p', '.', '--checkers', '1'] },
  { title: 'types of the console', command: 'tsc', args: ['-p', 'console', '--checkers', '1'] },
  { title: 'formatter', command: 'biome', args: ['check', '.'] },
  { title: 'structure', command: 'node', args: ['scripts/check-structure.ts'] },
  { title: 'generated documents', command: 'node', args: ['scripts/docs.ts', '--check'] },
  { title: 'documents', command: 'node', args: ['scripts/check-documents.ts'] },
];

export const unitTests: Step = {
  title: 'unit tests',
  command: 'vitest',
  args: ['run'],
  isRepeatedAfterCrash: true,
};
