/** How to reach a node that has no PXP agent. */

import type { Change } from '../../../platform/changes/index.ts';

export interface SshParameters {
  readonly user: string;
  readonly port: number;
  /** Where it is different from the certname. */
  readonly hostname: string | undefined;
  readonly connectTimeoutSeconds: number;
  /** Directory for files of one action. */
  readonly directory: string;
  /** Runs everything as the superuser, by sudo. */
  readonly isSuperuser: boolean;
  /** Whether the key of the host must be the one that it had the first time. */
  readonly checksHostKey: boolean;
  /** Names that stand for all of their nodes; absent in entries of an earlier version. */
  readonly groups?: readonly string[];
}

/** Never shown, and stored closed. */
export interface SshSecrets {
  readonly password?: string;
  readonly privateKey?: string;
  readonly sudoPassword?: string;
}

export interface SshConnection {
  /** Of the entry that it was made by: several nodes may share one. */
  readonly id: string;
  readonly certname: string;
  readonly parameters: SshParameters;
}

export interface ConnectionStore {
  all(): Promise<readonly SshConnection[]>;
  /** @returns `undefined` without an entry, or when it was stored with a key that is no longer there */
  secretsOf(certname: string): Promise<SshSecrets | undefined>;
  /** Replaces entries of the same certnames. */
  add(connections: readonly SshConnection[], secrets: SshSecrets, change: Change): Promise<void>;
  remove(certnames: readonly string[], change: Change): Promise<void>;
}
