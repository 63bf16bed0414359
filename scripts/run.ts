/** Running the project's tools: one after another, or small ones side by side. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Runs the test files once more in which the engine itself ended a worker, when no test failed. False when absent. */
  readonly isRepeatedAfterCrash?: boolean;
}

interface Outcome {
  readonly code: number;
  /** What the engine wrote when it ended a process: where and why. */
  readonly fatalLines: readonly string[];
  /** The last lines that the program wrote, standard output and standard error in the order of their arrival. */
  readonly lastLines: readonly string[];
  /** Test files whose worker ended before they did. */
  readonly crashedFiles: readonly string[];
  readonly hasFailedTests: boolean;
}

/** Enough for what the test runner says of several failed tests, which it does at its end. */
const keptLines = 100;

/** `# Fatal error in ...`, `FATAL ERROR: ...` and the lines of a native stack. */
const fatalLine = /^#|^\s*\d+: 0x|FATAL ERROR/;

/** V8 may end a process in which threads end, of no fault of ours: https://github.com/nodejs/node/issues/64500. */
const engineFault = /Check failed: jit_page\.has_value\(\)/;
const crashLine = /Worker exited unexpectedly with signal SIGTRAP .*while running test file (\S+)/;
const failedTestLine = /^\s*FAIL\b/;
// oxlint-disable-next-line no-control-regex -- colours of a terminal
const colours = /\u001B\[[0-9;]*m/g;

/** What Node has compiled, types taken out: each of hundreds of test processes and threads loads the same files. */
const compileCache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled');

/** Runs one program. @param write - gets its output, both streams in the order of their arrival */
function run(step: Step, write: (text: Buffer) => void): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const forced = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
    const child = spawn(step.command, step.args, {
      stdio: ['inherit', 'pipe', 'pipe'],
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...forced },
    });
    const lines: string[] = [''];
    const fatalLines: string[] = [];
    const crashedFiles = new Set<string>();
    let hasFailedTests = false;
    const keep = (decoder: StringDecoder) => (chunk: Buffer) => {
      write(chunk);
      const [first = '', ...others] = decoder.write(chunk).split('\n');
      lines.push(`${lines.pop() ?? ''}${first}`, ...others);
      for (const line of lines.slice(-others.length - 1, -1).map((each) => each.replaceAll(colours, ''))) {
        if (fatalLine.test(line)) fatalLines.push(line);
        if (failedTestLine.test(line)) hasFailedTests = true;
        const [, file] = crashLine.exec(line) ?? [];
        if (file !== undefined) crashedFiles.add(file);
      }
      if (lines.length > 2 * keptLines) lines.splice(0, lines.length - keptLines);
    };
    child.stdout.on('data', keep(new StringDecoder()));
    child.stderr.on('data', keep(new StringDecoder()));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        code: code ?? 1,
        fatalLines,
        lastLines: lines.slice(-keptLines),
        crashedFiles: [...crashedFiles],
        hasFailedTests,
      }),
    );
  });
}

/** Enough for the two processors that CI has; what uses both by itself is a step of its own. */
const atOnce = 2;

type FailedStep = Outcome & { readonly title: string };

/**
 * Runs all steps, even when one fails, and says at the end which did, with the end of their output: of a
 * long log often only the last part is kept, and the step that failed is rarely the last.
 *
 * @param stages - one after another; the steps of a list run side by side, the first ones first, and their output appears
 *   when they end
 */
export async function runAll(stages: readonly (Step | readonly Step[])[]): Promise<number> {
  const failed: FailedStep[] = [];
  for (const stage of stages)
    failed.push(...(isList(stage) ? await runBeside(stage) : await runAlone(stage)));
  const last = stages.at(-1);
  for (const { title, fatalLines, lastLines } of failed) {
    if (fatalLines.length > 0)
      process.stdout.write(`\n== ${title}: a process was ended by its engine:\n${fatalLines.join('\n')}\n`);
    if (last !== undefined && !isList(last) && title === last.title) continue; // its end is right above
    process.stdout.write(`\n== ${title} failed; the end of what it wrote:\n${lastLines.join('\n')}\n`);
  }
  if (failed.length === 0) return 0;
  process.stdout.write(`\nFailed: ${failed.map(({ title }) => title).join(', ')}\n`);
  return 1;
}

function isList(stage: Step | readonly Step[]): stage is readonly Step[] {
  return Array.isArray(stage);
}

async function runAlone(step: Step): Promise<readonly FailedStep[]> {
  process.stdout.write(`\n== ${step.title}\n`);
  return measured(step, (text) => process.stdout.write(text));
}

async function runBeside(steps: readonly Step[]): Promise<readonly FailedStep[]> {
  const failed: FailedStep[] = [];
  const waiting = steps.values();
  const lane = async () => {
    for (const step of waiting) {
      const output: Buffer[] = [Buffer.from(`\n== ${step.title}\n`)];
      const failure = await measured(step, (text) => output.push(text), output);
      failed.push(...failure);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return failed;
}

async function runRepeating(step: Step, write: (text: Buffer) => void): Promise<Outcome> {
  const outcome = await run(step, write);
  const { code, crashedFiles, fatalLines, hasFailedTests } = outcome;
  const isEngines = fatalLines.some((line) => engineFault.test(line));
  if (step.isRepeatedAfterCrash !== true || code === 0 || hasFailedTests || !isEngines) return outcome;
  if (crashedFiles.length === 0) return outcome;
  write(Buffer.from(`\n== ${step.title}: V8 ended the process of ${crashedFiles.join(', ')}; once more\n`));
  return await run({ ...step, args: [...step.args, ...crashedFiles] }, write);
}

/** @param held - is written first when the step has ended */
async function measured(
  step: Step,
  write: (text: Buffer) => void,
  held: readonly Buffer[] = [],
): Promise<readonly FailedStep[]> {
  const began = performance.now();
  const outcome = await runRepeating(step, write);
  const { code } = outcome;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const verdict = `== ${step.title}: ${code === 0 ? 'ok' : `failed (${code})`}, ${seconds} s\n`;
  process.stdout.write(Buffer.concat([...held, Buffer.from(verdict)]));
  return code === 0 ? [] : [{ title: step.title, ...outcome }];
}
