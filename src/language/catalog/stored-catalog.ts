/** A catalog as PuppetDB keeps it, which is not what agents get. */

import type { Catalog } from './catalog.ts';
import type { Resource } from './resource.ts';
import { isStored, type StoredEdge, storedContainment, storedRelationships } from './stored-edges.ts';
import { renderStoredResource, storedParameters } from './stored-resource.ts';

/**
 * Virtual resources that are exported are in it, secrets are not, values are what JSON has words for, and relationships
 * are edges.
 *
 * @returns the members `resources` and `edges` of a "replace catalog" command, as JSON text: `"resources":[...],"edges":[...]`
 * @throws PuppetError when a relationship is with something that agents will not have
 * @see puppet-terminus-puppetdb, Puppet::Resource::Catalog::Puppetdb#munge_catalog
 */
export function renderStoredCatalog(catalog: Catalog): string {
  const words = new Map<string, string>();
  const word = (text: string): string => {
    let quoted = words.get(text);
    if (quoted === undefined) {
      quoted = JSON.stringify(text);
      words.set(text, quoted);
    }
    return quoted;
  };
  const references = new Map<Resource, string>();
  const resources: string[] = [];
  for (const resource of catalog.resources) {
    if (!isStored(resource)) continue;
    resources.push(renderStoredResource(resource, storedParameters(resource), word));
    references.set(resource, `{"type":${word(resource.type)},"title":${JSON.stringify(resource.title)}}`);
  }
  const edges = new Set<string>();
  const add = ({ relationship, source, target }: StoredEdge): void => {
    const [from, to] = [references.get(source), references.get(target)];
    edges.add(`{"source":${from},"target":${to},"relationship":"${relationship}"}`);
  };
  for (const edge of storedContainment(catalog)) add(edge);
  for (const edge of storedRelationships(catalog)) add(edge);
  return `"resources":[${resources.join(',')}],"edges":[${[...edges].join(',')}]`;
}
