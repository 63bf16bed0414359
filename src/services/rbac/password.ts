/** Passwords, of which only what scrypt makes of them is kept. */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Semaphore } from '../../lib/semaphore.ts';
import { LoginLimit } from './login-limit.ts';
import { mostPasswordCharacters } from './password-policy.ts';

/** What scrypt takes of time and memory. */
export interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** One of the equally good choices of OWASP's "Password Storage Cheat Sheet": 32 MiB for each attempt. */
const usualCost: Cost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 32;
const saltBytes = 16;

export class Passwords {
  private readonly cost: Cost;
  /** Guessing must not take all threads that the server has for keys and files. */
  private readonly turns = new Semaphore(1);
  /** Each takes some tenths of a second. */
  private readonly limit = new LoginLimit('Too many passwords are being checked');
  private readonly decoy: string;

  /** @param cost - of new hashes; what others took is within them */
  constructor(cost: Cost = usualCost) {
    this.cost = cost;
    this.decoy = render(cost, randomBytes(saltBytes), randomBytes(keyBytes));
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    return render(this.cost, salt, await this.inTurn(() => derive(password, salt, this.cost)));
  }

  /**
   * Looks whether a password is right. What follows from that ends before the next attempt begins: of many that come at
   * once each knows what became of those before it.
   *
   * @param hash - when absent, the answer takes as long, and is false
   * @returns what `judge` does
   */
  attempt<T>(
    password: string,
    hash: string | undefined,
    judge: (isRight: boolean) => Promise<T>,
  ): Promise<T> {
    return this.inTurn(async () => await judge(await this.isRight(password, hash)));
  }

  /** Whether a password is right, for those who judge an attempt: they have its turn. */
  async isRight(password: string, hash: string | undefined): Promise<boolean> {
    const [, N, r, p, salt = '', key = ''] = (hash ?? this.decoy).split('$');
    const expected = Buffer.from(key, 'base64url');
    const given = password.length > mostPasswordCharacters ? '' : password;
    const found = await derive(given, Buffer.from(salt, 'base64url'), {
      N: Number(N),
      r: Number(r),
      p: Number(p),
    });
    return timingSafeEqual(found, expected) && hash !== undefined;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.limit.run(() => this.turns.run(work));
  }
}

function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, keyBytes, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** `scrypt$N$r$p$SALT$KEY` */
function render({ N, p, r }: Cost, salt: Buffer, key: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}
