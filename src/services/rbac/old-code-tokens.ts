/** Tokens of the release before, which were lines of a file: `SHA256 NAME [END]`. They go on as tokens of users. */

import { readFile, rename } from 'node:fs/promises';
import type { RbacOptions } from './rbac.ts';
import type { User } from './user.ts';

const codeDeployers = 4;
const never = new Date('9999-12-31T00:00:00Z');

type TakeOverOptions = Pick<RbacOptions, 'log' | 'newId' | 'now' | 'store'>;

/** Makes a user of each name, who may deploy and has no password; then the file gets another name. */
export async function takeOverCodeTokens(path: string, options: TakeOverOptions): Promise<void> {
  const { log } = options;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (text === undefined) return;
  const tokens = text.split('\n').flatMap((line) => parseLine(line) ?? []);
  for (const token of tokens) await takeOver(token, options);
  await rename(path, `${path}.taken-over`);
  log.info({ file: path, tokens: tokens.length }, 'took tokens for deploys over as tokens of users');
}

interface OldToken {
  readonly digest: string;
  readonly name: string;
  readonly expiresAt: Date;
}

function parseLine(line: string): OldToken | undefined {
  const [, digest, name, end] = /^([0-9a-f]{64})\s+(\S+)(?:\s+(\S+))?\s*$/.exec(line) ?? [];
  if (digest === undefined || name === undefined) return undefined;
  const expiresAt = end === undefined ? never : new Date(end);
  return Number.isNaN(expiresAt.getTime()) ? undefined : { digest, name, expiresAt };
}

/** Again does no harm: it may have been interrupted. */
async function takeOver({ digest, expiresAt, name }: OldToken, options: TakeOverOptions): Promise<void> {
  const { log, newId, now, store } = options;
  if ((await store.findToken(digest)) !== undefined) return;
  const user = (await store.findUserByLogin(name)) ?? (await addDeployer(name, options));
  if (user.roleIds.some((id) => id !== codeDeployers)) {
    // The token would let its bearer do more than it did.
    log.warn({ login: name }, 'left a token for deploys behind: its name is a user with other roles');
    return;
  }
  const createdAt = now();
  await store.addToken(
    {
      id: newId(),
      userId: user.id,
      label: undefined,
      description: 'bunraku code token',
      client: undefined,
      createdAt,
      expiresAt,
      lastActiveAt: createdAt,
      isRevoked: false,
    },
    digest,
    new Date(0),
  );
}

async function addDeployer(login: string, { newId, store }: TakeOverOptions): Promise<User> {
  const user: User = {
    id: newId(),
    login,
    displayName: login,
    email: '',
    roleIds: [codeDeployers],
    isRevoked: false,
    lastLogin: undefined,
  };
  await store.addUser(user, undefined);
  return user;
}
