/** Certificates, requests for them and revocation lists. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DerError } from '../../src/lib/der/index.ts';
import { ServiceError } from '../../src/lib/service-error.ts';
import { readCertificate } from '../../src/platform/http/identity/peer.ts';
import {
  decodeCertificate,
  decodeCertificates,
  decodeContentSigners,
  decodeRevocationLists,
  isSignedBy,
  OidNames,
  parseCertificateRequest,
  puppetExtensions,
  readSignedContent,
  readSubjectAltNames,
  X509Error,
} from '../../src/platform/x509/index.ts';
import { readRequest } from '../../src/services/ca/requests/read-request.ts';
import type { Parser } from './fuzz.ts';
import { derWords, pemWords } from './words.ts';

function pem(name: string): string {
  return readFileSync(join(import.meta.dirname, 'certificates', `${name}.pem`), 'utf8');
}

function der(text: string): Buffer {
  return Buffer.from(text.replace(/-----.*-----|\s/g, ''), 'base64');
}

function armoured(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;
}

const [authority, leaf, list, request] = ['authority', 'leaf', 'revocation-list', 'request'].map(pem) as [
  string,
  string,
  string,
  string,
];
const issuer = decodeCertificate(der(authority));
/** Signed by OpenSSL, once with lengths that are not known in advance. */
const [signedContent, signedStream] = ['signed-content', 'signed-stream'].map((name) => der(pem(name))) as [
  Buffer,
  Buffer,
];
const contentSigners = decodeContentSigners(pem('content-signer'));

export const certificateParsers: readonly Parser[] = [
  {
    name: 'signed content',
    seeds: [signedContent, signedStream],
    words: [...derWords, '\x24\x80', '\xa0\x80', '\x00\x00'],
    refusals: [X509Error, DerError],
    parse: (input) => readSignedContent(input, contentSigners),
  },
  {
    name: 'certificate request as PEM',
    seeds: [request],
    words: pemWords,
    refusals: [ServiceError],
    parse: (input) => readRequest(input.toString('utf8')),
  },
  {
    name: 'certificate request as DER',
    seeds: [der(request)],
    words: derWords,
    refusals: [X509Error],
    parse(input) {
      const parsed = parseCertificateRequest(armoured('CERTIFICATE REQUEST', input));
      readSubjectAltNames(parsed.extensions);
      puppetExtensions(parsed.extensions);
    },
  },
  {
    name: 'certificates as PEM',
    seeds: [leaf + authority],
    words: pemWords,
    refusals: [X509Error],
    parse: (input) => decodeCertificates(input.toString('utf8')),
  },
  {
    name: 'certificate of a client as DER',
    seeds: [der(leaf), der(authority)],
    words: derWords,
    refusals: [X509Error],
    parse(input) {
      readCertificate(input, '192.0.2.1', new OidNames());
      isSignedBy(decodeCertificate(input), issuer.publicKeyInfo);
    },
  },
  {
    name: 'revocation lists as PEM',
    seeds: [list],
    words: [...pemWords],
    refusals: [X509Error],
    parse: (input) => decodeRevocationLists(input.toString('utf8')),
  },
  {
    name: 'revocation list as DER',
    seeds: [der(list)],
    words: derWords,
    refusals: [X509Error],
    parse: (input) => decodeRevocationLists(armoured('X509 CRL', input)),
  },
];
