/** The contract between services and the HTTP server: what a route is, what it gets, what it answers. */

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { LogFields } from '../log/index.ts';
import type { PathOddity } from './request-path.ts';

/** Who sent a request: proved by the TLS handshake (or a trusted terminating proxy) or by a token, never claimed. */
export type Identity =
  | { readonly kind: 'anonymous'; readonly address: string }
  | {
      readonly kind: 'certificate';
      /** Lower case, from the certificate's common name. */
      readonly certname: string;
      /** DNS names of the certificate's alternative names; `auth.conf` rules take them for the certname too. */
      readonly dnsAltNames?: readonly string[];
      /** Puppet's extensions, by short name if there is one (`pp_role`), else by OID; values decoded. */
      readonly extensions: Readonly<Record<string, string>>;
      /** Upper-case hexadecimal, without leading zeros. */
      readonly serial: string;
      /** The certificate as DER. */
      readonly raw: Buffer;
      readonly address: string;
    }
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly login: string;
      /** Whether one of the user's roles lets do that. */
      readonly permits: (permission: WantedPermission) => boolean;
      readonly address: string;
    };

/** Something that roles allow, in the words of Puppet Enterprise: `environment`, `deploy_code`, `production`. */
export interface WantedPermission {
  readonly objectType: string;
  readonly action: string;
  /** Which object; any one that there may be when absent. */
  readonly instance?: string;
}

export type UserIdentity = Extract<Identity, { readonly kind: 'user' }>;

/** Whose token a text is. */
export type TokenAuthenticator = (token: string, address: string) => Promise<UserIdentity>;

/**
 * Whose session a request belongs to, by its cookie.
 *
 * @returns `undefined` where it shows none, or one that does not count any more
 * @throws ServiceError `forbidden` where another site may have made a browser send it
 */
export type SessionAuthenticator = (
  request: Pick<HttpRequest, 'method' | 'path' | 'headers'>,
  address: string,
) => Promise<UserIdentity | undefined>;

export interface HttpRequest {
  readonly method: string;
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** Path parameters, percent-decoded; `*` holds the rest of a wildcard route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly identity: Identity;
  /** Aborted when the client goes away or the request's time is up. */
  readonly signal: AbortSignal;
  /**
   * The whole body, content coding removed.
   *
   * @throws ServiceError `too-large` above the route's limit, `bad-request` when truncated or wrongly coded
   */
  body(): Promise<Buffer>;
  /** The body as it arrives, coding not removed: for proxies. */
  stream(): Readable;
}

export interface HttpResponse {
  readonly status: number;
  /** The phrase of the status line, printable ASCII; the status' usual name when absent. */
  readonly reason?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A stream is sent chunked and destroyed when the client goes away. */
  readonly body?: string | Buffer | Readable;
  /**
   * The body owns its memory and is not used afterwards: it is given back as soon as the body has been
   * compressed or sent; each part of a stream, too. Left to the collector, large bodies pile up, and make it go through
   * the whole heap often.
   */
  readonly isBodyDisposable?: boolean;
  /** What the request's line in the log says besides who asked for what. */
  readonly logged?: { readonly message?: string; readonly fields: LogFields };
}

/**
 * Who may call a route.
 *
 * - `rules`: clients that the authorisation rules (`auth.conf`) let through; without a matching rule, none.
 * - `anyone`: no check at all: status pages and what must work before a certificate exists.
 * - `certname` / `extension`: decided by the route, whatever `auth.conf` says; for our own protocols.
 * - `infrastructure`: other servers of the installation, which the HTTP server is told how to recognise.
 * - `permission`: users whose token comes in `X-Authentication` or `?token=`, with a permission, or all of them.
 * - `any-of`: clients that one of several lets in.
 */
export type Access =
  | { readonly kind: 'rules' }
  | { readonly kind: 'infrastructure' }
  | IdentityAccess
  | { readonly kind: 'any-of'; readonly of: readonly Access[] };

/** Decided by nothing but who sent the request. */
export type IdentityAccess =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'certname'; readonly allows: (certname: string) => boolean }
  | { readonly kind: 'extension'; readonly name: string; readonly value: string }
  | { readonly kind: 'permission'; readonly permission?: WantedPermission }
  | { readonly kind: 'any-of'; readonly of: readonly IdentityAccess[] };

/** Keeps a server from beginning more than it can finish. */
export interface Gate {
  /**
   * @param key - the same for each attempt of one client at one thing
   * @returns to be called when the request has been answered
   * @throws ServiceError `unavailable` with `retryAfterSeconds` among its details
   */
  enter(key: string): () => void;
}

export interface Route {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** In the syntax of find-my-way: `/puppet/v3/report/:certname`, `/puppet/v3/file_content/*`. */
  readonly path: string;
  readonly allow: Access;
  /** Turns a decoded path into the one that the rules are asked about; itself when absent. For older names of a path. */
  readonly authorizedAs?: (path: string) => string;
  /**
   * The largest body that is read, in bytes, after decompression.
   *
   * When absent: the server's default, or a small one for clients without an identity and routes that let in all clients.
   */
  readonly maxBodyBytes?: number;
  /** Whether clients without an identity may send compressed bodies; all others may. */
  readonly takesCodedFromAnonymous?: boolean;
  /** What else than plain segments the path may hold; nothing when absent, and the request is refused. */
  readonly takesInPath?: readonly PathOddity[];
  /** Whether the path holds a secret, which no log may show: the pattern stands for it. */
  readonly isPathSecret?: boolean;
  /** Whether load balancers ask here for the server's health. */
  readonly isHealthCheck?: boolean;
  /** How long the request may take to arrive, and to be handled, each; the server's limits when absent. For archives. */
  readonly timeoutMs?: number;
  /** Passed before the body is read; always open when absent. For what takes the server long. */
  readonly gate?: Gate;
  /** For the description of the API: what is read of a body, and the JSON that is answered. */
  readonly shapes?: { readonly body?: z.ZodType; readonly answer?: z.ZodType };
  readonly handle: (request: HttpRequest) => Promise<HttpResponse> | HttpResponse;
}

/** For the description of the API. */
export function withShapes(shapes: NonNullable<Route['shapes']>, described: Route): Route {
  return { ...described, shapes };
}

/** Identity function that gives route literals their type. */
export function route(definition: Route): Route {
  return definition;
}
