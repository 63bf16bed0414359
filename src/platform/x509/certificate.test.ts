import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  authorityKeyIdentifier,
  basicConstraints,
  type Certificate,
  type CertificateRequest,
  commonName,
  commonNameOnly,
  createCertificateRequest,
  createKeyPair,
  decodeCertificate,
  decodeRevocationLists,
  encodeCertificate,
  encodeCertificateRequest,
  encodePublicKeyInfo,
  encodeRevocationList,
  fingerprint,
  isSignedBy,
  type KeyPair,
  type KeySpec,
  keyIdentifier,
  keySigner,
  keyUsage,
  netscapeComment,
  parseAltNames,
  parseCertificateRequest,
  puppetExtension,
  puppetExtensions,
  type RevocationList,
  readPuppetExtensions,
  readSubjectAltNames,
  renderName,
  requestAttribute,
  serverAndClientAuth,
  signCertificate,
  signRevocationList,
  subjectAltName,
  subjectKeyIdentifier,
  X509Error,
} from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'x509-'));
const now = new Date('2026-11-21T10:00:00Z');
const yesterday = new Date('2020-11-20T10:00:00Z');
const inFarFuture = new Date('2060-01-01T00:00:00Z');

afterAll(() => rmSync(directory, { recursive: true }));

/** No lint: the chain is what the tests make of it. */
const acceptAll = () => {};

interface Chain {
  readonly root: Certificate;
  readonly intermediate: Certificate;
  readonly leaf: Certificate;
  readonly crls: readonly RevocationList[];
  readonly request: CertificateRequest;
  readonly keys: KeyPair;
}

async function makeChain(spec: KeySpec): Promise<Chain> {
  const [rootKeys, caKeys, keys] = await Promise.all([
    createKeyPair(spec),
    createKeyPair(spec),
    createKeyPair(spec),
  ]);
  const caExtensions = (publicKey: KeyPair, issuer: KeyPair) => [
    basicConstraints(true),
    keyUsage('ca'),
    subjectKeyIdentifier(keyIdentifier(encodePublicKeyInfo(publicKey.publicKey))),
    authorityKeyIdentifier(keyIdentifier(encodePublicKeyInfo(issuer.publicKey))),
  ];
  const validity = { notBefore: yesterday, notAfter: inFarFuture };
  const root = await signCertificate(
    {
      ...validity,
      serial: '1',
      issuer: commonNameOnly('Root'),
      subject: commonNameOnly('Root'),
      publicKeyInfo: encodePublicKeyInfo(rootKeys.publicKey),
      extensions: caExtensions(rootKeys, rootKeys),
    },
    keySigner(rootKeys.privateKey),
    acceptAll,
  );
  const intermediate = await signCertificate(
    {
      ...validity,
      serial: '2',
      issuer: root.subject,
      subject: commonNameOnly('Puppet CA: test'),
      publicKeyInfo: encodePublicKeyInfo(caKeys.publicKey),
      extensions: caExtensions(caKeys, rootKeys),
    },
    keySigner(rootKeys.privateKey),
    acceptAll,
  );
  const request = await createCertificateRequest(
    {
      certname: 'compile1.example.net',
      altNames: 'puppet, DNS:compile1.example.net, IP:10.1.2.3, IP:2001:db8::7',
      extensions: { pp_role: 'compiler', pp_auth_role: 'ü', '1.3.6.1.4.1.34380.1.2.1.1': 'own' },
      attributes: { '1.2.840.113549.1.9.7': 'secret', pp_auth_auto_renew: 'true' },
    },
    keys,
  );
  const leaf = await signCertificate(
    {
      ...validity,
      serial: 'DEADBEEF00',
      issuer: intermediate.subject,
      subject: request.subject,
      publicKeyInfo: request.publicKeyInfo,
      extensions: [
        netscapeComment('Puppet Server Internal Certificate'),
        authorityKeyIdentifier(keyIdentifier(intermediate.publicKeyInfo)),
        subjectKeyIdentifier(keyIdentifier(request.publicKeyInfo)),
        basicConstraints(false),
        serverAndClientAuth(),
        keyUsage('server'),
        ...request.extensions,
      ],
    },
    keySigner(caKeys.privateKey),
    acceptAll,
  );
  const crlValidity = { thisUpdate: yesterday, nextUpdate: inFarFuture };
  const crls = await Promise.all([
    signRevocationList(
      {
        ...crlValidity,
        issuer: intermediate.subject,
        number: 300n,
        authorityKeyId: keyIdentifier(intermediate.publicKeyInfo),
        added: [{ serial: 'abc', revokedAt: now, reason: 1 }],
      },
      keySigner(caKeys.privateKey),
    ),
    signRevocationList(
      {
        ...crlValidity,
        issuer: root.subject,
        number: 0n,
        authorityKeyId: keyIdentifier(root.publicKeyInfo),
        added: [],
      },
      keySigner(rootKeys.privateKey),
    ),
  ]);
  return { root, intermediate, leaf, crls, request, keys };
}

function save(name: string, ...pems: readonly string[]): string {
  const path = join(directory, name);
  writeFileSync(path, pems.join(''));
  return path;
}

function openssl(...args: readonly string[]): string {
  return execFileSync('openssl', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  });
}

const specs: readonly (readonly [string, KeySpec])[] = [
  ['RSA', { kind: 'rsa', bits: 2048 }],
  ['P-256', { kind: 'ec', curve: 'P-256' }],
  ['P-384', { kind: 'ec', curve: 'P-384' }],
  ['P-521', { kind: 'ec', curve: 'P-521' }],
];

describe.each(specs)('a chain with %s keys', (name, spec) => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await makeChain(spec);
  });

  test('is accepted by openssl verify, strictly and with every CRL', () => {
    const trusted = save(
      `${name}-ca.pem`,
      encodeCertificate(chain.intermediate),
      encodeCertificate(chain.root),
    );
    const crls = save(`${name}-crl.pem`, ...chain.crls.map(encodeRevocationList));
    const leaf = save(`${name}-leaf.pem`, encodeCertificate(chain.leaf));

    const strict = ['-x509_strict', '-crl_check_all', '-purpose', 'sslserver', '-verify_hostname', 'puppet'];
    const output = openssl('verify', ...strict, '-CAfile', trusted, '-CRLfile', crls, leaf);

    expect(output).toBe(`${leaf}: OK\n`);
  });

  test('says the same to openssl as to us', () => {
    const path = save(`${name}-text.pem`, encodeCertificate(chain.leaf));

    const text = openssl('x509', '-in', path, '-noout', '-text', '-fingerprint', '-sha256');

    expect(text).toContain('Serial Number: 956397711104 (0xdeadbeef00)');
    expect(text).toContain(
      'DNS:puppet, DNS:compile1.example.net, IP Address:10.1.2.3, IP Address:2001:DB8:0:0:0:0:0:7',
    );
    expect(text).toContain('Not After : Jan  1 00:00:00 2060 GMT');
    expect(text).toContain('X509v3 Key Usage: critical\n                Digital Signature, Key Encipherment');
    expect(text).toContain(`sha256 Fingerprint=${fingerprint(chain.leaf.raw)}`);
    expect(commonName(chain.leaf.subject)).toBe('compile1.example.net');
    expect(chain.leaf.serial).toBe('DEADBEEF00');
    expect(chain.leaf.notAfter).toEqual(inFarFuture);
    expect(new X509Certificate(chain.leaf.raw).serialNumber).toBe('DEADBEEF00');
  });

  test('has a request that openssl verifies', () => {
    const path = save(`${name}.csr`, encodeCertificateRequest(chain.request));

    expect(openssl('req', '-in', path, '-noout', '-verify', '-subject')).toContain('compile1.example.net');
    expect(isSignedBy(chain.request, chain.request.publicKeyInfo)).toBe(true);
    expect(requestAttribute(chain.request, '1.2.840.113549.1.9.7')).toBe('secret');
    expect(requestAttribute(chain.request, 'pp_auth_auto_renew')).toBe('true');
    expect(readSubjectAltNames(chain.request.extensions)).toEqual(
      parseAltNames('puppet,compile1.example.net,IP:10.1.2.3,IP:2001:db8:0:0:0:0:0:7'),
    );
  });

  test('knows whose signature is whose', () => {
    expect(isSignedBy(chain.leaf, chain.intermediate.publicKeyInfo)).toBe(true);
    expect(isSignedBy(chain.leaf, chain.root.publicKeyInfo)).toBe(false);
    expect(isSignedBy(chain.request, chain.root.publicKeyInfo)).toBe(false);
    expect(isSignedBy({ ...chain.leaf, signature: Buffer.alloc(3) }, chain.intermediate.publicKeyInfo)).toBe(
      false,
    );
    expect(isSignedBy(chain.leaf, Buffer.from('nonsense'))).toBe(false);
  });

  test('has CRLs that openssl reads', () => {
    const path = save(`${name}-one-crl.pem`, ...chain.crls.slice(0, 1).map(encodeRevocationList));

    const text = openssl('crl', '-in', path, '-noout', '-text');

    expect(text).toContain('Serial Number: 0ABC');
    expect(text).toContain('Key Compromise');
    expect(text).toMatch(/CRL Number: \n +300/);
    expect(
      decodeRevocationLists(chain.crls.map(encodeRevocationList).join('')).map((crl) => crl.number),
    ).toEqual([300n, 0n]);
    expect([...(chain.crls[0]?.revokedSerials ?? [])]).toEqual(['ABC']);
    expect(chain.crls[1]?.entries.length).toBe(0);
  });
});

describe("Puppet's extensions", () => {
  test('are read by short name if there is one, else by OID', async () => {
    const { leaf } = await makeChain({ kind: 'ec', curve: 'P-256' });

    expect(readPuppetExtensions(leaf.raw)).toEqual({
      pp_role: 'compiler',
      pp_auth_role: 'ü',
      '1.3.6.1.4.1.34380.1.2.1.1': 'own',
    });
    expect(puppetExtensions(leaf.extensions, '1.3.6.1.4.1.34380.1.3')).toEqual({ pp_auth_role: 'ü' });
  });

  test('of Puppet 3 are read although they are not DER', () => {
    const { oid } = puppetExtension('pp_uuid', '');

    expect(puppetExtensions([{ oid, critical: false, value: Buffer.from('bare text') }])).toEqual({
      pp_uuid: 'bare text',
    });
  });

  test('survive decoding, whatever their text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(puppetExtensions([puppetExtension('pp_role', text)])).toEqual({ pp_role: text });
      }),
    );
  });
});

describe('a revocation list', () => {
  test('of 20,000 entries takes one more and is read by openssl', async () => {
    const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
    const content = {
      issuer: commonNameOnly('Puppet CA: big'),
      thisUpdate: yesterday,
      nextUpdate: inFarFuture,
      number: 1n,
      authorityKeyId: keyIdentifier(encodePublicKeyInfo(keys.publicKey)),
    };
    const added = Array.from({ length: 20_000 }, (_, index) => ({
      serial: (index + 1).toString(16),
      revokedAt: now,
      reason: 1,
    }));
    const big = await signRevocationList({ ...content, added }, keySigner(keys.privateKey));

    const bigger = await signRevocationList(
      {
        ...content,
        number: 2n,
        base: big,
        added: [{ serial: 'FFFFFF', revokedAt: now, reason: 1 }],
      },
      keySigner(keys.privateKey),
    );

    const text = openssl('crl', '-in', save('big.pem', encodeRevocationList(bigger)), '-noout', '-text');
    expect(bigger.revokedSerials.size).toBe(20_001);
    expect(bigger.revokedSerials.has('4E20')).toBe(true);
    expect(decodeRevocationLists(encodeRevocationList(bigger))).toEqual([bigger]);
    expect(text.match(/Serial Number:/g)?.length).toBe(20_001);
  });
});

describe('names', () => {
  test('are rendered as OpenSSL renders them on one line', () => {
    expect(renderName(commonNameOnly('a.example.net'))).toBe('/CN=a.example.net');
  });

  test('with an impossible IP address are refused', () => {
    expect(() => parseAltNames('IP:10.0.0.300')).toThrow("Invalid IP address '10.0.0.300'");
    expect(() => subjectAltName([{ kind: 'ip', value: 'fe80::1%eth0' }])).toThrow(X509Error);
  });
});

describe('hostile input', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await makeChain({ kind: 'ec', curve: 'P-256' });
  });

  function expectRefusal(decode: () => unknown): void {
    try {
      decode();
    } catch (error) {
      expect(error).toBeInstanceOf(X509Error);
    }
  }

  test('never makes a decoder throw anything but X509Error', () => {
    const samples = [chain.leaf.raw, chain.request.raw, ...chain.crls.map((crl) => crl.raw)];
    const mutation = fc.record({
      sample: fc.constantFrom(...samples),
      changes: fc.array(fc.tuple(fc.nat(2000), fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 6,
      }),
      length: fc.option(fc.nat(2000)),
    });
    fc.assert(
      fc.property(mutation, ({ sample, changes, length }) => {
        const bytes = Buffer.from(length === null ? sample : sample.subarray(0, length));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        const pem = (label: string) =>
          `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;
        expectRefusal(() => readPuppetExtensions(bytes));
        expectRefusal(() => readSubjectAltNames(decodeCertificate(bytes).extensions));
        expectRefusal(() => {
          const request = parseCertificateRequest(pem('CERTIFICATE REQUEST'));
          isSignedBy(request, request.publicKeyInfo);
          readSubjectAltNames(request.extensions);
        });
        expectRefusal(() => decodeRevocationLists(pem('X509 CRL')));
      }),
      { numRuns: 2000 },
    );
  });

  test('of random bytes is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => decodeCertificate(bytes)).toThrow(X509Error);
      }),
    );
  });

  test('of random text is refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseCertificateRequest(text)).toThrow(X509Error);
      }),
    );
    expect(() => parseCertificateRequest('-----BEGIN CERTIFICATE REQUEST-----\nAAAA')).toThrow('has no end');
  });

  test('with a trailing byte is refused', () => {
    expect(() => decodeCertificate(Buffer.concat([chain.leaf.raw, Buffer.from([0])]))).toThrow(X509Error);
  });
});
