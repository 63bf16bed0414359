/** The files of a catalog that agents would fetch: those with a `source`. */

import type { Catalog, Resource } from '../../language/catalog/index.ts';
import { isArray, stringify, type Value } from '../../language/pcore/index.ts';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';
import type { SourcedFile } from './worker-protocol.ts';

/**
 * What a static catalog has to tell about, virtual resources included, as the reference has it.
 *
 * @see Puppet::Resource::Catalog::Compiler#inline_metadata
 */
export function sourcedFiles(catalog: Catalog): readonly SourcedFile[] {
  return catalog.resources.flatMap((resource) =>
    resource.type === 'File' ? (sourcedFile(resource) ?? []) : [],
  );
}

function sourcedFile(resource: Resource): SourcedFile | undefined {
  if (resource.value('ensure') === 'absent') return undefined;
  const sources = listOf(resource.value('source'));
  const texts = sources.filter((source) => typeof source === 'string' && source.startsWith('puppet:'));
  if (texts.length === 0 || texts.length < sources.length) return undefined;
  return {
    title: resource.title,
    // As the attribute's own type does: slashes at the end do not count.
    sources: texts.map((source) => withoutTrailingSlashes(String(source))),
    given: describe(resource.value('source') ?? null),
    recurses: isRecursive(resource.value('recurse')),
    takesFirst: (resource.value('sourceselect') ?? 'first') === 'first',
    query: queryOf(resource),
  };
}

function listOf(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  return isArray(value) ? value.flatMap(listOf) : [value];
}

/** As Ruby interpolates the attribute. */
function describe(source: Value): string {
  if (!isArray(source)) return String(source);
  return `[${source.map((item) => JSON.stringify(item)).join(', ')}]`;
}

function isRecursive(value: Value | undefined): boolean {
  return value === true || value === 'true' || value === 'remote';
}

/** The attributes that change what is told about a file, as the parameters of a metadata request. */
function queryOf(resource: Resource): readonly (readonly [string, string])[] {
  const names = [
    ['links', 'links'],
    ['checksum', 'checksum_type'],
    ['source_permissions', 'source_permissions'],
    ['recurselimit', 'recurselimit'],
    ['max_files', 'max_files'],
  ] as const;
  const given = names.flatMap(([attribute, name]): readonly (readonly [string, string])[] => {
    const value = resource.value(attribute) ?? null;
    return value === null ? [] : [[name, stringify(value)]];
  });
  return [...given, ...listOf(resource.value('ignore')).map((item) => ['ignore', stringify(item)] as const)];
}
