/** The side of the signing process: answers the server on one connection. */

import type { Socket } from 'node:net';
import { ServiceError } from '../../../lib/service-error.ts';
import { X509Error } from '../../../platform/x509/index.ts';
import { CaDirectory } from '../directory/ca-directory.ts';
import { loadSigningIdentity, type SigningIdentity } from '../issuance/signing-identity.ts';
import { checkBeforeSigning } from './check-before-signing.ts';
import {
  answerKinds,
  decodeRenewal,
  encodeFrame,
  type Frame,
  readFrames,
  requestKinds,
  type SignerDescription,
} from './frames.ts';

/**
 * Answers until the connection ends. The key is read with the first request: a new authority has it only then.
 *
 * @param caDir - where the key and the certificates of the authority are
 */
export function serveSigner(socket: Socket, caDir: string, signingCommand: readonly string[] = []): void {
  let identity: Promise<SigningIdentity> | undefined;
  const load = () => {
    identity ??= loadSigningIdentity(new CaDirectory(caDir), signingCommand);
    identity.catch(() => {
      // The next request reads it again.
      identity = undefined;
    });
    return identity;
  };
  socket.on('error', () => socket.destroy());
  readFrames(socket, (request) => {
    void answer(request, load).then((frame) => {
      if (!socket.destroyed) socket.write(encodeFrame(frame));
    });
  });
}

async function answer({ content, id, kind }: Frame, load: () => Promise<SigningIdentity>): Promise<Frame> {
  try {
    const identity = await load();
    const done = kind === requestKinds.describe ? describe(identity) : await sign(kind, content, identity);
    return { id, kind: answerKinds.done, content: done };
  } catch (error) {
    const isRefused =
      error instanceof ServiceError || error instanceof X509Error || error instanceof RangeError;
    const message = error instanceof Error ? error.message : String(error);
    return { id, kind: isRefused ? answerKinds.refused : answerKinds.failed, content: Buffer.from(message) };
  }
}

function sign(kind: number, content: Buffer, identity: SigningIdentity): Promise<Buffer> {
  const { replaced, tbs } =
    kind === requestKinds.renew ? decodeRenewal(content) : { tbs: content, replaced: undefined };
  checkBeforeSigning(tbs, identity, new Date(), replaced);
  return identity.signer.sign(tbs);
}

function describe({ signer }: SigningIdentity): Buffer {
  const description: SignerDescription = {
    publicKeyInfo: signer.publicKeyInfo.toString('base64'),
    algorithm: signer.algorithm.toString('base64'),
    uid: process.getuid?.() ?? -1,
    pid: process.pid,
  };
  return Buffer.from(JSON.stringify(description));
}
