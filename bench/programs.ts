/**
 * `npm run bench -- programs`: what it costs a server to start a program, by the memory that it has: as a child of its own,
 * and through the launcher. Processor time of the main thread and of the whole process, and for how long the event loop
 * stands still, for one `git --version` after the other.
 */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ProcessLauncher, type StartProcess, startProcess } from '../src/platform/processes/index.ts';
import { quantile } from './figures.ts';

const rounds = 60;
const sizes = [0, 100, 300, 600];
const mebibyte = 1024 * 1024;

export async function measurePrograms(): Promise<void> {
  const held: Buffer[] = [];
  for (const size of sizes) {
    while (held.length < size) held.push(Buffer.alloc(mebibyte, 1));
    const launcher = new ProcessLauncher({
      workerUrl: pathToFileURL(join(import.meta.dirname, '../src/platform/processes/launcher-worker.ts')),
      environment: process.env,
      now: () => performance.now(),
      manyPrograms: 1,
    });
    await run(launcher.start);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const ways = { 'a child of its own': startProcess, 'by the launcher': launcher.start };
    console.log(`${Math.round(process.memoryUsage().rss / mebibyte)} MiB resident`);
    // In turns, so that what else the machine does is the same for both.
    const figures = new Map(Object.keys(ways).map((name) => [name, new Figures()]));
    for (let round = 0; round < rounds; round += 1)
      for (const [name, start] of Object.entries(ways)) await figures.get(name)?.measure(start);
    for (const [name, one] of figures) console.log(`  ${name}: ${one.render()}`);
    launcher.close();
  }
  if (held.length === 0) throw new Error('unreachable: the memory has to be held until here');
}

class Figures {
  private readonly thread: number[] = [];
  private readonly all: number[] = [];
  private readonly stopped: number[] = [];
  private readonly whole: number[] = [];

  async measure(start: StartProcess): Promise<void> {
    const [thread, all, began] = [process.threadCpuUsage(), process.cpuUsage(), performance.now()];
    await run(start, (stoppedMs) => this.stopped.push(stoppedMs));
    this.whole.push(performance.now() - began);
    this.thread.push(milliseconds(process.threadCpuUsage(thread)));
    this.all.push(milliseconds(process.cpuUsage(all)));
  }

  render(): string {
    const median = (values: readonly number[]) => `${quantile(values, 0.5).toFixed(2)} ms`;
    return `main thread ${median(this.thread)}, all threads ${median(this.all)}, event loop stands still ${median(this.stopped)}, until it has ended ${median(this.whole)}`;
  }
}

async function run(start: StartProcess, onStarted?: (stoppedMs: number) => void): Promise<void> {
  const began = performance.now();
  const program = start('git', ['--version'], { environment: process.env });
  onStarted?.(performance.now() - began);
  program.stdin.end();
  program.stdout.resume();
  program.stderr.resume();
  const { code } = await program.ended;
  if (code !== 0) throw new Error(`git ended with ${code}`);
}

function milliseconds({ system, user }: { readonly system: number; readonly user: number }): number {
  return (system + user) / 1000;
}
