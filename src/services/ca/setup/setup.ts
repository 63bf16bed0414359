/** Makes a new authority: a root, an intermediate that signs, and their CRLs, as `puppetserver ca setup` does. */

import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { syncDirectory, writeFileAtomically } from '../../../lib/atomic-file.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  authorityKeyIdentifier,
  basicConstraints,
  type Certificate,
  commonNameOnly,
  createKeyPair,
  encodeCertificate,
  encodePrivateKey,
  encodePublicKey,
  encodePublicKeyInfo,
  encodeRevocationList,
  type KeyPair,
  keyIdentifier,
  keySigner,
  keyUsage,
  netscapeComment,
  signCertificate,
  subjectKeyIdentifier,
} from '../../../platform/x509/index.ts';
import type { CaSettings } from '../ca-settings.ts';
import { CaDirectory, privateMode, publicMode } from '../directory/ca-directory.ts';
import { puppetComment } from '../issuance/leaf-extensions.ts';
import { lintAuthorityCertificate } from '../issuance/lint.ts';
import { signEmptyList } from '../revocation/empty-list.ts';
import { validityFrom } from '../validity.ts';

/**
 * Whether the directory holds an authority.
 *
 * @param hasKeyElsewhere - the private key is not expected there
 * @throws ServiceError `conflict` when it holds a part of one: that is for people to sort out
 */
export async function isSetUp(directory: CaDirectory, hasKeyElsewhere: boolean): Promise<boolean> {
  // Set up was interrupted: nothing can have been signed with what is there.
  if (await exists(directory.setupMarker)) return false;
  const required = [
    directory.certificates,
    directory.revocationLists,
    ...(hasKeyElsewhere ? [] : [directory.privateKey]),
    directory.inventory,
    directory.serial,
  ];
  const found = await existing(required);
  if (found.length === 0) return false;
  if (found.length === required.length) return true;
  const missing = required.filter((path) => !found.includes(path));
  throw new ServiceError(
    'conflict',
    `Cannot initialize CA with partial state; need all files or none.\nFound:\n${found.join('\n')}\nMissing:\n${missing.join('\n')}\n`,
  );
}

/** Those of `paths` that exist. */
async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(exists));
  return paths.filter((_, index) => found[index]);
}

/** Writes a new authority into a directory that has none; begins again where it was interrupted. */
export async function setUpAuthority(settings: CaSettings, now: Date): Promise<void> {
  const directory = new CaDirectory(settings.caDir);
  const [rootKeys, keys] = await Promise.all([createKeyPair(settings.key), createKeyPair(settings.key)]);
  const ttl = settings.caCertificateTtlSeconds;
  const rootName = `Puppet Root CA: ${randomBytes(7).toString('hex')}`;
  const root = await signCa({
    serial: '1',
    name: rootName,
    issuer: rootName,
    keys: rootKeys,
    issuerKeys: rootKeys,
    ttl,
    now,
  });
  const signing = await signCa({
    serial: '2',
    name: settings.caName,
    issuer: rootName,
    keys,
    issuerKeys: rootKeys,
    ttl,
    now,
  });
  const crls = [
    await signEmptyList(signing, keySigner(keys.privateKey), now),
    await signEmptyList(root, keySigner(rootKeys.privateKey), now, true),
  ]
    .map(encodeRevocationList)
    .join('');

  await directory.prepare();
  await writeFileAtomically(directory.setupMarker, '', publicMode);
  const files: readonly (readonly [string, string, number])[] = [
    [directory.rootKey, encodePrivateKey(rootKeys.privateKey), privateMode],
    [directory.publicKey, encodePublicKey(keys.publicKey), publicMode],
    [directory.infraInventory, '', publicMode],
    [directory.infraSerials, '', publicMode],
    [directory.infraRevocationLists, crls, publicMode],
    [directory.revocationLists, crls, publicMode],
    [directory.inventory, '', publicMode],
    [directory.serial, '0001', publicMode],
    [directory.privateKey, encodePrivateKey(keys.privateKey), privateMode],
    [directory.certificates, encodeCertificate(signing) + encodeCertificate(root), publicMode],
  ];
  for (const [path, content, mode] of files) await writeFileAtomically(path, content, mode);
  await rm(directory.setupMarker);
  await syncDirectory(directory.path);
}

interface CaRequest {
  readonly serial: string;
  readonly name: string;
  readonly issuer: string;
  readonly keys: KeyPair;
  readonly issuerKeys: KeyPair;
  readonly ttl: number;
  readonly now: Date;
}

function signCa({ serial, name, issuer, keys, issuerKeys, ttl, now }: CaRequest): Promise<Certificate> {
  const publicKeyInfo = encodePublicKeyInfo(keys.publicKey);
  return signCertificate(
    {
      serial,
      issuer: commonNameOnly(issuer),
      subject: commonNameOnly(name),
      ...validityFrom(now, ttl),
      publicKeyInfo,
      extensions: [
        basicConstraints(true),
        keyUsage('ca'),
        subjectKeyIdentifier(keyIdentifier(publicKeyInfo)),
        netscapeComment(puppetComment),
        authorityKeyIdentifier(keyIdentifier(encodePublicKeyInfo(issuerKeys.publicKey))),
      ],
    },
    keySigner(issuerKeys.privateKey),
    lintAuthorityCertificate,
  );
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    // Whatever the reason, it cannot be used.
    return false;
  }
}
