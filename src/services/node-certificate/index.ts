export { obtainNodeCertificate, type ProveIdentity, removeIdentity } from './obtain.ts';
export { type RenewOptions, readOwnCertificate, renewNodeCertificate } from './renew.ts';
export { readRequestAttributes } from './request-attributes.ts';
