export { obtainNodeCertificate, removeIdentity } from './obtain.ts';
export { type RenewOptions, readOwnCertificate, renewNodeCertificate } from './renew.ts';
export { readRequestAttributes } from './request-attributes.ts';
export { type SslFiles, sslFiles } from './ssl-files.ts';
