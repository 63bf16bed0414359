/** Keys of hiera-eyaml, and values that only they open. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface EyamlKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Makes a pair below a directory, in the place of an earlier one. */
export function makeEyamlKeys(directory: string): EyamlKeys {
  const [privateKey, publicKey] = [join(directory, 'private.pem'), join(directory, 'public.pem')];
  mkdirSync(directory, { recursive: true });
  for (const file of [privateKey, publicKey]) rmSync(file, { force: true });
  const keys = [`--pkcs7-private-key=${privateKey}`, `--pkcs7-public-key=${publicKey}`];
  execFileSync('eyaml', ['createkeys', ...keys], { stdio: 'pipe' });
  return { privateKey, publicKey };
}

/** @returns `ENC[PKCS7,...]` */
export function encrypted({ publicKey }: Pick<EyamlKeys, 'publicKey'>, secret: string): string {
  const words = ['encrypt', `--pkcs7-public-key=${publicKey}`, '-o', 'string', '-s', secret];
  return execFileSync('eyaml', words, { encoding: 'utf8' }).trim();
}

/** Files of an environment in which the key `secret` is encrypted. */
export function eyamlData(keys: EyamlKeys, secret: string): Readonly<Record<string, string>> {
  return {
    'hiera.yaml': `
version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options:
      pkcs7_private_key: ${keys.privateKey}
      pkcs7_public_key: ${keys.publicKey}
`,
    'data/secrets.eyaml': `secret: ${encrypted(keys, secret)}\n`,
  };
}
