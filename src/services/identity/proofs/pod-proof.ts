/** The proof of a pod: the token that Kubernetes puts into a file for it. */

import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../../lib/service-error.ts';
import type { ProofMaker } from './proof-maker.ts';

/** @param file - of a projected volume with the audience `bunraku` */
export function podProof(file: string): ProofMaker {
  return {
    provider: 'kubernetes',
    name: async () => podNameIn(await readToken(file), file),
    make: async () => ({ token: await readToken(file) }),
  };
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new ServiceError(
      'unavailable',
      `There is no token of the pod in ${file} (setting identity_token_file)`,
      { cause },
    );
  }
}

/** The token says it; that it is true is for the cluster to check. */
function podNameIn(token: string, file: string): string {
  const [, payload = ''] = token.split('.');
  const claims = parse(Buffer.from(payload, 'base64url').toString('utf8')) as
    | { readonly 'kubernetes.io'?: { readonly pod?: { readonly name?: unknown } } }
    | undefined;
  const name = claims?.['kubernetes.io']?.pod?.name;
  if (typeof name === 'string') return name;
  throw new ServiceError('unavailable', `The token in ${file} is not of a pod`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says which token it was.
    return undefined;
  }
}
