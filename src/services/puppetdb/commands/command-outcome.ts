/** What became of a command. */

import type { CommandName } from './command-name.ts';

/**
 * What was stored, or was there already, or is older than what is there. `wanted`: only the name of a catalog's content
 * was sent, and that is not what is there.
 */
export type Stored = 'stored' | 'unchanged' | 'obsolete' | 'wanted';

export interface CommandOutcome {
  /** `dead`: it can never be carried out, and is kept aside. */
  readonly kind: Stored | 'dead';
  /** How often it was tried again because the database was away. */
  readonly retries: number;
}

/** What the sender of a command gets. */
export interface CommandReceipt {
  /** What the command is called from now on. */
  readonly id: string;
  readonly command: CommandName;
  readonly version: number;
  readonly certname: string;
  readonly outcome: CommandOutcome;
}
