/** `oidc-provider` in this process: an OpenID provider at which one person is logged in. */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ProviderContext } from 'oidc-provider';

export const openIdClient = { id: 'bunraku', secret: 'a secret of the client' };

export interface ProviderPerson {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export class RunningOpenIdProvider {
  readonly issuer: string;
  /** The person who logs in. */
  person: ProviderPerson = { subject: 'unknown', claims: {} };
  /** Where the browser may be sent, and where the provider says that a session has ended. */
  client = { callback: '', logout: '' };
  /** Changes an answer of the provider before it is sent. */
  tamper: (context: ProviderContext) => Promise<void> | void = () => undefined;
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  private readonly server: Server;
  private provider: Provider | undefined;
  private key: { readonly id: string; readonly privateKey: KeyObject } | undefined;
  private keys = 0;

  static async start(): Promise<RunningOpenIdProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RunningOpenIdProvider(server);
  }

  private constructor(server: Server) {
    this.server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Begins anew, with a new key to sign with. Sessions at the provider stay. */
  renew(): void {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.key = { id: `key${++this.keys}`, privateKey };
    const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: this.key.id };
    const said = console.info;
    // It says that nothing is kept in a database: no test needs that.
    console.info = () => undefined;
    const warned = console.warn;
    console.warn = () => undefined;
    try {
      this.provider = this.create(key);
    } finally {
      console.info = said;
      console.warn = warned;
    }
    this.server.removeAllListeners('request');
    const handle = this.provider.callback();
    this.server.on('request', (request, response) => {
      this.asked.push(new URL(request.url ?? '/', this.issuer).pathname);
      handle(request, response);
    });
  }

  /** As a browser: follows the provider until it sends the browser back. @returns where to */
  async logIn(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = url;
    while (next.startsWith(`${this.issuer}/`)) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const each of answer.headers.getSetCookie()) {
        const [pair = ''] = each.split(';');
        const [name = ''] = pair.split('=');
        cookies.set(name, pair.slice(name.length + 1));
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`The provider answers ${answer.status}: ${await answer.text()}`);
      next = new URL(location, this.issuer).href;
    }
    return next;
  }

  /** Says to our client that a session has ended. */
  async endSession(subject: string, sessionId: string): Promise<void> {
    const client = await this.provider?.Client.find(openIdClient.id);
    await client?.backchannelLogout(subject, sessionId);
  }

  /** A token as only the provider can make it. @param privateKey - the provider's own when absent */
  sign(claims: object, header: object = {}, privateKey = this.key?.privateKey): string {
    if (privateKey === undefined || this.key === undefined) throw new Error('The provider has no key yet');
    const parts = [{ alg: 'RS256', kid: this.key.id, ...header }, claims];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private create(key: object): Provider {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: openIdClient.id,
          client_secret: openIdClient.secret,
          redirect_uris: [this.client.callback],
          backchannel_logout_uri: this.client.logout,
          backchannel_logout_session_required: true,
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['a key of cookies'] },
      claims: {
        openid: ['sub', 'sid'],
        profile: ['name', 'preferred_username', 'groups'],
        email: ['email'],
      },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      // Its own way to ask refuses loopback addresses.
      fetch: (address: string, options: RequestInit) =>
        fetch(address, Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'dispatcher'))),
      pkce: { required: () => true },
      interactions: { url: () => '/log-in' },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, ...this.person.claims }),
      }),
      async loadExistingGrant({ oidc }: ProviderContext) {
        const { accountId } = oidc.session;
        const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      if (context.path === '/log-in') {
        context.respond = false;
        const result = { login: { accountId: this.person.subject } };
        await provider.interactionFinished(context.req, context.res, result);
        return;
      }
      await next();
      await this.tamper(context);
    });
    return provider;
  }
}
