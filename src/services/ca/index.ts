/** Front door of the certificate authority. */

export {
  type BulkSigning,
  type CaEnvironment,
  CertificateAuthority,
  type CertificateOrder,
} from './authority.ts';
export { type CaSettings, defaultCaSettings } from './ca-settings.ts';
export { type CertificateState, type CertificateStatus, encodeStatus } from './certificate-status.ts';
export type { CrlState } from './revocations.ts';
export { caRoutes } from './routes.ts';
export {
  ensureServerCertificate,
  type ServerCertificateFiles,
  type ServerCertificateRequest,
  serverCertificateFiles,
} from './server-certificate.ts';
