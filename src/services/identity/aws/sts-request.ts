/** The one request to the Security Token Service that is a proof: the same bytes where it is signed and where it is sent. */

/** Of the signature: the bonds to the CA and to the key are signed with the rest. */
export const signedNames = [
  'content-type',
  'host',
  'x-amz-date',
  'x-amz-security-token',
  'x-bunraku-ca',
  'x-bunraku-key',
] as const;

export interface StsRequestParts {
  readonly host: string;
  /** `20261126T120000Z` */
  readonly date: string;
  readonly securityToken?: string | undefined;
  readonly caFingerprint: string;
  readonly keyDigest: string;
}

/** The body, which asks whose the signature is and nothing else. */
export const stsBody = 'Action=GetCallerIdentity&Version=2011-06-15';

/** Headers that are signed, by lower-case name. */
export function stsHeaders(parts: StsRequestParts): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host: parts.host,
    'x-amz-date': parts.date,
    ...(parts.securityToken === undefined ? {} : { 'x-amz-security-token': parts.securityToken }),
    'x-bunraku-ca': parts.caFingerprint,
    'x-bunraku-key': parts.keyDigest,
  };
}
