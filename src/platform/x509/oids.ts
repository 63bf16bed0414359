/** The object identifiers that a certificate authority meets. */

export const oids = {
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlNumber: '2.5.29.20',
  crlReason: '2.5.29.21',
  deltaCrlIndicator: '2.5.29.27',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  netscapeComment: '2.16.840.1.113730.1.13',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  extensionRequest: '1.2.840.113549.1.9.14',
  microsoftExtensionRequest: '1.3.6.1.4.1.311.2.1.14',
  challengePassword: '1.2.840.113549.1.9.7',
} as const;
