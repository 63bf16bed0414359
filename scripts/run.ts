/** Running the project's tools one after another. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

interface Outcome {
  readonly code: number;
  /** What the engine wrote when it ended a process: where and why. */
  readonly fatalLines: readonly string[];
  /** The last lines that the program wrote, standard output and standard error in the order of their arrival. */
  readonly lastLines: readonly string[];
}

/** Enough for what the test runner says of several failed tests, which it does at its end. */
const keptLines = 100;

/** `# Fatal error in ...`, `FATAL ERROR: ...` and the lines of a native stack. */
const fatalLine = /^#|^\s*\d+: 0x|FATAL ERROR/;

/** What Node has compiled, types taken out: each of hundreds of test processes and threads loads the same files. */
const compileCache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled');

/** Runs one program, whose output goes to this terminal. */
function run(step: Step): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
    const child = spawn(step.command, step.args, {
      stdio: ['inherit', 'pipe', 'pipe'],
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...colours },
    });
    const lines: string[] = [''];
    const fatalLines: string[] = [];
    const keep = (decoder: StringDecoder) => (chunk: Buffer) => {
      const [first = '', ...others] = decoder.write(chunk).split('\n');
      lines.push(`${lines.pop() ?? ''}${first}`, ...others);
      fatalLines.push(...lines.slice(-others.length - 1, -1).filter((line) => fatalLine.test(line)));
      if (lines.length > 2 * keptLines) lines.splice(0, lines.length - keptLines);
    };
    child.stdout.on('data', keep(new StringDecoder())).pipe(process.stdout, { end: false });
    child.stderr.on('data', keep(new StringDecoder())).pipe(process.stderr, { end: false });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, fatalLines, lastLines: lines.slice(-keptLines) }));
  });
}

/**
 * Runs all steps, even when one fails, and says at the end which did, with the end of what each of them wrote: of a
 * long log often only the last part is kept, and the step that failed is rarely the last.
 */
export async function runAll(steps: readonly Step[]): Promise<number> {
  const failed: (Outcome & { readonly title: string })[] = [];
  for (const step of steps) {
    process.stdout.write(`\n== ${step.title}\n`);
    const began = performance.now();
    const outcome = await run(step);
    const { code } = outcome;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`== ${step.title}: ${code === 0 ? 'ok' : `failed (${code})`}, ${seconds} s\n`);
    if (code !== 0) failed.push({ title: step.title, ...outcome });
  }
  const last = steps.at(-1)?.title;
  for (const { title, fatalLines, lastLines } of failed) {
    if (fatalLines.length > 0)
      process.stdout.write(`\n== ${title}: a process was ended by its engine:\n${fatalLines.join('\n')}\n`);
    if (title === last) continue; // its end is right above
    process.stdout.write(`\n== ${title} failed; the end of what it wrote:\n${lastLines.join('\n')}\n`);
  }
  if (failed.length === 0) return 0;
  process.stdout.write(`\nFailed: ${failed.map(({ title }) => title).join(', ')}\n`);
  return 1;
}
