/** What Puppet's own extensions in a certificate or request say. */

import { isInSubtree } from '../../lib/der/index.ts';
import { decodeCertificate } from './certificate.ts';
import { decodeExtensionText, type Extension } from './extension.ts';
import { OidNames } from './oid-names.ts';
import { puppetArc } from './puppet-oids.ts';

const puppetNames = new OidNames();

/**
 * Puppet's extensions among `extensions`, by short name if there is one, else by OID.
 *
 * @param arc - only those below it; all of Puppet's when absent
 * @param names - with a site's own short names
 */
export function puppetExtensions(
  extensions: readonly Extension[],
  arc: string = puppetArc,
  names: OidNames = puppetNames,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { oid, value } of extensions) {
    if (isInSubtree(oid, arc)) found[names.name(oid)] = decodeExtensionText(value);
  }
  return found;
}

/**
 * Puppet's extensions of a certificate, for the identity of a client and for `$trusted['extensions']`.
 *
 * @param der - the certificate
 * @throws X509Error when it cannot be decoded
 */
export function readPuppetExtensions(der: Uint8Array): Record<string, string> {
  return puppetExtensions(decodeCertificate(der).extensions);
}
