import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeContentSigners, readSignedContent } from './signed-content.ts';

const text = '{"instanceId":"i-0a1b2c3d"}\n'.repeat(200);
let base: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-signed-content-'));
  writeFileSync(file('document'), text);
  for (const name of ['aws', 'other'])
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.pem`),
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
    );
});

afterAll(() => rmSync(base, { recursive: true }));

function file(name: string): string {
  return join(base, name);
}

function openssl(...words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' });
}

/** Signed by real OpenSSL. @param options - how */
function signedBy(name: string, ...options: readonly string[]): Buffer {
  openssl(
    'cms',
    '-sign',
    '-binary',
    '-nodetach',
    '-outform',
    'DER',
    '-in',
    file('document'),
    '-signer',
    file(`${name}.pem`),
    '-inkey',
    file(`${name}.key`),
    '-out',
    file('message'),
    ...options,
  );
  return readFileSync(file('message'));
}

function signers(...names: readonly string[]) {
  return decodeContentSigners(names.map((name) => readFileSync(file(`${name}.pem`), 'utf8')).join(''));
}

describe('content that OpenSSL has signed', () => {
  test.each([
    ['with attributes', []],
    ['without attributes', ['-noattr']],
    ['with lengths that are not known in advance', ['-stream']],
    ['without its certificate', ['-nocerts']],
    ['named by key identifier', ['-keyid']],
    ['with SHA-512', ['-md', 'sha512']],
  ])('%s is read', (_how, options) => {
    const { content, signer } = readSignedContent(signedBy('aws', ...options), signers('other', 'aws'));

    expect(content.toString()).toBe(text);
    expect(signer.subject).toBe('CN=aws');
  });

  test('of somebody else is refused, also with his certificate inside', () => {
    expect(() => readSignedContent(signedBy('other'), signers('aws'))).toThrow(
      'none of the known certificates',
    );
  });

  test('with a weak digest is refused', () => {
    expect(() => readSignedContent(signedBy('aws', '-md', 'sha1'), signers('aws'))).toThrow(
      'the digest 1.3.14.3.2.26 is not accepted',
    );
  });

  test('that is not inside of the message is refused', () => {
    openssl(
      'cms',
      '-sign',
      '-binary',
      '-outform',
      'DER',
      '-in',
      file('document'),
      '-signer',
      file('aws.pem'),
      '-inkey',
      file('aws.key'),
      '-out',
      file('detached'),
    );

    expect(() => readSignedContent(readFileSync(file('detached')), signers('aws'))).toThrow(
      'is not enclosed',
    );
  });

  test('with a second signer is refused', () => {
    const message = signedBy('aws', '-signer', file('other.pem'), '-inkey', file('other.key'));

    expect(() => readSignedContent(message, signers('aws', 'other'))).toThrow('more than one signer');
  });

  test.each([
    ['with attributes', []],
    ['without attributes', ['-noattr']],
    ['streamed', ['-stream']],
  ])('%s is refused after any octet of the content has been changed', (_how, options) => {
    const message = signedBy('aws', ...options);
    const at = message.indexOf('i-0a1b2c3d');
    message[at + 3] = (message[at + 3] ?? 0) ^ 1;

    expect(() => readSignedContent(message, signers('aws'))).toThrow(/Signed content: /);
  });

  test('never passes when one octet of the message is another, unless what it says is the same', () => {
    const message = signedBy('aws', '-nocerts', '-stream');
    const trusted = signers('aws');
    const outcomeOf = (changed: Buffer): string => {
      try {
        return readSignedContent(changed, trusted).content.toString();
      } catch (error) {
        return (error as Error).name;
      }
    };
    const outcomes = new Set<string>();
    for (let at = 0; at < message.length; at += 7) {
      const changed = Buffer.from(message);
      changed[at] = (changed[at] ?? 0) ^ 0x04;
      outcomes.add(outcomeOf(changed));
    }

    expect(['DerError', 'X509Error', text]).toEqual(expect.arrayContaining([...outcomes]));
  });
});

test('a certificate with a short key or of another kind is no signer', () => {
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:1024',
    '-nodes',
    '-keyout',
    file('weak.key'),
    '-out',
    file('weak.pem'),
    '-subj',
    '/CN=weak',
  );

  expect(() => signers('weak')).toThrow('has no RSA key of 2,048 bits or more');
});

test('nothing but two zeros ends a length that is not known, and nesting has a limit', () => {
  expect(() => readSignedContent(Buffer.from('30800500', 'hex'), [])).toThrow('the data ends too early');
  expect(() => readSignedContent(Buffer.from('3080'.repeat(5000), 'hex'), [])).toThrow('nested too deeply');
});
