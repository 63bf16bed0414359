/** What is kept of a catalog beside what the agent gets, made when the agent has its answer. */

import { createHash, type Hash } from 'node:crypto';
import {
  type Catalog,
  type Resource,
  renderStoredCatalog,
  renderValue,
} from '../../language/catalog/index.ts';
import type { KeptCatalog } from './worker-protocol.ts';

/** Differs when the same catalog is kept in another way. */
const version = '1';

/**
 * @param rendered - the catalog as the agent gets it
 * @param knownContent - the content that is kept already: when it is the same, it is not made again
 */
export function keptCatalog(
  catalog: Catalog,
  rendered: string,
  knownContent: string | undefined,
): KeptCatalog {
  const contentId = nameContent(catalog, rendered);
  const { catalogUuid, codeId } = catalog;
  return {
    version: catalog.version,
    codeId,
    catalogUuid,
    contentId,
    content: contentId === knownContent ? undefined : renderStoredCatalog(catalog),
  };
}

/**
 * A digest of all that the content is made of. To render the content takes ten times as long, and mostly nothing has changed.
 */
function nameContent(catalog: Catalog, rendered: string): string {
  const digest = createHash('sha1').update(version);
  // Version and UUID, which always differ, stand before the resources.
  digest.update(rendered.slice(Math.max(rendered.indexOf('"resources":['), 0)));
  addTypes(digest, catalog);
  for (const resource of catalog.resources) {
    if (resource.isVirtual && resource.isExported) addExported(digest, catalog, resource);
  }
  return digest.digest('hex');
}

/** What makes aliases of attributes. */
function addTypes(digest: Hash, { resources }: Catalog): void {
  const types = new Set(resources.flatMap(({ typeInfo }) => typeInfo ?? []));
  for (const { isIsomorphic, name, namevars } of types) {
    if (namevars.length !== 1 || namevars[0] !== 'name' || !isIsomorphic)
      digest.update(`${name} ${namevars.join(',')} ${isIsomorphic}\n`);
  }
}

/** Agents do not get it. */
function addExported(digest: Hash, { graph }: Catalog, resource: Resource): void {
  digest.update(`${resource.reference} in ${graph.containerOf(resource)?.reference ?? ''}\n`);
  digest.update(`${resource.file}:${resource.line} ${[...resource.tags].join(' ')}\n`);
  for (const [name, { value }] of resource.parameters) digest.update(`${name}=${renderValue(value)}\n`);
}
