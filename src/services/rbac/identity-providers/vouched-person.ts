/** A person as described by a provider. */

import { OidcError, type OidcIdentity } from '../../../platform/oidc/index.ts';
import { SamlError, type SamlIdentity } from '../../../platform/saml/index.ts';
import { isLoginName } from '../wire.ts';
import {
  type OidcProviderSettings,
  type SamlProviderSettings,
  subjectKey,
  type VouchedPerson,
} from './identity-provider.ts';

/** @throws OidcError when a claim that is needed is missing or cannot be used */
export function personOfClaims(
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

/** @throws SamlError when the attribute that is needed is missing or cannot be used */
export function personOfAssertion(
  { attributes, issuer, nameId, sessionIndex }: SamlIdentity,
  settings: SamlProviderSettings,
): VouchedPerson {
  const values = (name: string | undefined) => (name === undefined ? [] : (attributes.get(name) ?? []));
  const { displayNameAttribute, emailAttribute, groupsAttribute, loginAttribute } = settings;
  const logins = loginAttribute === 'NameID' ? [nameId ?? ''] : values(loginAttribute);
  const [login = '', ...more] = logins;
  if (more.length > 0 || !isLoginName(login))
    throw new SamlError(`The attribute ${loginAttribute} is no login: '${logins.join("', '")}'`);
  return {
    key: subjectKey(issuer, login),
    login,
    displayName: textOf(values(displayNameAttribute)[0]) || login,
    email: textOf(values(emailAttribute)[0]),
    groups: values(groupsAttribute),
    sessionId: sessionIndex,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '') : '';
}
