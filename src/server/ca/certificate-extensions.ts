/** What the certificates of nodes say of them beside their names. */

import { decodeCertificates, type OidNames, puppetExtensions } from '../../platform/x509/index.ts';

/**
 * @param findCertificate - a node's certificate, as PEM
 * @returns finds the extensions of a node by name; none where it has no certificate
 */
export function certificateExtensions(
  findCertificate: (certname: string) => Promise<string | undefined>,
  oidNames: OidNames,
): (certname: string) => Promise<Readonly<Record<string, string>>> {
  return async (certname) => {
    const pem = await findCertificate(certname);
    const [certificate] = pem === undefined ? [] : decodeCertificates(pem);
    return certificate === undefined ? {} : puppetExtensions(certificate.extensions, undefined, oidNames);
  };
}
