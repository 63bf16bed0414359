/** Front door of the certificate authority. */

export { CertificateAuthority } from './authority.ts';
export { defaultCaSettings } from './ca-settings.ts';
export { caRoutes } from './routes.ts';
export { ensureServerCertificate, serverCertificateFiles } from './server-certificate.ts';
