/** Signs what package managers read, with a key in the keyring of GnuPG. */

import { spawn } from 'node:child_process';
import { ServiceError } from '../../lib/service-error.ts';

/** Signs with an operator's key. */
export interface RepositorySigner {
  /** ASCII armour, apart from what is signed. */
  detached(content: Buffer): Promise<Buffer>;
  /** What is signed, and the signature below it. */
  clear(content: Buffer): Promise<Buffer>;
  /** ASCII armour. */
  publicKey(): Promise<Buffer>;
}

const timeoutMs = 60_000;

/** @param key - an id, a fingerprint or an address, as `gpg --local-user` takes it; its secret part is where this runs */
export function gpgSigner(key: string): RepositorySigner {
  const sign = ['--digest-algo', 'SHA512', '--local-user', key];
  return {
    detached: (content) => runGpg([...sign, '--armor', '--detach-sign'], content),
    clear: (content) => runGpg([...sign, '--clear-sign'], content),
    publicKey: async () => {
      const exported = await runGpg(['--armor', '--export', key], Buffer.alloc(0));
      if (exported.length === 0) throw failed(`it has no key ${key}`);
      return exported;
    },
  };
}

/** @throws ServiceError `unavailable` with what GnuPG said */
function runGpg(args: readonly string[], input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A key with a passphrase is for its agent to ask about, on the operator's terminal.
    const child = spawn('gpg', ['--batch', '--yes', '--quiet', ...args], { timeout: timeoutMs });
    const output: Buffer[] = [];
    const complaints: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => output.push(piece));
    child.stderr.on('data', (piece: Buffer) => complaints.push(piece));
    child.once('error', (error) => reject(failed(error.message)));
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output));
      else reject(failed(Buffer.concat(complaints).toString('utf8').trim() || `it ended with ${code}`));
    });
    // A program that ends early closes its input; how it ended says why.
    child.stdin.once('error', () => undefined);
    child.stdin.end(input);
  });
}

function failed(reason: string): ServiceError {
  return new ServiceError('unavailable', `Could not sign the repository with gpg: ${reason}`);
}
