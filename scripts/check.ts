/** `npm run check`: everything that can be said about the code without a server or an agent. */

import { runAll } from './run.ts';

process.exitCode = await runAll([
  { title: 'formatter', command: 'biome', args: ['check', '.'] },
  { title: 'types', command: 'tsc', args: ['-p', '.'] },
  {
    title: 'linter',
    command: 'oxlint',
    args: ['-c', '.oxlintrc.json', '--type-aware', '--deny-warnings', '.'],
  },
  { title: 'structure', command: 'node', args: ['scripts/check-structure.ts'] },
  { title: 'unused code', command: 'knip', args: ['--no-progress'] },
  { title: 'generated documents', command: 'node', args: ['scripts/docs.ts', '--check'] },
  { title: 'documents', command: 'node', args: ['scripts/check-documents.ts'] },
  { title: 'unit tests', command: 'vitest', args: ['run'] },
]);
