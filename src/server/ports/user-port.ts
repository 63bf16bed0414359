/** A port of the primary for users with tokens and for certificates of the installation, with a certificate of its own. */

import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../platform/http/index.ts';
import type { Rbac } from '../../services/rbac/index.ts';
import type { ServiceCertificates } from '../ca/service-certificates.ts';
import { readTlsMaterial } from '../ca/tls-files.ts';
import type { Foundation } from '../foundation.ts';

export interface UserPortOptions extends Pick<HttpServerOptions, 'limits' | 'onUpgrade' | 'routes'> {
  /** Which certificate the port shows. */
  readonly name: 'code-manager' | 'console-services' | 'orchestrator';
  readonly certificates: ServiceCertificates;
  readonly rbac: Rbac;
}

/** The server does not listen yet. Its certificate is replaced when it is renewed. */
export async function createUserPort(
  { bodyBudget, log, metrics, transfers }: Foundation,
  { certificates, name, rbac, ...options }: UserPortOptions,
): Promise<HttpServer> {
  const http = createHttpServer({
    ...options,
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: rbac.tokens.authenticate,
    tls: await readTlsMaterial(await certificates.ensure(name)),
    log: log.child({ service: 'http' }),
    bodyBudget,
    transfers,
    onServed: metrics.observeRequest,
  });
  certificates.attach(name, http);
  return http;
}
