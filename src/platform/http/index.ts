export { Admission } from './admission/index.ts';
export { type Authorization, Authorizer, defaultRules, readRules } from './authorization/index.ts';
export { BodyBudget } from './body-budget.ts';
export { clientKey } from './client-key.ts';
export { clientLink, type Link } from './client-link.ts';
export { countParameter } from './count-parameter.ts';
export type { RequestSample } from './dispatcher.ts';
export { createHttpServer, type HttpServer, type HttpServerOptions, hasCompilerRole } from './http-server.ts';

export type { Peer } from './identity/peer.ts';
export type { RevokedByIssuer } from './identity/revocations.ts';
export { TrustedProxies } from './identity/trusted-proxies.ts';
export { isAllowed, operators, requireAccess, takesTokens } from './identity-access.ts';
export { json } from './json-response.ts';
export { changeWithin, preferredWait } from './long-poll.ts';
export { openApiDocument } from './openapi.ts';
export {
  type Access,
  type Gate,
  type HttpRequest,
  type HttpResponse,
  type Identity,
  type IdentityAccess,
  type Route,
  route,
  type SessionAuthenticator,
  type TokenAuthenticator,
  type UserIdentity,
  type WantedPermission,
  withShapes,
} from './route.ts';
export type { TlsMaterial } from './tls-material.ts';
export { TransferBudget } from './transfer-budget.ts';
