/** What hiera-eyaml encrypts: `ENC[PKCS7,...]`. */

import { decryptEnvelope } from './decrypt-envelope.ts';

/** Reads a key: `undefined` when there is none of that name. */
export type ReadText = (name: string) => string | undefined;

/** Where keys come from; options name either a file or an environment variable. */
export interface EyamlKeySources {
  readonly file: ReadText;
  readonly environmentVariable: ReadText;
}

/** Options of a hierarchy entry: `pkcs7_private_key`, `pkcs7_private_key_env_var`, ... */
export type EyamlOption = (name: string) => string | undefined;

/**
 * What a block holds.
 *
 * @param block - `ENC[PKCS7,base64]`, or without a name of the method
 * @throws Error in the words of hiera-eyaml where a key is not named, `PKCS7 error: ...` where it does not fit
 */
export function decryptEyaml(block: string, option: EyamlOption, sources: EyamlKeySources): Uint8Array {
  const [, method = 'PKCS7', content = ''] = /^ENC\[(?:([A-Za-z0-9]+),)?([^\]]*)\]$/.exec(block) ?? [];
  if (method.toUpperCase() !== 'PKCS7') throw new Error(`Unknown encryption method: ${method}`);
  for (const name of ['public_key', 'private_key'] as const) checkNamed(name, option);
  const privateKey = keyText('private_key', option, sources);
  // Not needed, but hiera-eyaml reads it.
  keyText('public_key', option, sources);
  return decryptEnvelope(Buffer.from(content, 'base64'), privateKey);
}

function checkNamed(name: 'public_key' | 'private_key', option: EyamlOption): void {
  if (option(`pkcs7_${name}`) === undefined && option(`pkcs7_${name}_env_var`) === undefined)
    throw new Error(`pkcs7_${name} is not defined`);
}

function keyText(
  name: 'public_key' | 'private_key',
  option: EyamlOption,
  { file, environmentVariable }: EyamlKeySources,
): string {
  const path = option(`pkcs7_${name}`);
  const variable = option(`pkcs7_${name}_env_var`);
  const text = path === undefined ? variable && environmentVariable(variable) : file(path);
  if (text === undefined) throw new Error(`No such file or directory @ rb_sysopen - ${path ?? variable}`);
  return text;
}
