/** What a port shows to its clients and believes of them, on disk. */

import { readFile } from 'node:fs/promises';
import type { TlsMaterial } from '../../platform/http/index.ts';

export interface TlsFiles {
  readonly certificate: string;
  readonly privateKey: string;
  readonly ca: string;
  readonly crl: string;
}

export async function readTlsMaterial(files: TlsFiles): Promise<TlsMaterial> {
  const [certificate, privateKey, ca, crl] = await Promise.all([
    readFile(files.certificate, 'utf8'),
    readFile(files.privateKey, 'utf8'),
    readFile(files.ca, 'utf8'),
    readFile(files.crl, 'utf8'),
  ]);
  return { certificate, privateKey, ca, crl };
}
