/** Nodes that the primary reaches by SSH. */

import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../lib/service-error.ts';
import { processEnvironment } from '../../platform/settings/index.ts';
import type { FileServer } from '../../services/fileserver/index.ts';
import {
  Connections,
  DatabaseConnections,
  Downloads,
  type Seal,
  SshLink,
} from '../../services/orchestrator/index.ts';
import type { Foundation } from '../foundation.ts';

export type FileReader = (uri: {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}) => Promise<Buffer>;

/** @param certname - the primary's */
export function fileReader(files: FileServer, certname: string): FileReader {
  return async ({ params, path }) => {
    const { code_id: codeId = '', environment = 'production' } = params;
    const [, kind, key = ''] = /^\/puppet\/v3\/(file_content|static_file_content)\/(.+)$/.exec(path) ?? [];
    const found =
      kind === 'file_content'
        ? await files.content({ environment, key, query: new URLSearchParams(), certname })
        : await files.staticContent(environment, codeId, key);
    if (found === undefined) throw new ServiceError('not-found', `There is no file ${path}`);
    const { body } = found;
    return Buffer.isBuffer(body) ? body : await buffer(body);
  };
}

/** Keys and passwords are in files while they are used, in a directory of this server alone. */
export async function openSsh(
  { database, log: root, processes, settings }: Foundation,
  seal: Seal,
  readFile: FileReader,
): Promise<{ readonly connections: Connections; readonly downloads: Downloads; readonly link: SshLink }> {
  const log = root.child({ service: 'orchestrator' });
  const directory = join(settings.stateDir, 'ssh');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const nowMs = () => Date.now();
  const connections = new Connections({
    store: new DatabaseConnections(database, seal),
    nowMs,
    newId: randomUUID,
  });
  await connections.load();
  const downloads = new Downloads({
    directory: join(settings.stateDir, 'downloads'),
    temporaryDirectory: directory,
  });
  await downloads.start();
  const link = new SshLink({
    connections,
    start: (...what) => processes.start(...what),
    temporaryDirectory: directory,
    knownHostsFile: join(directory, 'known_hosts'),
    path: processEnvironment()['PATH'],
    readFile,
    downloads,
    newId: randomUUID,
    nowMs,
    log,
  });
  return { connections, downloads, link };
}
