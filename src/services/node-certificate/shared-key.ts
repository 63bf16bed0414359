/** The private key that a server shares with the agent of its machine: whichever comes first makes it. */

import { createPublicKey, randomBytes } from 'node:crypto';
import { linkSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere, readTextIfThere } from '../../lib/if-there.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  createKeyPair,
  decodePrivateKey,
  encodePrivateKey,
  encodePublicKey,
  type KeyPair,
  type KeySpec,
  type SslFiles,
} from '../../platform/x509/index.ts';

export interface KeyOptions {
  readonly key: KeySpec;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** An agent holds its lock for seconds, while it makes a key; it waits for a signature without the lock. */
const lockPatienceMs = 60_000;
const lockPollMs = 50;

/** @throws X509Error when the file holds no private key */
export async function readKey(files: SslFiles): Promise<KeyPair | undefined> {
  const saved = await ifThere(readFile(files.privateKey, 'utf8'));
  if (saved === undefined) return undefined;
  const privateKey = decodePrivateKey(saved, files.privateKey);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** The key that is there, or a new one, which never replaces one that an agent has made in the meantime. */
export async function ensureKey(options: KeyOptions, files: SslFiles): Promise<KeyPair> {
  const saved = await readKey(files);
  if (saved !== undefined) return saved;
  const keys = await createKeyPair(options.key);
  if (!(await writeNew(options, files, encodePrivateKey(keys.privateKey)))) return ensureKey(options, files);
  await writeFileAtomically(files.publicKey, encodePublicKey(keys.publicKey));
  return keys;
}

/** @returns whether it was written: false when there is a key already */
async function writeNew(
  options: KeyOptions,
  { lock, privateKey }: SslFiles,
  content: string,
): Promise<boolean> {
  const temporary = `${privateKey}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFileAtomically(temporary, content, 0o600);
    await untilAgentIsIdle(options, lock);
    // At once: an agent that takes its lock now looks for a key only after it has read certificates and lists.
    linkSync(temporary, privateKey);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** An agent that has the lock may have found no key, and replaces what is there when it has made one. */
async function untilAgentIsIdle({ log, signal }: KeyOptions, lock: string): Promise<void> {
  const end = performance.now() + lockPatienceMs;
  while (isHeld(lock)) {
    if (performance.now() > end) {
      log.warn({ file: lock }, 'an agent has held the lock of the ssldir for a minute; going on without it');
      return;
    }
    await sleep(lockPollMs, undefined, { signal });
  }
}

/** Puppet's lock: a file with the number of a process. */
function isHeld(lock: string): boolean {
  const pid = Number(readTextIfThere(lock)?.trim() || Number.NaN);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
