/** Front door of the certificate authority. */

export { CertificateAuthority } from './authority.ts';
export { type CaConf, loadCaConf } from './ca-conf.ts';
export { type CaSettings, defaultCaSettings } from './ca-settings.ts';
export { extendAuthority } from './extend-authority.ts';
export { importAuthority } from './import-authority.ts';
export type { JoinTerminus } from './join.ts';
export { heldBecause } from './request-limits.ts';
export { caRoutes } from './routes.ts';
export {
  ensureServerCertificate,
  ensureServiceCertificate,
  type ServerCertificateFiles,
  serverCertificateFiles,
  serviceCertname,
} from './server-certificate.ts';
export { listenSigner } from './signer/listen-signer.ts';
export { SigningProcess } from './signer/signing-process.ts';
export { type Term, termAlert } from './term.ts';
export { parseTtl } from './validity.ts';
export { type Finding, verifyDirectory } from './verify-directory.ts';
