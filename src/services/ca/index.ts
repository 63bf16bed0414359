/** Front door of the certificate authority. */

export { CertificateAuthority } from './authority.ts';
export { type CaSettings, defaultCaSettings } from './ca-settings.ts';
export { type Finding, verifyDirectory } from './directory/verify-directory.ts';
export { senderAddress } from './http/proxied-client.ts';
export { caRoutes } from './http/routes.ts';
export {
  ensureServerCertificate,
  ensureServiceCertificate,
  type ServerCertificateRequest,
  serviceCertname,
} from './issuance/server-certificate.ts';
export { type JoinTerminus, keyDigestOf } from './requests/join.ts';
export { heldBecause } from './requests/request-limits.ts';
export type { ContentPolicy } from './requests/request-policy.ts';
export { type CaConf, loadCaConf } from './setup/ca-conf.ts';
export { extendAuthority } from './setup/extend-authority.ts';
export { importAuthority } from './setup/import-authority.ts';
export { listenSigner } from './signer/listen-signer.ts';
export { SigningProcess } from './signer/signing-process.ts';
export { type Term, termAlert } from './term.ts';
export { parseTtl } from './validity.ts';
