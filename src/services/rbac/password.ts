/** Passwords, of which only what scrypt makes of them is kept. */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Semaphore } from '../../lib/semaphore.ts';
import { rbacError } from './rbac-error.ts';

/** What scrypt takes of time and memory. */
export interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** One of the equally good choices of OWASP's "Password Storage Cheat Sheet": 32 MiB for each attempt. */
const usualCost: Cost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 32;
const fewestCharacters = 8;
/** Longer ones are no safer, and whoever sends a megabyte means harm. */
const mostCharacters = 1000;

export class Passwords {
  private readonly cost: Cost;
  /** Whoever guesses may not take all threads that the server has for keys and files. */
  private readonly turns = new Semaphore(1);
  private decoy: Promise<string> | undefined;

  /** @param cost - of new hashes; what others took is within them */
  constructor(cost: Cost = usualCost) {
    this.cost = cost;
  }

  /** @throws ServiceError `bad-request` when it is too short or too long */
  async hash(password: string): Promise<string> {
    if (password.length < fewestCharacters || password.length > mostCharacters)
      throw rbacError(
        'bad-request',
        'invalid-password',
        `A password has ${fewestCharacters} to ${mostCharacters} characters`,
      );
    return await this.encode(password);
  }

  /** @param hash - where there is none the answer takes as long, and is no */
  async isRight(password: string, hash: string | undefined): Promise<boolean> {
    this.decoy ??= this.encode(randomBytes(16).toString('hex'));
    const [, N, r, p, salt = '', key = ''] = (hash ?? (await this.decoy)).split('$');
    const expected = Buffer.from(key, 'base64url');
    const given = password.length > mostCharacters ? '' : password;
    const found = await this.derive(given, Buffer.from(salt, 'base64url'), {
      N: Number(N),
      r: Number(r),
      p: Number(p),
    });
    return timingSafeEqual(found, expected) && hash !== undefined;
  }

  /** `scrypt$N$r$p$SALT$KEY` */
  private async encode(password: string): Promise<string> {
    const { N, p, r } = this.cost;
    const salt = randomBytes(16);
    const key = await this.derive(password, salt, this.cost);
    return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
  }

  private derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
    const options = { N, r, p, maxmem: 256 * N * r };
    return this.turns.run(
      () =>
        new Promise((resolve, reject) => {
          scrypt(password.normalize('NFC'), salt, keyBytes, options, (error, key) => {
            if (error === null) resolve(key);
            else reject(error);
          });
        }),
    );
  }
}
