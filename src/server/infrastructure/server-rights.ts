/** Who of the known servers still has rights, by the certificates that the authority has signed. */

import { X509Certificate } from 'node:crypto';
import type { Identity } from '../../platform/http/index.ts';
import { decodeCertificate, puppetExtensions, readSubjectAltNames } from '../../platform/x509/index.ts';
import type { CertificateAuthority } from '../../services/ca/index.ts';
import type { ServerRights } from './infrastructure.ts';

/** @param onChange - told of changes of groups; absent without a classifier */
export function serverRights(
  ca: Pick<CertificateAuthority, 'findCertificate'>,
  isInfrastructure: (identity: Identity) => boolean,
  onChange: ServerRights['onChange'] | undefined,
): ServerRights {
  return {
    async has(certname, serial) {
      const stored = await ca.findCertificate(certname);
      if (stored === undefined) return true;
      const { raw } = new X509Certificate(stored.content);
      const { extensions, serial: current } = decodeCertificate(raw);
      // It has a new one and has not shown it yet.
      if (current !== serial) return true;
      const dnsAltNames = readSubjectAltNames(extensions).flatMap((name) =>
        name.kind === 'dns' ? [name.value] : [],
      );
      return isInfrastructure({
        kind: 'certificate',
        certname,
        dnsAltNames,
        extensions: puppetExtensions(extensions),
        serial,
        raw,
        address: '',
      });
    },
    onChange: onChange ?? (() => () => {}),
  };
}
