/** `csr_attributes.yaml`: what the agent of this machine puts into its certificate request. */

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ifThere } from '../../lib/if-there.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { parseYaml, YamlError, yamlToData } from '../../lib/yaml/index.ts';

export interface RequestAttributes {
  /** By short name or OID. */
  readonly extensions: Readonly<Record<string, string>>;
  /** By short name or OID. */
  readonly attributes: Readonly<Record<string, string>>;
}

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const content = z
  .strictObject({ custom_attributes: texts.nullish(), extension_requests: texts.nullish() })
  .nullish();

/**
 * @param file - setting `csr_attributes`
 * @returns `undefined` when there is no such file
 * @throws ServiceError `conflict` naming the file when it is unreadable, invalid YAML, or has other members
 */
export async function readRequestAttributes(file: string): Promise<RequestAttributes | undefined> {
  const text = await ifThere(readFile(file, 'utf8').catch(refuseUnreadable(file)));
  if (text === undefined) return undefined;
  const read = content.safeParse(parse(text, file));
  if (!read.success) throw unusable(file, z.prettifyError(read.error));
  return {
    extensions: read.data?.extension_requests ?? {},
    attributes: read.data?.custom_attributes ?? {},
  };
}

function refuseUnreadable(file: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      throw unusable(
        file,
        'this user may not read them. Run the agent, which asks for the certificate with them, or let this user read the file',
      );
    throw error;
  };
}

function parse(text: string, file: string): unknown {
  try {
    return yamlToData(parseYaml(text));
  } catch (error) {
    if (error instanceof YamlError) throw unusable(file, error.message);
    throw error;
  }
}

function unusable(file: string, reason: string): ServiceError {
  return new ServiceError('conflict', `The CSR attributes in ${file} cannot be used: ${reason}`);
}
