/** A directory that users log in with. */

export interface Directory {
  readonly id: string;
  readonly createdAt: Date;
  /** A directory that was disconnected keeps its users and groups, who have no rights meanwhile. */
  readonly isConnected: boolean;
  readonly settings: DirectorySettings;
  /** Of the lookup user, encrypted. */
  readonly sealedPassword: string | undefined;
}

export interface DirectorySettings {
  readonly displayName: string;
  /** Shown to people who cannot log in. */
  readonly helpLink: string;
  readonly hostname: string;
  readonly port: number;
  readonly security: 'tls' | 'start-tls' | 'none';
  readonly checksHostname: boolean;
  readonly allowsWildcards: boolean;
  readonly connectTimeoutSeconds: number;
  /** The DN of the user who searches; searches are anonymous when absent. */
  readonly lookupUser: string | undefined;
  readonly baseDn: string;
  /** Below which users are, with the base behind it. */
  readonly userRdn: string | undefined;
  readonly userLookupAttribute: string;
  readonly userEmailAttribute: string;
  readonly userDisplayNameAttribute: string;
  readonly groupRdn: string | undefined;
  readonly groupObjectClass: string;
  readonly groupMemberAttribute: string;
  readonly groupNameAttribute: string;
  readonly groupLookupAttribute: string;
  readonly searchesNestedGroups: boolean;
  readonly usesMatchingRuleInChain: boolean;
}

/** Encrypts secrets before they are stored. */
export interface SecretSeal {
  close(text: string): string;
  open(text: string): string;
}

/** What is submitted: settings, and perhaps another password. */
export interface SubmittedDirectory {
  readonly settings: DirectorySettings;
  /** The one that is stored when absent. */
  readonly password: string | undefined;
}

export function userBase({ baseDn, userRdn }: DirectorySettings): string {
  return userRdn === undefined ? baseDn : `${userRdn},${baseDn}`;
}

export function groupBase({ baseDn, groupRdn }: DirectorySettings): string {
  return groupRdn === undefined ? baseDn : `${groupRdn},${baseDn}`;
}
