import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { retryOnTextBusy } from '../../lib/retry-on-text-busy.ts';
import { ProcessLauncher, type ProcessOptions, type RunningProcess, startProcess } from './index.ts';

const workerUrl = new URL('launcher-worker.ts', import.meta.url);
const environment = { PATH: process.env['PATH'] };
const plain: ProcessOptions = { environment };
let directory: string;
let launcher: ProcessLauncher;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'launcher-test-'));
  // Its own temporary directories are below ours, so that we see what it leaves.
  process.env['TMPDIR'] = directory;
  launcher = newLauncher(1);
});

afterEach(() => {
  launcher.close();
  delete process.env['TMPDIR'];
  rmSync(directory, { recursive: true, force: true });
});

describe('a program that the launcher has started', () => {
  test.each(['launched', 'as a child'])('reads, prints, complains and ends: %s', async (how) => {
    const start = how === 'launched' ? await launched() : startProcess;

    const program = start('sh', ['-c', 'cat; echo "$MARK $PWD" >&2; exit 7'], {
      environment: { ...environment, MARK: 'known' },
      directory: '/usr',
    });
    program.stdin.end('in and out');

    expect(await outcomeOf(program)).toEqual({
      code: 7,
      signal: null,
      output: 'in and out',
      errors: 'known /usr\n',
    });
  });

  test('is a child of the launcher, and not of this process', async () => {
    const start = await launched();

    const { output } = await outcomeOf(start('sh', ['-c', 'ps -o args= -p $PPID'], plain));

    expect(output).toContain('launcher-worker');
    expect(await launcherPid(start)).not.toBe(process.pid);
  });

  test('gets all bytes and gives all bytes, with as much on the way as a pipe holds', async () => {
    const start = await launched();
    const block = Buffer.alloc(1024 * 1024, 'mebibyte');
    const program = start('cat', [], plain);
    let bytes = 0;
    let mostHeld = 0;

    const read = (async () => {
      for await (const chunk of program.stdout) {
        bytes += (chunk as Buffer).length;
        mostHeld = Math.max(mostHeld, program.stdin.writableLength + program.stdout.readableLength);
        if (bytes < 8 * 1024 * 1024) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    await pipeline(Readable.from(Array.from({ length: 64 }, () => block)), program.stdin);
    await read;

    expect(bytes).toBe(64 * block.length);
    expect(mostHeld).toBeLessThan(4 * 1024 * 1024);
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  test('may print long after it has ended, by its children', async () => {
    const start = await launched();
    const mark = join(directory, 'has-exited');
    const late = `(until test -e '${mark}'; do sleep 0.02; done; echo late)`;
    const program = start('sh', ['-c', `${late} & echo early`], plain);
    program.stdin.end();
    let output = '';
    program.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });

    await program.exited;
    writeFileSync(mark, '');
    await program.ended;

    expect(output).toBe('early\nlate\n');
  });

  test('may end without reading: the writer gets a broken pipe', async () => {
    const start = await launched();
    const program = start('true', [], plain);
    const failed = once(program.stdin, 'error');

    const writing = pipeline(
      Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024))),
      program.stdin,
    ).catch((error: unknown) => (error as NodeJS.ErrnoException).code);

    expect(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']).toContain(await writing);
    expect((await program.ended).code).toBe(0);
    await Promise.race([failed, program.ended]);
  });

  test('that is not there, or must not be run, is the error of the system', async () => {
    const start = await launched();

    const missing = await start('no-such-program', [], plain).ended.catch((error: unknown) => error);
    const here = await startProcess('no-such-program', [], plain).ended.catch((error: unknown) => error);

    expect(missing).toMatchObject({
      code: 'ENOENT',
      syscall: 'spawn no-such-program',
      path: 'no-such-program',
    });
    expect(here).toMatchObject({ code: 'ENOENT', syscall: 'spawn no-such-program' });
  });

  test('whose file is still open for writing is started when it is not', async () => {
    const start = await launched();
    const file = join(directory, 'program');
    writeFileSync(file, '#!/bin/sh\necho started\n', { mode: 0o755 });
    const writer = await open(file, 'a');
    const failures: unknown[] = [];

    const output = await retryOnTextBusy(async () => {
      try {
        return (await outcomeOf(start(file, [], plain))).output;
      } catch (error) {
        failures.push(error);
        if (failures.length === 1) await writer.close();
        throw error;
      }
    });

    expect(failures[0]).toMatchObject({ code: 'ETXTBSY' });
    expect(output).toBe('started\n');
  });
});

describe('ending a program', () => {
  test.each(['launched', 'as a child'])('ends its children with its group: %s', async (how) => {
    const start = how === 'launched' ? await launched() : startProcess;
    const program = start('sh', ['-c', 'sleep 1000 & echo $!; wait'], { ...plain, isOwnGroup: true });
    const [first] = (await once(program.stdout, 'data')) as [Buffer];

    program.kill();

    expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await untilGone(Number(first));
  });

  test('works before it has begun', async () => {
    const start = await launched();
    const program = start('sleep', ['1000'], plain);

    program.kill();

    expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test.each(['launched', 'as a child'])('comes with a time limit and with a signal: %s', async (how) => {
    const start = how === 'launched' ? await launched() : startProcess;
    const controller = new AbortController();

    const slow = start('sleep', ['1000'], { ...plain, timeoutMs: 50 });
    const unwanted = start('sleep', ['1000'], { ...plain, signal: controller.signal });
    const never = start('sleep', ['1000'], { ...plain, signal: AbortSignal.abort() });
    controller.abort();

    expect(await slow.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await expect(unwanted.ended).rejects.toMatchObject({ name: 'AbortError' });
    await expect(never.ended).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the launcher', () => {
  test('is there only where many programs are started in a short time', async () => {
    let now = 0;
    launcher.close();
    launcher = newLauncher(3, () => now);
    const begin = () => outcomeOf(launcher.start('true', [], plain));

    await begin();
    await begin();
    now += 11_000;
    await begin();
    const slowly = readdirSync(directory);
    await begin();
    await begin();

    expect(slowly).toEqual([]);
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^bunraku-programs-/)]);
  });

  test('that is killed takes what runs with it, and nothing that comes after', async () => {
    const start = await launched();
    const program = start('sh', ['-c', 'echo $$; exec sleep 1000'], plain);
    const [first] = (await once(program.stdout, 'data')) as [Buffer];

    process.kill(await launcherPid(start), 'SIGKILL');

    expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await untilGone(Number(first));
    const after = start('echo', ['again'], plain);
    after.stdin.end();
    expect((await outcomeOf(after)).output).toBe('again\n');
    expect((await outcomeOf((await launched())('echo', ['and again'], plain))).output).toBe('and again\n');
  });

  test('ignores what a terminal tells the whole group', async () => {
    const start = await launched();

    const pid = await launcherPid(start);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);

    expect((await outcomeOf(start('echo', ['still here'], plain))).output).toBe('still here\n');
  });

  test('leaves neither programs nor files when the server is killed', async () => {
    const script = `
      import { ProcessLauncher } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
      const launcher = new ProcessLauncher({ workerUrl: new URL(${JSON.stringify(workerUrl.href)}),
        environment: process.env, now: () => performance.now(), manyPrograms: 1 });
      const options = { environment: process.env, isOwnGroup: true };
      await launcher.start('true', [], options).exited;
      for (;;) {
        const program = launcher.start('sh', ['-c', 'echo $PPID $$; sleep 1000'], options);
        const parent = await new Promise((resolve) => program.stdout.once('data', (text) => resolve(String(text))));
        if (Number(parent.split(' ')[0]) !== process.pid) { console.log(parent); break; }
        program.kill();
      }`;
    const server = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = (await once(server.stdout, 'data')) as [Buffer];
    const [launcherId, programId] = text.toString().split(' ').map(Number);

    server.kill('SIGKILL');

    await untilGone(launcherId);
    await untilGone(programId);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('keeps no process alive that has nothing else to do', () => {
    const script = `
      import { ProcessLauncher } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
      const launcher = new ProcessLauncher({ workerUrl: new URL(${JSON.stringify(workerUrl.href)}),
        environment: process.env, now: () => performance.now(), manyPrograms: 1 });
      const run = (...args) => { const program = launcher.start(...args); program.stdin.end(); return program; };
      await run('true', [], { environment: process.env }).ended;
      await new Promise((resolve) => setTimeout(resolve, 500));
      const program = run('sh', ['-c', 'sleep 0.2; echo done'], { environment: process.env });
      program.stdout.on('data', (text) => process.stdout.write(String(text)));`;

    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: directory },
    });

    expect(output.toString()).toBe('done\n');
    expect(readdirSync(directory)).toEqual([]);
  });

  test('that can not be started is done without', async () => {
    launcher.close();
    launcher = new ProcessLauncher({
      workerUrl: new URL('no-such-file.ts', import.meta.url),
      environment: { ...environment, NODE_OPTIONS: '--no-such-option' },
      now: () => performance.now(),
      manyPrograms: 1,
    });

    for (let round = 0; round < 3; round += 1)
      expect((await outcomeOf(launcher.start('echo', ['here'], plain))).output).toBe('here\n');
  });
});

function newLauncher(manyPrograms: number, now: () => number = () => performance.now()): ProcessLauncher {
  return new ProcessLauncher({ workerUrl, environment: process.env, now, manyPrograms });
}

/** @returns how programs are started once the process is there */
async function launched(): Promise<ProcessLauncher['start']> {
  for (;;) {
    const program = launcher.start('sh', ['-c', 'echo $PPID'], plain);
    const { output } = await outcomeOf(program);
    if (Number(output) !== process.pid) return launcher.start;
  }
}

/** Of this launcher: one of an earlier test may not have ended yet. */
async function launcherPid(start: ProcessLauncher['start']): Promise<number> {
  return Number((await outcomeOf(start('sh', ['-c', 'echo $PPID'], plain))).output);
}

async function outcomeOf(program: RunningProcess) {
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  program.stdin.on('error', () => {});
  program.stdin.end();
  program.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  program.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = await program.ended;
  return { ...ended, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() };
}

/** Zombies are gone, too. */
async function untilGone(pid: number | undefined): Promise<void> {
  for (;;) {
    try {
      if (readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
