/** One OpenID provider, as a relying party asks it. The libraries are loaded when a provider is asked first. */

import type { JWTVerifyGetKey } from 'jose';
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { remoteKeys, verifyLogoutToken } from './logout-token.ts';
import { OidcError } from './oidc-error.ts';
import { providerFetch, type Trust } from './provider-fetch.ts';

export interface OidcSettings {
  /** `https:`; `http:` for loopback addresses alone. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for public clients, which have PKCE alone. */
  readonly clientSecret: string | undefined;
  readonly authentication: 'basic' | 'post';
  readonly scopes: string;
}

/** What proves that an answer belongs to a request; kept by the browser that began, unreadable for it. */
export interface OidcProof {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The session at the provider, which back-channel logout names. */
  readonly sessionId: string | undefined;
  /** Of the ID token and of the userinfo endpoint, the ID token first. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface OidcLogout {
  /** No token has the ID of another. */
  readonly id: string;
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly sessionId: string | undefined;
}

const timeoutSeconds = 10;
/** How long a provider's metadata is cached. */
const metadataMs = 5 * 60 * 1000;
/** Clocks differ. */
const toleranceSeconds = 60;

export class OidcClient {
  private readonly settings: OidcSettings;
  private readonly trust: Trust;
  private readonly nowMs: () => number;
  private keys: { readonly url: string; readonly get: JWTVerifyGetKey } | undefined;
  private known: { readonly metadata: Promise<ServerMetadata>; readonly untilMs: number } | undefined;

  constructor(settings: OidcSettings, trust: Trust, nowMs: () => number) {
    this.settings = settings;
    this.trust = trust;
    this.nowMs = nowMs;
  }

  /** Asks for the provider's metadata and keys anew. @throws OidcError */
  async test(): Promise<void> {
    this.known = undefined;
    const keys = await this.keysUrl();
    const answer = await providerFetch(this.trust)(keys, {
      method: 'GET',
      headers: { accept: 'application/json' },
      redirect: 'manual',
      body: null,
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    });
    if (answer.status !== 200)
      throw new OidcError('unreachable', `${keys} answers with status ${answer.status}`);
  }

  /** Where a browser is sent to log in, and what it brings back. @throws OidcError */
  async begin(redirectUri: string): Promise<{ readonly url: string; readonly proof: OidcProof }> {
    const library = await import('openid-client');
    const configuration = await this.configuration();
    const proof: OidcProof = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    };
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.settings.scopes,
      state: proof.state,
      nonce: proof.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(proof.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, proof };
  }

  /** @param url - what the browser was sent back to, with its query @throws OidcError */
  async finish(url: string, { nonce, state, verifier }: OidcProof): Promise<OidcIdentity> {
    const library = await import('openid-client');
    const configuration = await this.configuration();
    try {
      const tokens = await library.authorizationCodeGrant(configuration, new URL(url), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new OidcError('refused', 'The provider sent no ID token');
      const { iss: issuer, sid, sub: subject } = claims;
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore
        ? await library.fetchUserInfo(configuration, tokens.access_token, subject)
        : undefined;
      const sessionId = typeof sid === 'string' ? sid : undefined;
      return { issuer, subject, sessionId, claims: { ...more, ...claims } };
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** @throws OidcError for a token that is not the provider's, not for us, not new, or no logout token */
  async readLogout(token: string): Promise<OidcLogout> {
    try {
      const { issuer } = await this.metadata();
      const wanted = { issuer, audience: this.settings.clientId, now: new Date(this.nowMs()) };
      return await verifyLogoutToken(token, { ...wanted, keys: await this.logoutKeys() });
    } catch (error) {
      throw failureOf(error);
    }
  }

  private async keysUrl(): Promise<string> {
    const { jwks_uri: keys } = await this.metadata();
    if (keys === undefined) throw new OidcError('unreachable', 'The provider names no keys (jwks_uri)');
    return keys;
  }

  private async logoutKeys(): Promise<JWTVerifyGetKey> {
    const url = await this.keysUrl();
    if (this.keys?.url !== url) this.keys = { url, get: await remoteKeys(url, providerFetch(this.trust)) };
    return this.keys.get;
  }

  /** A new one each time: it keeps the provider's keys, which may have been rotated since. */
  private async configuration(): Promise<Configuration> {
    const library = await import('openid-client');
    const { clientId, issuer } = this.settings;
    const metadata = await this.metadata();
    const configuration = new library.Configuration(
      metadata,
      clientId,
      { [library.clockTolerance]: toleranceSeconds },
      await this.clientAuthentication(),
    );
    configuration.timeout = timeoutSeconds;
    configuration[library.customFetch] = providerFetch(this.trust);
    // Without it the signature of an ID token that comes over TLS from the token endpoint is not looked at.
    library.enableNonRepudiationChecks(configuration);
    if (isPlain(issuer)) library.allowInsecureRequests(configuration);
    return configuration;
  }

  private metadata(): Promise<ServerMetadata> {
    if (this.known !== undefined && this.known.untilMs > this.nowMs()) return this.known.metadata;
    const metadata = this.discover();
    const known = { metadata, untilMs: this.nowMs() + metadataMs };
    this.known = known;
    metadata.catch(() => {
      if (this.known === known) this.known = undefined;
    });
    return metadata;
  }

  private async discover(): Promise<ServerMetadata> {
    const library = await import('openid-client');
    const { clientId, issuer } = this.settings;
    try {
      const configuration = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
        timeout: timeoutSeconds,
        [library.customFetch]: providerFetch(this.trust),
        execute: isPlain(issuer) ? [library.allowInsecureRequests] : [],
      });
      return configuration.serverMetadata();
    } catch (error) {
      const failure = failureOf(error);
      throw new OidcError('unreachable', `${issuer} is no OpenID provider now: ${failure.message}`, error);
    }
  }

  private async clientAuthentication(): Promise<ClientAuth> {
    const library = await import('openid-client');
    const { authentication, clientSecret } = this.settings;
    if (clientSecret === undefined) return library.None();
    return authentication === 'post'
      ? library.ClientSecretPost(clientSecret)
      : library.ClientSecretBasic(clientSecret);
  }
}

function isPlain(issuer: string): boolean {
  return issuer.startsWith('http:');
}

/** The first of the causes that is ours, else what the library says. */
function failureOf(error: unknown): OidcError {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof OidcError) return each;
  return new OidcError('refused', describe(error), error);
}

function describe(error: unknown): string {
  const texts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    texts.push(each.message);
    // What the provider itself says about a refusal.
    if ('error' in each && typeof each.error === 'string') texts.push(each.error);
    if ('error_description' in each && typeof each.error_description === 'string')
      texts.push(each.error_description);
  }
  return texts.join(': ') || String(error);
}
