/** A primary with the console, users, and the data of a large fleet in its PuppetDB. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Installation } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { type FleetSize, fillPuppetDb, openForBench } from '../puppetdb/many-nodes.ts';

export const password = 'correct horse battery';
/** Ten streams are allowed for each user. */
export const viewers = ['viewer0', 'viewer1', 'viewer2', 'viewer3', 'viewer4'];

const project = dirname(dirname(import.meta.dirname));

export interface ConsolePrimary {
  readonly installation: Installation;
  /** Of the console. */
  readonly origin: string;
  /** Of the orchestrator. */
  readonly jobsUrl: string;
  /** Of the primary's process. */
  readonly pid: number;
}

/** @param work - with the primary ready to answer */
export async function withConsolePrimary(
  size: FleetSize,
  work: (primary: ConsolePrimary) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-console-'));
  const [consolePort, jobsPort] = [await freePort(), await freePort()];
  const installation = new Installation({
    directory,
    project,
    node: process.execPath,
    ports: {
      primary: await freePort(),
      compileServers: [],
      balancer: await freePort(),
      consoleServices: await freePort(),
      console: consolePort,
      brokers: [await freePort()],
    },
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: [],
    settings: { orchestrator_port: jobsPort, node_terminus: 'classifier' },
  });
  try {
    const state = join(installation.primaryDirectory, 'state');
    mkdirSync(state, { recursive: true });
    const puppetDb = await openForBench({ kind: 'sqlite', path: join(state, 'puppetdb.sqlite') });
    try {
      await fillPuppetDb(puppetDb, size);
    } finally {
      await puppetDb.close();
    }
    await installation.startPrimary();
    await createUsers(installation);
    await work({
      installation,
      origin: `https://localhost:${consolePort}`,
      jobsUrl: `https://localhost:${jobsPort}`,
      pid: installation.primary?.pid ?? 0,
    });
  } finally {
    await installation.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function createUsers(installation: Installation): Promise<void> {
  const data = ['--data', installation.primaryDirectory];
  await bunraku(installation, ['user', 'password', 'admin', ...data]);
  for (const login of viewers)
    await bunraku(installation, ['user', 'create', login, '--role', 'viewers', ...data]);
}

async function bunraku({ options }: Installation, args: readonly string[]): Promise<void> {
  const child = spawn(options.node, [join(options.project, 'dist', 'main.js'), ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(password);
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  const [complaint, code] = await Promise.all([text(child.stderr), ended]);
  if (code !== 0) throw new Error(complaint);
}
