/**
 * Takes over an authority that was made elsewhere: a company's root and an intermediate for Puppet, or a single one.
 */

import { rm } from 'node:fs/promises';
import { syncDirectory, writeFileAtomically } from '../../../lib/atomic-file.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Certificate,
  commandSigner,
  decodeCertificates,
  decodePrivateKey,
  decodeRevocationLists,
  encodeCertificate,
  encodePem,
  encodePrivateKey,
  encodeRevocationList,
  keySigner,
  type RevocationList,
  type Signer,
  X509Error,
} from '../../../platform/x509/index.ts';
import { certificateProblems, chainOf, listProblems } from '../chain.ts';
import { CaDirectory, privateMode, publicMode } from '../directory/ca-directory.ts';
import { lockCaDirectory } from '../directory/ca-lock.ts';
import { signEmptyList } from '../revocation/empty-list.ts';
import { isSetUp } from './setup.ts';

export interface ImportedAuthority {
  readonly caDir: string;
  /** PEM; the order does not matter. */
  readonly certificates: string;
  /** PEM; one for each authority. That of the signing one is made when it is missing. */
  readonly revocationLists: string;
  /** PEM; absent when `signingCommand` has it. */
  readonly privateKey?: string;
  readonly signingCommand?: readonly string[];
}

/**
 * Verifies that everything belongs together, then writes it.
 *
 * @throws ServiceError `conflict` with all that is wrong, each on a line; nothing has been written then
 */
export async function importAuthority(source: ImportedAuthority, now: Date): Promise<void> {
  const certificates = decode('certs', () => decodeCertificates(source.certificates));
  if (certificates.length === 0) throw refused(['Could not detect any certs']);
  const given = decode('crls', () => decodeRevocationLists(source.revocationLists));
  const signer = signerOf(source, certificates);
  const signing = certificates.find(({ publicKeyInfo }) => publicKeyInfo.equals(signer.publicKeyInfo));
  if (!signing) throw refused(['Could not find certificate matching private key']);
  const chain = chainOf(signing, certificates);
  const lists = await completeLists(given, signing, signer, now);
  const problems = [...certificateProblems(chain, now), ...listProblems(chain, lists, now)];
  if (problems.length > 0) throw refused(['Leaf certificate could not be validated', ...problems]);
  await write(source, { chain, lists, signer });
}

function signerOf(
  { privateKey, signingCommand = [] }: ImportedAuthority,
  certificates: readonly Certificate[],
): Signer {
  if (privateKey !== undefined) return keySigner(decode('key', () => decodePrivateKey(privateKey)));
  const [first] = certificates;
  if (first && signingCommand.length > 0) return commandSigner(signingCommand, first.publicKeyInfo);
  throw refused(['Neither a private key nor a signing command is given']);
}

async function completeLists(
  given: readonly RevocationList[],
  signing: Certificate,
  signer: Signer,
  now: Date,
): Promise<readonly RevocationList[]> {
  const isOwn = ({ issuer }: RevocationList) => issuer.raw.equals(signing.subject.raw);
  const own = given.find(isOwn) ?? (await signEmptyList(signing, signer, now));
  return [own, ...given.filter((list) => !isOwn(list))];
}

async function write(
  { caDir, privateKey }: ImportedAuthority,
  parts: {
    readonly chain: readonly Certificate[];
    readonly lists: readonly RevocationList[];
    readonly signer: Signer;
  },
): Promise<void> {
  const directory = new CaDirectory(caDir);
  await directory.prepare();
  const lock = lockCaDirectory(directory.lock);
  try {
    if (await isSetUp(directory, privateKey === undefined))
      throw refused([`There is a certificate authority in ${caDir} already`]);
    const crls = parts.lists.map(encodeRevocationList).join('');
    await writeFileAtomically(directory.setupMarker, '', publicMode);
    const files: readonly (readonly [string, string, number])[] = [
      [directory.publicKey, encodePem('PUBLIC KEY', parts.signer.publicKeyInfo), publicMode],
      [directory.infraInventory, '', publicMode],
      [directory.infraSerials, '', publicMode],
      [directory.infraRevocationLists, crls, publicMode],
      [directory.revocationLists, crls, publicMode],
      [directory.inventory, '', publicMode],
      [directory.serial, '0001', publicMode],
      [directory.certificates, parts.chain.map(encodeCertificate).join(''), publicMode],
    ];
    for (const [path, content, mode] of files) await writeFileAtomically(path, content, mode);
    if (privateKey !== undefined)
      await writeFileAtomically(
        directory.privateKey,
        encodePrivateKey(decodePrivateKey(privateKey)),
        privateMode,
      );
    await rm(directory.setupMarker);
    await syncDirectory(directory.path);
  } finally {
    lock.release();
  }
}

function decode<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof X509Error) throw refused([`Could not parse ${what}: ${error.message}`]);
    throw error;
  }
}

function refused(problems: readonly string[]): ServiceError {
  return new ServiceError('conflict', problems.join('\n'), {
    kind: 'puppet-ca/import',
    details: { problems },
  });
}
