/** Short names of extensions: Puppet's, and a site's own from `custom_trusted_oid_mapping.yaml`. */

import { readFile } from 'node:fs/promises';
import { ifThere } from '../../lib/if-there.ts';
import { parseYaml, YamlError, yamlToData } from '../../lib/yaml/index.ts';
import type { Logger } from '../log/index.ts';
import { puppetOid, puppetShortNames } from './puppet-oids.ts';

export class OidNames {
  private readonly names: ReadonlyMap<string, string>;
  private readonly oids: ReadonlyMap<string, string>;

  /** @param custom - OID to short name */
  constructor(custom: ReadonlyMap<string, string> = new Map()) {
    this.names = custom;
    this.oids = new Map(Array.from(custom, ([oid, name]): [string, string] => [name, oid]));
  }

  /** The OID for a short name; anything else, an OID above all, is returned as it is. */
  oid(nameOrOid: string): string {
    return this.oids.get(nameOrOid) ?? puppetOid(nameOrOid);
  }

  /** The short name, or the OID without one. */
  name(oid: string): string {
    return puppetShortNames.get(oid) ?? this.names.get(oid) ?? oid;
  }
}

/**
 * Reads `oid_mapping: { '1.3.6.1.4.1.34380.1.2.1.1': { shortname: myname, longname: My Name } }`. A file that is
 * not there or cannot be used maps nothing, as with agents; why is logged.
 *
 * @see "custom_trusted_oid_mapping.yaml" in the Puppet documentation
 */
export async function loadOidNames(file: string, log: Logger): Promise<OidNames> {
  const text = file === '' ? undefined : await ifThere(readFile(file, 'utf8'));
  if (text === undefined) return new OidNames();
  const custom = new Map<string, string>();
  for (const [oid, entry] of Object.entries(readMapping(text, file, log))) {
    const name = isRecord(entry) ? entry['shortname'] : undefined;
    if (/^[0-2](\.\d+)+$/.test(oid) && typeof name === 'string' && name !== '') custom.set(oid, name);
    else log.warn({ file, oid }, 'entry of the OID mapping is not usable');
  }
  return new OidNames(custom);
}

function readMapping(text: string, file: string, log: Logger): Readonly<Record<string, unknown>> {
  try {
    const data = yamlToData(parseYaml(text));
    const mapping = isRecord(data) ? data['oid_mapping'] : undefined;
    if (isRecord(mapping)) return mapping;
    log.warn({ file }, 'OID mapping has no oid_mapping');
  } catch (err) {
    if (!(err instanceof YamlError)) throw err;
    log.warn({ err, file }, 'OID mapping cannot be read');
  }
  return {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
