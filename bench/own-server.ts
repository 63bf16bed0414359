/** Our primary in a process of its own, with the authority of the server that it is measured beside. */

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../demo/ports.ts';
import { HttpClient } from '../src/platform/http-client/index.ts';

export interface OwnServerOptions {
  readonly directory: string;
  readonly certname: string;
  /** Copied; a new one is made when absent. */
  readonly authority?: { readonly caDir: string; readonly sslDir: string } | undefined;
  /** Further settings, as on the command line. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Words without a value. */
  readonly flags?: readonly string[];
  /** Of Node itself, those that `NODE_OPTIONS` may have. */
  readonly nodeFlags?: readonly string[];
}

export interface OwnServer {
  readonly port: number;
  readonly pid: number;
  readonly sslDir: string;
  /** When its process began, as `performance.now()` counts. */
  readonly beganMs: number;
  stop(): Promise<void>;
}

const project = resolve(import.meta.dirname, '..');
const patienceMs = 60_000;

/** Resolves when it answers. */
export async function startOwnServer(options: OwnServerOptions): Promise<OwnServer> {
  const { authority, certname, directory, flags = [], nodeFlags = [] } = options;
  const [caDir, sslDir] = [join(directory, 'ca'), join(directory, 'ssl')];
  mkdirSync(directory, { recursive: true });
  if (authority !== undefined) {
    cpSync(authority.caDir, caDir, { recursive: true });
    cpSync(authority.sslDir, sslDir, { recursive: true });
  }
  const port = await freePort();
  const places = { data: directory, cadir: caDir, ssldir: sslDir };
  const settings = {
    ...places,
    certname,
    serverport: port,
    listen: '127.0.0.1',
    autosign: 'true',
    ...options.settings,
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const beganMs = performance.now();
  // As users start it: the starter makes room for its memory, and becomes the server.
  const child = spawn(join(project, 'bin', 'bunraku'), ['primary', ...words, ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: nodeFlags.join(' ') },
  });
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = new Promise((done) => child.once('close', done));
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await waitFor(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, pid: child.pid ?? 0, sslDir, beganMs, stop };
}

async function waitFor(port: number): Promise<void> {
  const client = new HttpClient({});
  const endMs = performance.now() + patienceMs;
  try {
    while (performance.now() < endMs) {
      const url = `https://127.0.0.1:${port}/status/v1/simple`;
      const answer = await client.send({ method: 'GET', url }).catch(() => undefined);
      if (answer?.status === 200) return;
      await sleep(50);
    }
    throw new Error('the server did not start');
  } finally {
    client.close();
  }
}
