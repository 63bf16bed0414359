/** Whether a certificate is for the directory that was dialled. */

import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { LdapServer } from './ldap-server.ts';

/** @returns a function that returns `undefined` for a certificate of this server, as Node's own check does */
export function identityCheck({
  allowsWildcards,
  checksHostname,
}: Pick<LdapServer, 'allowsWildcards' | 'checksHostname'>) {
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    if (!checksHostname) return undefined;
    return checkServerIdentity(host, allowsWildcards ? certificate : withoutWildcards(certificate));
  };
}

function withoutWildcards(certificate: PeerCertificate): PeerCertificate {
  const names = certificate.subjectaltname?.split(', ').filter((name) => !name.includes('*'));
  return {
    ...certificate,
    subject: certificate.subject.CN?.includes('*') ? { ...certificate.subject, CN: '' } : certificate.subject,
    ...(names === undefined ? {} : { subjectaltname: names.join(', ') }),
  };
}
