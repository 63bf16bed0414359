/** A person by the claims of an OpenID provider. */

import { OidcError, type OidcIdentity } from '../../../platform/oidc/index.ts';
import { isLoginName } from '../wire.ts';
import { type OidcProviderSettings, subjectKey, type VouchedPerson } from './identity-provider.ts';

/** @throws OidcError when a claim that is needed is missing or cannot be used */
export function personOf(
  { claims, issuer, sessionId, subject }: OidcIdentity,
  settings: OidcProviderSettings,
): VouchedPerson {
  const login = textOf(claims[settings.loginClaim]);
  if (!isLoginName(login))
    throw new OidcError('refused', `The claim ${settings.loginClaim} of ${subject} is no login: '${login}'`);
  return {
    key: subjectKey(issuer, subject),
    login,
    displayName: textOf(claims[settings.displayNameClaim]) || login,
    email: textOf(claims[settings.emailClaim]),
    groups: [claims[settings.groupsClaim] ?? []].flat().filter((each) => typeof each === 'string'),
    sessionId,
  };
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim.replaceAll('\0', '') : '';
}
