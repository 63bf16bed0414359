export { obtainNodeCertificate } from './obtain.ts';
export { readLifetime, renewNodeCertificate } from './renew.ts';
export { type SslFiles, sslFiles } from './ssl-files.ts';
