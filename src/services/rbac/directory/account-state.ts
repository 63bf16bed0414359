/** Whether an entry is of an account that may be used at all. */

import type { LdapEntry } from '../../../platform/ldap/index.ts';

/** What has to be asked for to know. */
export const accountAttributes = [
  'userAccountControl',
  'accountExpires',
  'nsAccountLock',
  'pwdAccountLockedTime',
] as const;

/** Active Directory: ACCOUNTDISABLE. */
const disabledBit = 0x2;
/** Active Directory counts time in units of 100 ns from 1601. */
const fileTimePerMs = 10_000n;
const fileTimeOf1970 = 116_444_736_000_000_000n;
/** Two values that both say that an account does not end. */
const endless: readonly bigint[] = [0n, 0x7fff_ffff_ffff_ffffn];
/** OpenLDAP: locked by an administrator, until an administrator undoes it. */
const lockedForGood = '000001010000Z';

/**
 * Accounts that an administrator disabled or that have ended. Accounts that too many wrong passwords lock for a while are not
 * among them: otherwise anybody could end the work of others by guessing.
 */
export function isDisabled(entry: LdapEntry, now: Date): boolean {
  const control = Number(entry.first('userAccountControl') ?? 0);
  return (
    (control & disabledBit) !== 0 ||
    hasEnded(entry.first('accountExpires'), now) ||
    entry.first('nsAccountLock')?.toLowerCase() === 'true' ||
    entry.first('pwdAccountLockedTime') === lockedForGood
  );
}

function hasEnded(text: string | undefined, now: Date): boolean {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return false;
  const end = BigInt(text);
  return !endless.includes(end) && end <= BigInt(now.getTime()) * fileTimePerMs + fileTimeOf1970;
}
