/** Proofs of identity, and what platforms say of them. */

import { generateKeyPairSync, sign, type X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  constructedContextTag,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  derSet,
} from '../../src/lib/der/index.ts';
import { ServiceError } from '../../src/lib/service-error.ts';
import { decodeContentSigners } from '../../src/platform/x509/index.ts';
import { clusterTerminus } from '../../src/server/infrastructure/cluster-terminus.ts';
import {
  DocumentProvider,
  type IdentityProvider,
  StsProvider,
  TokenProvider,
} from '../../src/services/identity/index.ts';
import { decodeBody, IdentityWire } from '../../src/services/identity/wire.ts';
import type { Parser } from './fuzz.ts';
import type { Words } from './mutate.ts';
import { derWords, jsonWords, pemWords } from './words.ts';

const digest = 'ab'.repeat(32);
const now = new Date('2026-11-26T12:00:00Z');
const context = { caFingerprint: digest, keyDigest: digest, now, signal: new AbortController().signal };

function claim(provider: string, proof: object): string {
  return JSON.stringify({
    provider,
    certname: 'i-0a1b2c3d.test',
    key_digest: digest,
    ca_fingerprint: digest,
    proof,
  });
}

/** The whole of a proof, up to the question to the platform. */
function prove(provider: IdentityProvider): (input: Buffer) => Promise<unknown> {
  return (input) => {
    const { key_digest: keyDigest, proof } = decodeBody(IdentityWire, input);
    return provider.verify(proof, { ...context, keyDigest });
  };
}

const stsProof = {
  host: 'sts.eu-west-1.amazonaws.com',
  authorization: `AWS4-HMAC-SHA256 Credential=ASIAABCDEFGHIJKLMNOP/20261126/eu-west-1/sts/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-bunraku-ca;x-bunraku-key, Signature=${digest}`,
  date: '20261126T120000Z',
  security_token: 'AAAA',
};
const caller =
  '<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:sts::123456789012:assumed-role/compile/i-0a1b2c3d</Arn>' +
  '<Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>';
const refusedCaller = '<ErrorResponse><Error><Code>ExpiredToken</Code></Error></ErrorResponse>';
const stsProvider = new StsProvider({ post: async () => ({ status: 200, body: caller }) });

const document = JSON.stringify({
  accountId: '123456789012',
  architecture: 'x86_64',
  availabilityZone: 'eu-west-1a',
  billingProducts: null,
  imageId: 'ami-0a1b2c3d4e5f60718',
  instanceId: 'i-0a1b2c3d4e5f60718',
  pendingTime: '2026-11-26T11:59:00Z',
  privateIp: '10.0.0.1',
  region: 'eu-west-1',
});
/** Of a certificate, the key alone is looked at; this kind signs a million inputs in little time. */
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ownDocuments = new DocumentProvider([{ publicKey } as unknown as X509Certificate]);

/** As the metadata service has it: signed and enclosed, without attributes. */
function signed(content: Buffer): Buffer {
  const sha256 = derSequence(derOid('2.16.840.1.101.3.4.2.1'), derNull());
  const enclosed = derElement(constructedContextTag(0), derOctetString(content));
  const rsa = derSequence(derOid('1.2.840.113549.1.1.1'), derNull());
  const signature = derOctetString(sign('sha256', content, privateKey));
  const whom = derSequence(derSequence(), derInteger(1));
  const data = derSequence(
    derInteger(1),
    derSet(sha256),
    derSequence(derOid('1.2.840.113549.1.7.1'), enclosed),
    derSet(derSequence(derInteger(1), whom, sha256, rsa, signature)),
  );
  return derSequence(derOid('1.2.840.113549.1.7.2'), derElement(constructedContextTag(0), data));
}

function verifyDocument(provider: DocumentProvider, message: Buffer): Promise<unknown> {
  return provider.verify({ pkcs7: message.toString('base64') }, context);
}

const certificates = join(import.meta.dirname, 'certificates');
const awsDocuments = new DocumentProvider(
  decodeContentSigners(readFileSync(join(certificates, 'content-signer.pem'), 'utf8')),
);
/** Others have signed these: they come as far as their signature. */
const foreign = ['signed-content', 'signed-stream'].map((name) =>
  Buffer.from(
    readFileSync(join(certificates, `${name}.pem`), 'utf8').replace(/-----.*-----|\s/g, ''),
    'base64',
  ),
);

const token = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from('{"aud":["bunraku"]}').toString('base64url')}.AAAA`;
const review = {
  status: {
    authenticated: true,
    audiences: ['bunraku'],
    user: {
      username: 'system:serviceaccount:puppet:compile',
      extra: {
        'authentication.kubernetes.io/pod-name': ['compile-1'],
        'authentication.kubernetes.io/pod-uid': ['uid-1'],
      },
    },
  },
};
const pod = { metadata: { uid: 'uid-1' }, status: { phase: 'Running' } };

function clusterOf(reviewed: unknown, found: unknown): TokenProvider {
  return new TokenProvider(clusterTerminus({ get: async () => found, post: async () => reviewed }));
}

const xmlWords: Words = [
  '<',
  '>',
  '</',
  '<Arn>',
  '</Arn>',
  '<Account>',
  '</Account>',
  '<Code>',
  '&lt;',
  ':',
  '/',
  'i-0a1b2c3d',
];

export const identityParsers: readonly Parser[] = [
  {
    name: 'proof of identity by AWS',
    isJson: true,
    seeds: [claim('aws', stsProof)],
    words: jsonWords,
    refusals: [ServiceError],
    parse: prove(stsProvider),
  },
  {
    name: 'proof of identity by a document',
    isJson: true,
    seeds: [claim('aws-document', { pkcs7: signed(Buffer.from(document)).toString('base64') })],
    words: [...jsonWords, ...pemWords, '-----BEGIN PKCS7-----'],
    refusals: [ServiceError],
    parse: prove(ownDocuments),
  },
  {
    name: 'proof of identity by a token',
    isJson: true,
    seeds: [claim('kubernetes', { token })],
    words: jsonWords,
    refusals: [ServiceError],
    parse: prove(clusterOf(review, pod)),
  },
  {
    name: 'signed identity document',
    seeds: [signed(Buffer.from(document))],
    words: [...derWords, '\x24\x80', '\xa0\x80'],
    refusals: [ServiceError],
    parse: (input) => verifyDocument(ownDocuments, input),
  },
  {
    name: 'signed identity document with attributes',
    seeds: [foreign[0] ?? '', ...foreign],
    words: [...derWords, '\x24\x80', '\xa0\x80'],
    refusals: [ServiceError],
    parse: (input) => verifyDocument(awsDocuments, input),
  },
  {
    name: 'content of an identity document',
    isJson: true,
    seeds: [document, document.replace('"ami-0a1b2c3d4e5f60718"', '{"length":{"toString":1}}')],
    words: jsonWords,
    refusals: [ServiceError],
    parse: (input) => verifyDocument(ownDocuments, signed(input)),
  },
  {
    name: 'answer of the Security Token Service',
    seeds: [caller, refusedCaller],
    words: xmlWords,
    refusals: [ServiceError],
    async parse(input) {
      const body = input.toString('utf8');
      await new StsProvider({ post: async () => ({ status: 200, body }) }).verify(stsProof, context);
    },
  },
  {
    name: 'review of a token',
    isJson: true,
    seeds: [
      JSON.stringify([review, pod]),
      JSON.stringify([review, pod]).replace('compile-1', String.raw`\ud800`),
    ],
    words: jsonWords,
    refusals: [ServiceError, SyntaxError],
    async parse(input) {
      const parsed: unknown = JSON.parse(input.toString('utf8'));
      const [reviewed, found] = Array.isArray(parsed) ? (parsed as unknown[]) : [parsed, pod];
      await clusterOf(reviewed, found).verify({ token }, context);
    },
  },
];
