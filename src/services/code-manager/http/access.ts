/** Who may use the code manager: certificates that are listed, and whoever has a token. */

import { ServiceError } from '../../../lib/service-error.ts';
import type { HttpRequest } from '../../../platform/http/index.ts';

/** Tokens are given out elsewhere. */
export interface TokenCheck {
  /** @returns whose token it is; `undefined` when it is none, or none any more */
  find(token: string): Promise<string | undefined>;
}

export interface AccessOptions {
  /** Certnames, lower case. */
  readonly certnames: ReadonlySet<string>;
  readonly tokens: TokenCheck;
}

/** Whoever may administer the CA may deploy. */
const operatorExtension = 'pp_cli_auth';

export class CodeAccess {
  private readonly options: AccessOptions;

  constructor(options: AccessOptions) {
    this.options = options;
  }

  /**
   * Who sent a request.
   *
   * @throws ServiceError `unauthorized` when nothing proves who it is, `forbidden` when that may not deploy
   */
  async require(request: HttpRequest): Promise<string> {
    const token = tokenOf(request);
    const owner = token === undefined ? undefined : await this.options.tokens.find(token);
    if (owner !== undefined) return owner;
    if (token !== undefined)
      throw new ServiceError('unauthorized', 'The provided token is invalid, expired or revoked.', {
        kind: 'puppetlabs.rbac/user-unauthenticated',
      });
    const { identity } = request;
    if (identity.kind !== 'certificate')
      throw new ServiceError('unauthorized', 'Route requires authentication', {
        kind: 'puppetlabs.rbac/user-unauthenticated',
      });
    const { certname, extensions } = identity;
    if (this.options.certnames.has(certname) || extensions[operatorExtension] === 'true') return certname;
    throw new ServiceError('forbidden', `${certname} is not allowed to deploy code`, {
      kind: 'puppetlabs.rbac/permission-denied',
    });
  }
}

/** Of the header or of the query. */
function tokenOf({ headers, query }: HttpRequest): string | undefined {
  const header = headers['x-authentication'];
  const token = (typeof header === 'string' ? header : undefined) ?? query.get('token') ?? undefined;
  return token === '' ? undefined : token?.trim();
}
