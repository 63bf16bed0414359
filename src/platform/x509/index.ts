/** Front door of X.509: keys, certificates, requests, revocation lists. */

export {
  type Certificate,
  type CertificateContent,
  decodeCertificate,
  decodeCertificateContent,
  decodeCertificates,
  encodeCertificate,
  signCertificate,
} from './certificate.ts';
export {
  type CertificateRequest,
  createCertificateRequest,
  encodeCertificateRequest,
  parseCertificateRequest,
  type RequestContent,
  requestAttribute,
} from './certificate-request.ts';
export { commonName, commonNameOnly, renderName } from './distinguished-name.ts';
export {
  authorityKeyIdentifier,
  basicConstraints,
  decodeExtensionText,
  type Extension,
  isCaExtensions,
  keyUsage,
  netscapeComment,
  puppetExtension,
  readAuthorityKeyId,
  readSubjectAltNames,
  readSubjectKeyId,
  serverAndClientAuth,
  serverAuth,
  subjectAltName,
  subjectKeyIdentifier,
} from './extension.ts';
export { fingerprint } from './fingerprint.ts';
export { type GeneralName, parseAltNames, renderAltName } from './general-name.ts';
export { keyWeakness } from './key-strength.ts';
export {
  createKeyPair,
  decodePrivateKey,
  encodePrivateKey,
  encodePublicKey,
  encodePublicKeyInfo,
  type KeyPair,
  type KeySpec,
  keyIdentifier,
} from './keys.ts';
export { loadOidNames, OidNames } from './oid-names.ts';
export { oids } from './oids.ts';
export { encodePem } from './pem.ts';
export { puppetExtensions, readPuppetExtensions } from './puppet-extensions.ts';
export {
  autoRenewAttributeOid,
  cliAuthOid,
  puppetArc,
  puppetAuthorizationArc,
  puppetOid,
  puppetPrivateArc,
  puppetRegisteredArc,
} from './puppet-oids.ts';
export {
  decodeRevocationListContent,
  decodeRevocationLists,
  decodeRevocationListsInSlices,
  encodeRevocationList,
  type RevocationList,
  revocationReasons,
  signRevocationList,
} from './revocation-list.ts';
export { retainRevoked } from './revoked-entries.ts';
export { isSignedBy } from './signature.ts';
export { decodeContentSigners, readSignedContent } from './signed-content.ts';
export { commandSigner, keySigner, type Signer } from './signer.ts';
export { type SslFiles, sslFiles } from './ssl-files.ts';
export { daysUntil, isDueForRenewal } from './validity.ts';
export { X509Error } from './x509-error.ts';
