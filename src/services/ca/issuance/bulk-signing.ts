/** Signs many requests at a time; what cannot be signed is told and left. */

import type { Logger } from '../../../platform/log/index.ts';
import type { BulkSigning } from './orders.ts';

interface BulkSigner {
  findRequest(certname: string): Promise<string | undefined>;
  sign(certname: string): Promise<void>;
}

export async function signEach(
  certnames: readonly string[],
  signer: BulkSigner,
  log: Logger,
): Promise<BulkSigning> {
  const result = { signed: [] as string[], noCsr: [] as string[], signingErrors: [] as string[] };
  const outcomes = await Promise.all(certnames.map((certname) => trySign(certname, signer, log)));
  for (const [index, outcome] of outcomes.entries()) result[outcome].push(certnames[index] ?? '');
  return result;
}

async function trySign(certname: string, signer: BulkSigner, log: Logger): Promise<keyof BulkSigning> {
  if ((await signer.findRequest(certname)) === undefined) return 'noCsr';
  try {
    await signer.sign(certname);
    return 'signed';
  } catch (error) {
    log.error({ certname, err: error }, 'could not sign certificate request');
    return 'signingErrors';
  }
}
