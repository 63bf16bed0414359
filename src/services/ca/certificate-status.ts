/** What `certificate_status` says of a certificate or a request. */

import type { OidNames } from '../../platform/x509/index.ts';
import {
  type Certificate,
  type CertificateRequest,
  fingerprint,
  puppetAuthorizationArc,
  puppetExtensions,
  readSubjectAltNames,
  renderAltName,
} from '../../platform/x509/index.ts';
import type { CertificateStatusAnswer } from './answers/wire.ts';
import { sortedAltNames } from './requests/request-policy.ts';
import { renderTime } from './validity.ts';

export type CertificateState = 'requested' | 'signed' | 'revoked';

export interface CertificateStatus {
  readonly name: string;
  readonly state: CertificateState;
  /** `DNS:a.example.net` */
  readonly dnsAltNames: readonly string[];
  /** With IP addresses, which come first. */
  readonly subjectAltNames: readonly string[];
  readonly authorizationExtensions: Readonly<Record<string, string>>;
  readonly fingerprints: { readonly sha1: string; readonly sha256: string; readonly sha512: string };
  /** Absent for a request. */
  readonly certificate?: {
    readonly notBefore: Date;
    readonly notAfter: Date;
    /** Upper-case hexadecimal. */
    readonly serial: string;
  };
}

export function certificateStatus(
  name: string,
  certificate: Certificate,
  isRevoked: boolean,
  oidNames: OidNames,
): CertificateStatus {
  const { notBefore, notAfter, serial } = certificate;
  const state = isRevoked ? 'revoked' : 'signed';
  return { ...status(name, state, certificate, oidNames), certificate: { notBefore, notAfter, serial } };
}

export function requestStatus(
  name: string,
  request: CertificateRequest,
  oidNames: OidNames,
): CertificateStatus {
  return status(name, 'requested', request, oidNames);
}

/** As JSON, with the names and the order of the reference. */
export function encodeStatus(value: CertificateStatus): string {
  const { name, state, dnsAltNames, subjectAltNames, authorizationExtensions, fingerprints, certificate } =
    value;
  const { sha1, sha256, sha512 } = fingerprints;
  const wireFingerprints = { SHA1: sha1, SHA256: sha256, SHA512: sha512, default: sha256 };
  if (!certificate) {
    return JSON.stringify({
      name,
      state,
      dns_alt_names: dnsAltNames,
      subject_alt_names: subjectAltNames,
      authorization_extensions: authorizationExtensions,
      fingerprint: sha256,
      fingerprints: wireFingerprints,
    } satisfies CertificateStatusAnswer);
  }
  const head = JSON.stringify({
    name,
    dns_alt_names: dnsAltNames,
    state,
    authorization_extensions: authorizationExtensions,
    subject_alt_names: subjectAltNames,
    not_before: renderTime(certificate.notBefore),
    fingerprints: wireFingerprints,
    not_after: renderTime(certificate.notAfter),
  } satisfies Omit<CertificateStatusAnswer, 'serial_number' | 'fingerprint'>);
  // A serial number may have more digits than a JavaScript number; in JSON it is a number all the same.
  const serial = BigInt(`0x${certificate.serial}`);
  return `${head.slice(0, -1)},"serial_number":${serial},"fingerprint":"${sha256}"}`;
}

function status(
  name: string,
  state: CertificateState,
  source: Certificate | CertificateRequest,
  oidNames: OidNames,
): CertificateStatus {
  const altNames = readSubjectAltNames(source.extensions);
  return {
    name,
    state,
    dnsAltNames: altNames.filter(({ kind }) => kind === 'dns').map(renderAltName),
    subjectAltNames: sortedAltNames(altNames),
    authorizationExtensions: puppetExtensions(source.extensions, puppetAuthorizationArc, oidNames),
    fingerprints: {
      sha1: fingerprint(source.raw, 'sha1'),
      sha256: fingerprint(source.raw, 'sha256'),
      sha512: fingerprint(source.raw, 'sha512'),
    },
  };
}
