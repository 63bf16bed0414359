/** What signs for an authority: a key in this process, or a program that reaches one outside. */

import { spawn } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { Semaphore } from '../../lib/semaphore.ts';
import { encodePublicKeyInfo } from './keys.ts';
import { digestFor, isSignatureOf, signatureAlgorithmFor, signWith } from './signature.ts';
import { X509Error } from './x509-error.ts';

export interface Signer {
  /** SubjectPublicKeyInfo as DER. */
  readonly publicKeyInfo: Buffer;
  /** AlgorithmIdentifier of its signatures as DER. */
  readonly algorithm: Buffer;
  /**
   * @param replaced - the certificate as DER that `data` renews, for signers that judge what they sign
   * @returns the signature over `data`
   */
  sign(data: Buffer, replaced?: Buffer): Promise<Buffer>;
}

/** Signs in the thread pool. @throws X509Error for keys that cannot sign certificates */
export function keySigner(privateKey: KeyObject): Signer {
  return {
    publicKeyInfo: encodePublicKeyInfo(createPublicKey(privateKey)),
    algorithm: signatureAlgorithmFor(privateKey),
    sign: (data) => signWith(privateKey, data),
  };
}

/** A key that cannot leave its module is slow, but not this slow. */
const commandTimeoutMs = 30_000;

/**
 * Signs by a program: it gets the digest's name (`sha256`) as its last argument and what is to be signed on its
 * standard input, and writes the signature as DER (EC) or PKCS #1 (RSA) to its standard output. A PKCS #11 module is
 * reached by OpenSSL or `pkcs11-tool` that way.
 *
 * Each signature is checked against the public key before it is used.
 *
 * @param publicKeyInfo - of the key that the program uses
 */
export function commandSigner(command: readonly string[], publicKeyInfo: Buffer): Signer {
  const publicKey = createPublicKey({ key: publicKeyInfo, format: 'der', type: 'spki' });
  const digest = digestFor(publicKey);
  // One after the other: programs that log in to a module at the same time disturb each other.
  const places = new Semaphore(1);
  return {
    publicKeyInfo,
    algorithm: signatureAlgorithmFor(publicKey),
    async sign(data) {
      const signature = await places.run(() => runSigner([...command, digest], data));
      if (isSignatureOf(signature, data, publicKey)) return signature;
      throw new X509Error('The signing command gave a signature that the authority’s key has not made');
    },
  };
}

function runSigner([program = '', ...args]: readonly string[], data: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: commandTimeoutMs,
      killSignal: 'SIGKILL',
    });
    const output: Buffer[] = [];
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(0, 2000);
    });
    child.stdin.on('error', () => {
      // It ended without reading: its exit code says why.
    });
    child.on('error', (cause) =>
      reject(new X509Error(`Could not run the signing command ${program}`, { cause })),
    );
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new X509Error(`The signing command ended with ${code ?? signal}: ${complaint.trim()}`));
    });
    child.stdin.end(data);
  });
}
