/** A primary with the console, users, and the data of a large fleet in its PuppetDB. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Installation } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { copyKeptSqlite, startKeptPostgres } from '../puppetdb/kept-fleet.ts';
import type { FleetSize } from '../puppetdb/many-nodes.ts';

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
  readonly puppetDbUrl: string;
  /** Of the primary's process. */
  readonly pid: number;
  /** Whether its PuppetDB is on PostgreSQL. */
  readonly isOnPostgres: boolean;
}

export interface ConsoleFleet extends FleetSize {
  readonly isOnPostgres: boolean;
}

/** @param work - with the primary ready to answer */
export async function withConsolePrimary(
  fleet: ConsoleFleet,
  work: (primary: ConsolePrimary) => Promise<void>,
): Promise<void> {
  const { isOnPostgres } = fleet;
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-console-'));
  const postgres = isOnPostgres ? await startKeptPostgres(fleet) : undefined;
  const database = postgres?.firstDatabase;
  const installation = await installationIn(
    directory,
    database?.kind === 'postgresql' ? { puppetdb_database: database.url } : {},
  );
  try {
    const state = join(installation.primaryDirectory, 'state');
    mkdirSync(state, { recursive: true });
    if (!isOnPostgres) await copyKeptSqlite(fleet, join(state, 'puppetdb.sqlite'));
    await installation.startPrimary();
    await createUsers(installation);
    await work({
      installation,
      isOnPostgres,
      origin: `https://localhost:${installation.options.ports.console}`,
      jobsUrl: `https://localhost:${installation.options.settings?.['orchestrator_port']}`,
      puppetDbUrl: `https://localhost:${installation.options.ports.puppetDb}`,
      pid: installation.primary?.pid ?? 0,
    });
  } finally {
    await installation.stop();
    await postgres?.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A primary with data for every page of the console. @param settings - added to the usual ones */
export async function installationIn(
  directory: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<Installation> {
  return new Installation({
    directory,
    project,
    node: process.execPath,
    ports: {
      primary: await freePort(),
      puppetDb: await freePort(),
      compileServers: [],
      balancer: await freePort(),
      consoleServices: await freePort(),
      console: await freePort(),
      brokers: [await freePort()],
    },
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: [],
    settings: {
      orchestrator_port: await freePort(),
      node_terminus: 'classifier',
      // Nodes of a fleet that was stored some hours ago still report.
      no_longer_reporting_cutoff: '7d',
      ...settings,
    },
  });
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
