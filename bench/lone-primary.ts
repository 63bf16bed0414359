/** A primary by itself with a port for health checks, in a directory that goes with it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Installation } from '../demo/installation.ts';
import { freePort } from '../demo/ports.ts';

export interface LonePrimary {
  readonly installation: Installation;
  /** In plain HTTP. */
  readonly healthUrl: string;
}

/** Starts nothing: `work` does, when all is as it wants it. */
export async function withLonePrimary<T>(
  settings: Readonly<Record<string, string | number>>,
  work: (primary: LonePrimary) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-'));
  const project = dirname(import.meta.dirname);
  const healthPort = await freePort();
  const installation = new Installation({
    directory,
    project,
    node: process.execPath,
    ports: { primary: await freePort(), compileServers: [], balancer: await freePort() },
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: [],
    settings: { ...settings, health_port: healthPort },
  });
  try {
    return await work({ installation, healthUrl: `http://127.0.0.1:${healthPort}` });
  } finally {
    await installation.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
