/** Versions of code, as people compare them. */

export interface CodePlace {
  readonly commit: string;
  readonly environment: string;
}

/** The version that a code id names; `undefined` for ids of other servers. */
export function placeOf(codeId: string): CodePlace | undefined {
  const [, commit, environment] = /^urn:puppet:code-id:1:([0-9a-f]{40,64});(\w+)$/.exec(codeId) ?? [];
  return commit === undefined || environment === undefined ? undefined : { commit, environment };
}

/** The commit in a code id such as `urn:puppet:code-id:1:fe4b6a4a...;production`; other ids as they are. */
export function commitOf(codeId: string): string {
  return /^urn:puppet:code-id:1:([0-9a-f]{40,64});/.exec(codeId)?.[1]?.slice(0, 12) ?? codeId;
}
