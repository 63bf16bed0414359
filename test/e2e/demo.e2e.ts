/** `npm run demo`, as somebody meets it who has just cloned the project. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { chromiumProblem, logIn, openChromium, settled, visit } from '../../console/test/support/browser.ts';
import { isFree } from '../../demo/ports.ts';
import { chromium, isPresent } from '../../scripts/debian-packages.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { scenarios } from './support/requirements.ts';
import { until } from './support/until.ts';

/** Where the demo likes to be: the second time somebody else is there. */
const usualPort = 18_140;
const obstacle = isPresent(chromium) ? await chromiumProblem() : 'Debian package chromium is missing';
if (obstacle !== '') console.warn(`SKIPPED: pages of the demo's console: ${obstacle}`);

scenarios('The demo', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-e2e-demo-'));
  const running: { demo?: Demo } = {};
  afterAll(async () => {
    if (running.demo?.process.exitCode === null) await running.demo.interrupt();
    rmSync(directory, { recursive: true, force: true });
  });

  test('prints a line that makes the real agent its next node', async () => {
    running.demo = startDemo(directory);
    const line = await agentLine(running.demo);
    rmSync('/tmp/bunraku-demo/agent.demo', { recursive: true, force: true });

    const first = runLine(line);
    const second = runLine(line);

    // Without --detailed-exitcodes in the line, --test brings them: 2 is "changed".
    expect(first.status, first.output).toBe(2);
    expect(first.output).toMatch(/^.*Notice: .*Applied catalog in /m);
    expect(second.status, second.output).toBe(0);
  });

  test('has a fleet of simulated nodes that run and report', async () => {
    const log = join(directory, 'log', 'primary.log');
    await until('a simulated node is signed', () =>
      /"certname":"(web|db)\d+\.fleet\.demo","serial"/.test(readFileSync(log, 'utf8')),
    );
    await until('a simulated node has run', () =>
      ['compile1', 'compile2'].some((name) =>
        /"certname":"(web|db)\d+\.fleet\.demo".*"received report"/.test(
          readFileSync(join(directory, 'log', `${name}.log`), 'utf8'),
        ),
      ),
    );
    expect(running.demo?.output()).not.toMatch(/Error|Warning/);
  });

  test('prints lines that run Puppet on the node, and show its servers and what nodes sent', async () => {
    const lines = bunrakuLines(running.demo?.output() ?? '');
    const pxpAgent = await startPxpAgent(running.demo?.output() ?? '');
    const answers = lines.map((line) => runLine(line));
    pxpAgent.kill();

    expect(lines).toHaveLength(4);
    for (const { output, status } of answers) expect(status, output).toBe(0);
    const [job, , servers, nodes] = answers;
    expect(job?.output).toContain('agent.demo');
    expect(servers?.output).toMatch(/^compile2\.bunraku\.test +compile server +running/m);
    expect(nodes?.output).toMatch(/^agent\.demo +\w+/m);
  });

  test('prints an address and a login with which the console lets somebody in', async () => {
    const { login, password, url } = consoleOf(running.demo?.output() ?? '');
    const client = new HttpClient({});

    const answer = await client.send({
      method: 'POST',
      url: `${url}/auth/login`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ login, password }).toString(),
    });
    client.close();

    expect([answer.status, answer.headers.location]).toEqual([303, '/']);
  });

  test.skipIf(obstacle !== '')('shows no failure on any page of the console', async () => {
    const { login, password, url } = consoleOf(running.demo?.output() ?? '');
    const browser = await openChromium();
    onTestFinished(async () => await browser.close());
    const { complaints, page } = await visit(browser, url);
    await page.goto(`${url}/login`);
    await logIn(page, login, password);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));

    const failures: string[] = [];
    for (const address of addresses) {
      await page.goto(`${url}${address}`);
      await settled(page);
      const alerts = await page.locator('main [role=alert]').allTextContents();
      failures.push(...alerts.map((text) => `${address}: ${text}`));
    }

    expect(addresses.length).toBeGreaterThan(20);
    expect([...failures, ...complaints]).toEqual([]);
  });

  test('ends everything on Ctrl-C', async () => {
    expect(await running.demo?.interrupt()).toBe(0);

    await untilNothingRuns(directory);
    const ports = portsIn(running.demo?.output() ?? '');
    expect(ports).toHaveLength(7);
    expect(await Promise.all(ports.map((port) => isFree(port)))).toEqual(ports.map(() => true));
    for (const name of ['primary', 'compile1', 'compile2'])
      expect(readFileSync(join(directory, 'log', `${name}.log`), 'utf8')).toMatch(/"msg":"stopped"\}\n$/);
  });

  test('continues where it was when it is started again, on other ports where the usual ones are taken', async () => {
    const other = createServer().listen(usualPort, '127.0.0.1');
    // Where there is somebody already, that is as good.
    other.on('error', () => {});
    running.demo = startDemo(directory);

    const { status, output } = runLine(await agentLine(running.demo));
    other.close();

    expect(status, output).toBe(0);
    expect(output).not.toContain('Creating a new RSA SSL key');
    expect(portsIn(running.demo.output())).not.toContain(usualPort);
    expect(await running.demo.interrupt()).toBe(0);
    await untilNothingRuns(directory);
  });
});

scenarios('`npm run demo`', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-e2e-npm-demo-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'leaves nothing behind when npm gets %s',
    async (signal) => {
      const demo = startDemo(directory, 'npm', ['run', 'demo', '--', directory]);
      await agentLine(demo);
      const before = processesOf(directory).length;

      // npm alone, not its group.
      demo.process.kill(signal);

      await untilNothingRuns(directory);
      expect(before).toBeGreaterThan(4);
    },
  );
});

interface Demo {
  readonly process: ChildProcess;
  output(): string;
  /** Ctrl-C at the terminal: the whole group gets it. */
  interrupt(): Promise<number | null>;
}

function startDemo(
  directory: string,
  command = process.execPath,
  args: readonly string[] = [join(inject('project'), 'scripts', 'demo.ts'), directory],
): Demo {
  const project = inject('project');
  const child = spawn(command, args, {
    cwd: project,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      output += piece.toString('utf8');
    });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    process: child,
    output: () => output,
    interrupt() {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      return exited;
    },
  };
}

function agentLine(demo: Demo): Promise<string> {
  return until('the agent line is printed', () => {
    if (demo.process.exitCode !== null) throw new Error(`the demo ended:\n${demo.output()}`);
    return /^ +(puppet agent --test .*)$/m.exec(demo.output())?.[1];
  });
}

function consoleOf(output: string) {
  const [, url = '', login = '', password = ''] =
    /^ {2}(https:\/\/localhost:\d+)\n {2}login (\w+), password (\S+)$/m.exec(output) ?? [];
  return { url, login, password };
}

/** The lines that it prints for its own program. */
function bunrakuLines(output: string): readonly string[] {
  return Array.from(output.matchAll(/^ +(\S+\/bin\/bunraku .*)$/gm), ([, line = '']) => line);
}

/** The line that lets the orchestrator reach the node, until it is connected. */
async function startPxpAgent(output: string): Promise<ChildProcess> {
  const [, program = '', options = ''] = /^ +(\S+\/agent\/bin\/start) (.*)$/m.exec(output) ?? [];
  const child = spawn(program, options.split(' '), { stdio: ['ignore', 'pipe', 'inherit'] });
  let log = '';
  child.stdout.on('data', (piece: Buffer) => {
    log += piece.toString('utf8');
  });
  await until('the PXP agent is connected', () => log.includes('connected to wss:'));
  return child;
}

/** Of the servers and the load balancer, in the order in which they are named. */
function portsIn(output: string): readonly number[] {
  const [list = ''] = /primary +https:[^]*?HAProxy.*/.exec(output) ?? [];
  return Array.from(list.matchAll(/https:\/\/localhost:(\d+)/g), ([, port]) => Number(port));
}

/** Exactly the line, as a person pastes it. */
function runLine(line: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  return { status, output: stdout + stderr };
}

/** What servers have started ends a moment after them. */
async function untilNothingRuns(directory: string): Promise<void> {
  await until('everything has ended', () => processesOf(directory).length === 0);
}

/** Processes that name the directory in their command line. */
function processesOf(directory: string): readonly string[] {
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandOf(pid));
  return commands.filter((command) => command.includes(directory));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // it has ended meanwhile
  }
}
