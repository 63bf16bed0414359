export { type ObtainOptions, obtainNodeCertificate } from './obtain.ts';
export { type SslFiles, sslFiles } from './ssl-files.ts';
