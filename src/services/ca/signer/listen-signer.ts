/** A signing process that a server does not start: it listens on a socket, and runs as a user of its own. */

import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { ServiceError } from '../../../lib/service-error.ts';
import { CaDirectory } from '../directory/ca-directory.ts';
import { loadSigningIdentity } from '../issuance/signing-identity.ts';
import { serveSigner } from './serve-signer.ts';

/** Its user and its group may connect; the directory of the socket keeps others out before that. */
const socketMode = 0o660;

export interface ListeningSigner {
  close(): Promise<void>;
}

/**
 * Takes connections on a Unix socket.
 *
 * @throws ServiceError `conflict` where the directory has no usable key, `unavailable` where another one listens
 */
export async function listenSigner(
  path: string,
  caDir: string,
  signingCommand: readonly string[],
): Promise<ListeningSigner> {
  await loadSigningIdentity(new CaDirectory(caDir), signingCommand);
  if (await isAnswered(path))
    throw new ServiceError('unavailable', `Another signing process listens on ${path}`);
  await rm(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serveSigner(socket, caDir, signingCommand);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, socketMode);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
