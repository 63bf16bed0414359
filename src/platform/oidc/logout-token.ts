/** Logout tokens, by which a provider says that a session there has ended (OpenID Connect Back-Channel Logout 1.0). */

import type { FetchImplementation, JWTVerifyGetKey } from 'jose';
import type { CustomFetch } from 'openid-client';
import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';
import { OidcError } from './oidc-error.ts';

export interface WantedLogout {
  readonly issuer: string;
  /** The provider's. */
  readonly keys: JWTVerifyGetKey;
  readonly audience: string;
  readonly now: Date;
}

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** Only a provider has a key for these: no text of ours can be taken for a signature. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How old a token may be. */
const mostAgeSeconds = 300;
const toleranceSeconds = 60;
/** Anyone may send tokens, which must not become as many requests to the provider. */
const leastPauseMs = 5000;

const LogoutWire = z
  .looseObject({
    iss: z.string(),
    jti: z.string().min(1),
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.looseObject({ [event]: z.looseObject({}) }),
    // An ID token must not be taken for a logout token (section 2.6).
    nonce: z.undefined().optional(),
  })
  .refine(({ sid, sub }) => sid !== undefined || sub !== undefined, 'neither sub nor sid');

/** @throws Error saying what is wrong with it */
export async function verifyLogoutToken(token: string, wanted: WantedLogout) {
  const { jwtVerify } = await import('jose');
  const { payload } = await jwtVerify(token, wanted.keys, {
    issuer: wanted.issuer,
    audience: wanted.audience,
    algorithms,
    currentDate: wanted.now,
    maxTokenAge: mostAgeSeconds,
    clockTolerance: toleranceSeconds,
    requiredClaims: ['jti', 'events'],
  });
  const read = checkShape(LogoutWire, payload);
  if (!read.success) throw new OidcError('refused', `It is no logout token: ${z.prettifyError(read.error)}`);
  const { iss, jti, sid, sub } = read.data;
  return { id: jti, issuer: iss, subject: sub, sessionId: sid };
}

/** The keys at a URL. Asked for again when a token names another key, but not more often than the pause says. */
export async function remoteKeys(url: string, fetchKeys: CustomFetch): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await import('jose');
  const fetchAsJose: FetchImplementation = (address, { headers, method, signal }) =>
    fetchKeys(address, {
      method,
      headers: Object.fromEntries(headers),
      signal,
      redirect: 'manual',
      body: null,
    });
  return createRemoteJWKSet(new URL(url), {
    cooldownDuration: leastPauseMs,
    [customFetch]: fetchAsJose,
  });
}
