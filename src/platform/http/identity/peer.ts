/** Who is at the other end of a TLS connection: found out once for each connection. */

import type { PeerCertificate, TLSSocket } from 'node:tls';
import {
  commonName,
  decodeCertificate,
  type OidNames,
  puppetExtensions,
  readSubjectAltNames,
} from '../../x509/index.ts';
import { clientAddress } from '../proxy-protocol/proxied-addresses.ts';
import type { Identity } from '../route.ts';
import { issuerKey, type Revocations } from './revocations.ts';

export type Peer =
  | {
      readonly kind: 'anonymous';
      readonly identity: Identity;
      /** The address of the proxy that has ended TLS and passes the connection on with a PROXY header. */
      readonly proxy?: string;
    }
  | {
      readonly kind: 'certificate';
      readonly identity: Extract<Identity, { kind: 'certificate' }>;
      readonly issuer: string;
      readonly expiresAtMs: number;
    }
  /** A certificate that proves nothing: of another authority, expired or revoked. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly subject: string;
      readonly identity: Identity;
    };

/**
 * Reads the certificate that the client proved to own.
 *
 * `authorized` alone means nothing: a client without a certificate that resumes a session has it too.
 */
export function readPeer(socket: TLSSocket, trust: Revocations, oidNames: OidNames): Peer {
  const address = clientAddress(socket);
  const anonymous: Identity = { kind: 'anonymous', address };
  // Not getPeerX509Certificate: in Node 24 each call loses 10 kB that no collection brings back.
  const presented: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (presented.raw === undefined) return { kind: 'anonymous', identity: anonymous };
  const refuse = (reason: string): Peer => ({
    kind: 'refused',
    reason,
    subject: subjectOf(presented),
    identity: anonymous,
  });
  try {
    const peer = readCertificate(presented.raw, address, oidNames);
    if (peer === undefined) return refuse('certificate has no common name');
    if (socket.authorized) return peer;
    const isKnown = trust.knows(peer.issuer);
    return refuse(isKnown ? verificationMessage(socket.authorizationError) : 'unknown ca');
  } catch {
    // OpenSSL accepted what our own reader does not: nothing can be said about its owner.
    return refuse('certificate cannot be decoded');
  }
}

/** `CN=a.example.net, O=Example` */
function subjectOf({ subject = {} }: { readonly subject?: object }): string {
  return Object.entries(subject)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}=${String(value)}`))
    .join(', ');
}

/** @param der - a certificate whose ownership is proved */
export function readCertificate(
  der: Buffer,
  address: string,
  oidNames: OidNames,
): Extract<Peer, { kind: 'certificate' }> | undefined {
  const certificate = decodeCertificate(der);
  const certname = commonName(certificate.subject)?.toLowerCase();
  if (certname === undefined || certname === '') return undefined;
  const names = readSubjectAltNames(certificate.extensions);
  return {
    kind: 'certificate',
    issuer: issuerKey(certificate.issuer.raw),
    expiresAtMs: certificate.notAfter.getTime(),
    identity: {
      kind: 'certificate',
      certname,
      dnsAltNames: names.filter((name) => name.kind === 'dns').map((name) => name.value),
      extensions: puppetExtensions(certificate.extensions, undefined, oidNames),
      serial: certificate.serial,
      raw: der,
      address,
    },
  };
}

const messages: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not yet valid',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown ca',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown ca',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknown ca',
  CERT_SIGNATURE_FAILURE: 'certificate signature failure',
  INVALID_PURPOSE: 'unsupported certificate purpose',
};

/** What OpenSSL calls the reason, in the words that an alert or an agent has for it. */
function verificationMessage(error: Error | string | undefined): string {
  const code = String(
    error instanceof Error ? ((error as { readonly code?: string }).code ?? error.message) : error,
  );
  return messages[code] ?? code;
}
