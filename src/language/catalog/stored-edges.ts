/** The edges of a catalog as PuppetDB keeps them: containment, and what resources say of each other. */

import { plainText, type Value } from '../pcore/index.ts';
import type { Catalog } from './catalog.ts';
import { failure } from './failure.ts';
import type { Resource } from './resource.ts';
import { aliasesOf, storedRelationship } from './stored-resource.ts';

export interface StoredEdge {
  readonly source: Resource;
  readonly target: Resource;
  readonly relationship: string;
}

/** Metaparameter -> its edge, which begins at the resource that has it when `isForward`. */
const relationships = [
  { name: 'before', isForward: true, relationship: 'before' },
  { name: 'require', isForward: false, relationship: 'required-by' },
  { name: 'notify', isForward: true, relationship: 'notifies' },
  { name: 'subscribe', isForward: false, relationship: 'subscription-of' },
] as const;

const wellFormed = /^[A-Z][a-z0-9_]*(?:::[A-Z][a-z0-9_]*)*\[.*\]/ms;

/**
 * What relationships of the resources that are kept amount to, each once.
 *
 * @throws PuppetError when one is with something that agents will not have
 */
export function storedRelationships(catalog: Catalog): readonly StoredEdge[] {
  const edges: StoredEdge[] = [];
  let known: KnownResources | undefined;
  for (const resource of catalog.resources) {
    if (resource.isVirtual) continue;
    for (const { isForward, name, relationship } of relationships) {
      const others = resource.parameters.has(name) ? storedRelationship(resource, name) : [];
      for (const other of others.length > 1 ? new Set(others) : others) {
        known ??= new KnownResources(catalog);
        const found = findOther(known, resource, name, other);
        edges.push(
          isForward
            ? { source: resource, target: found, relationship }
            : { source: found, target: resource, relationship },
        );
      }
    }
  }
  return edges;
}

/** Containment among the resources that are kept. */
export function* storedContainment(catalog: Catalog): Iterable<StoredEdge> {
  for (const { source, target } of catalog.graph.edges()) {
    if (isStored(source) && isStored(target)) yield { source, target, relationship: 'contains' };
  }
}

/** Virtual resources are nowhere, but for those that are exported. */
export function isStored({ isExported, isVirtual }: Resource): boolean {
  return isExported || !isVirtual;
}

class KnownResources {
  private readonly catalog: Catalog;
  private aliases: ReadonlyMap<string, Resource> | undefined;

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  /** @param reference - begins like one; what follows the bracket may be anything */
  find(reference: string): Resource | undefined {
    const bracket = reference.indexOf('[');
    const titled = reference.endsWith(']')
      ? this.catalog.titled(reference.slice(0, bracket), reference.slice(bracket + 1, -1))
      : undefined;
    if (titled !== undefined && isStored(titled)) return titled;
    this.aliases ??= this.readAliases();
    return this.aliases.get(reference);
  }

  private readAliases(): ReadonlyMap<string, Resource> {
    const aliases = new Map<string, Resource>();
    for (const resource of this.catalog.resources) {
      if (!isStored(resource)) continue;
      for (const alias of aliasesOf(resource)) aliases.set(`${resource.type}[${plainText(alias)}]`, resource);
    }
    return aliases;
  }
}

function findOther(known: KnownResources, resource: Resource, name: string, other: Value): Resource {
  const reference = plainText(other);
  const fault = (reason: string): Error =>
    failure(`Invalid relationship: ${resource.reference} { ${name} => ${reference} }, because ${reason}`);
  if (!wellFormed.test(reference)) {
    throw fault(
      `${reference} doesn't seem to be in the correct format. Resource references should be formatted as: ` +
        "Classname['title'] or Modulename::Classname['title'] (take careful note of the capitalization).",
    );
  }
  const found = known.find(withoutSlashes(reference));
  if (found === undefined) throw fault(`${reference} doesn't seem to be in the catalog`);
  if (found.isVirtual) throw fault(`${reference} is exported but not collected`);
  return found;
}

/** Files are known without slashes at their ends, however they are referred to. */
function withoutSlashes(reference: string): string {
  return reference.startsWith('File[') ? reference.replace(/\/+\]$/, ']') : reference;
}
