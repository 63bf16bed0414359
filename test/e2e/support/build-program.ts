/** Builds the program once for all scenarios, and sets a copy aside: a build beside a run must not change what it tests. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildIfChanged } from '../../../scripts/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A directory with the program in `dist/`. */
    readonly program: string;
    /** The project that is tested. */
    readonly project: string;
  }
}

// oxlint-disable-next-line import/no-default-export -- vitest calls the default export
export default async function buildProgram(vitest: TestProject): Promise<() => void> {
  const project = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
  await buildIfChanged();
  const program = mkdtempSync(join(tmpdir(), 'bunraku-e2e-program-'));
  cpSync(join(project, 'dist'), join(program, 'dist'), { recursive: true });
  vitest.provide('program', program);
  vitest.provide('project', project);
  return () => rmSync(program, { recursive: true, force: true });
}
