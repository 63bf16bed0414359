/** Reads everything in a CA directory and says in words what is wrong with it. Changes nothing. */

import { createPublicKey } from 'node:crypto';
import { stat } from 'node:fs/promises';
import {
  type Certificate,
  commonName,
  daysUntil,
  decodeCertificates,
  decodePrivateKey,
  decodeRevocationLists,
  encodePublicKeyInfo,
  isSignedBy,
  parseCertificateRequest,
  type RevocationList,
  renderName,
  X509Error,
} from '../../../platform/x509/index.ts';
import { certificateProblems, chainOf, listProblems } from '../chain.ts';
import { authorityWarningMs } from '../expiry.ts';
import { CaDirectory, findFile } from './ca-directory.ts';
import { readInventory } from './inventory.ts';

export interface Finding {
  /** `error`: something does not work, or will not be safe; `warning`: it will not for long, or looks odd. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface Verification {
  readonly findings: readonly Finding[];
  readonly certificates: number;
  readonly requests: number;
  readonly revoked: number;
}

/** @param hasKeyElsewhere - the private key is not expected in the directory */
export async function verifyDirectory(
  caDir: string,
  hasKeyElsewhere: boolean,
  now: Date,
): Promise<Verification> {
  const directory = new CaDirectory(caDir);
  const report = new Report();
  const bundle = (await report.read(directory.certificates, decodeCertificates)) ?? [];
  const keyInfo = hasKeyElsewhere
    ? bundle[0]?.publicKeyInfo
    : await report.read(directory.privateKey, (pem) =>
        encodePublicKeyInfo(createPublicKey(decodePrivateKey(pem))),
      );
  if (!hasKeyElsewhere) await checkKeyMode(directory.privateKey, report);
  const signing = bundle.find(({ publicKeyInfo }) => keyInfo !== undefined && publicKeyInfo.equals(keyInfo));
  if (!signing && keyInfo && bundle.length > 0)
    report.error(`The key ${directory.privateKey} belongs to no certificate in ${directory.certificates}`);
  const lists = (await report.read(directory.revocationLists, decodeRevocationLists)) ?? [];
  if (signing) checkChain({ signing, bundle, lists }, now, report);
  const own = lists.find(({ issuer }) => signing !== undefined && issuer.raw.equals(signing.subject.raw));
  const numbers = await checkNumbers(directory, own, report);
  const certificates = signing ? await checkSigned(directory, signing, numbers, report) : 0;
  const requests = await checkRequests(directory, report);
  return { findings: report.findings, certificates, requests, revoked: own?.revokedSerials.size ?? 0 };
}

class Report {
  readonly findings: Finding[] = [];

  error(message: string): void {
    this.findings.push({ severity: 'error', message });
  }

  warning(message: string): void {
    this.findings.push({ severity: 'warning', message });
  }

  /** What a file holds; `undefined`, after a finding, when it is missing or cannot be read. */
  async read<T>(path: string, decode: (content: string) => T): Promise<T | undefined> {
    const file = await findFile(path);
    if (!file) this.error(`The file ${path} is missing`);
    try {
      return file && decode(file.content);
    } catch (error) {
      if (!(error instanceof X509Error)) throw error;
      this.error(`The file ${path} cannot be read: ${error.message}`);
      return undefined;
    }
  }
}

async function checkKeyMode(path: string, report: Report): Promise<void> {
  const mode = await stat(path).then(
    (found) => found.mode,
    // That it is missing has been said.
    () => 0,
  );
  if ((mode & 0o007) !== 0) report.error(`The key ${path} can be read by everybody: chmod 600 ${path}`);
}

/** The authority's certificates and CRLs. */
interface Authority {
  readonly signing: Certificate;
  readonly bundle: readonly Certificate[];
  readonly lists: readonly RevocationList[];
}

function checkChain({ bundle, lists, signing }: Authority, now: Date, report: Report): void {
  const chain = chainOf(signing, bundle);
  for (const problem of certificateProblems(chain, now)) report.error(problem);
  for (const problem of listProblems(chain, lists, now)) report.error(problem);
  if (bundle[0] !== signing) report.warning('The signing certificate is not the first in ca_crt.pem');
  for (const { notAfter, subject } of chain) {
    const left = notAfter.getTime() - now.getTime();
    if (left > 0 && left < authorityWarningMs)
      report.warning(
        `The certificate ${renderName(subject)} ends in ${daysUntil(notAfter, now)} days: bunraku ca extend`,
      );
  }
  for (const { issuer, nextUpdate } of lists) {
    const left = (nextUpdate?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime();
    if (left > 0 && left < authorityWarningMs)
      report.warning(`The CRL of ${renderName(issuer)} lapses in ${Math.floor(left / 86_400_000)} days`);
  }
}

interface Numbers {
  readonly inInventory: ReadonlySet<string>;
}

async function checkNumbers(
  directory: CaDirectory,
  own: RevocationList | undefined,
  report: Report,
): Promise<Numbers> {
  const { entries, unreadable } = readInventory(
    (await report.read(directory.inventory, (text) => text)) ?? '',
  );
  for (const line of unreadable.slice(0, 10))
    report.warning(`A line of inventory.txt makes no sense: '${line}'`);
  const inInventory = new Set<string>();
  for (const { certname, serial } of entries) {
    if (inInventory.has(serial))
      report.error(`The serial number 0x${serial} (${certname}) is in inventory.txt twice`);
    inInventory.add(serial);
  }
  const serial = (await report.read(directory.serial, (text) => text.trim())) ?? '';
  if (!/^[0-9a-fA-F]{1,40}$/.test(serial))
    report.error(`The file serial does not hold a serial number: '${serial}'`);
  else {
    const used = [...inInventory, ...(own?.revokedSerials ?? [])].find(
      (one) => BigInt(`0x${one}`) >= BigInt(`0x${serial}`),
    );
    if (used !== undefined)
      report.warning(`The file serial says ${serial}, but 0x${used} has been used already`);
  }
  return { inInventory };
}

async function checkSigned(
  directory: CaDirectory,
  signing: Certificate,
  { inInventory }: Numbers,
  report: Report,
): Promise<number> {
  const certnames = await directory.list('signed');
  for (const certname of certnames) {
    const path = `${directory.path}/signed/${certname}.pem`;
    const [certificate] = (await report.read(path, decodeCertificates)) ?? [];
    if (!certificate) continue;
    if (commonName(certificate.subject) !== certname)
      report.warning(`${path} is a certificate for ${renderName(certificate.subject)}`);
    if (!isSignedBy(certificate, signing.publicKeyInfo))
      report.warning(`${path} was not signed by this authority`);
    else if (!inInventory.has(certificate.serial))
      report.warning(
        `0x${certificate.serial} (${certname}) is not in inventory.txt: revoking by name may miss it`,
      );
  }
  return certnames.length;
}

async function checkRequests(directory: CaDirectory, report: Report): Promise<number> {
  const certnames = await directory.list('requests');
  for (const certname of certnames)
    await report.read(`${directory.path}/requests/${certname}.pem`, parseCertificateRequest);
  return certnames.length;
}
