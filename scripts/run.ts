/** Running the project's tools one after another. */

import { spawn } from 'node:child_process';

export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Runs one program with this terminal's input and output; resolves to its exit code. */
export function run(step: Step): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(step.command, step.args, { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs all steps, even when one fails, and says at the end which did. */
export async function runAll(steps: readonly Step[]): Promise<number> {
  const failed: string[] = [];
  for (const step of steps) {
    process.stdout.write(`\n== ${step.title}\n`);
    const began = performance.now();
    const code = await run(step);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`== ${step.title}: ${code === 0 ? 'ok' : `failed (${code})`}, ${seconds} s\n`);
    if (code !== 0) failed.push(step.title);
  }
  if (failed.length === 0) return 0;
  process.stdout.write(`\nFailed: ${failed.join(', ')}\n`);
  return 1;
}
