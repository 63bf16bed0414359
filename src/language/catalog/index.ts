/** Catalogs: what a compile builds, and how it goes over the wire. */

export { Catalog } from './catalog.ts';
export {
  type CatalogDifferences,
  canonicalValue,
  compareCatalogs,
  type ParameterChange,
  type ReadableCatalog,
} from './compare-catalogs.ts';
export {
  coreResourceTypes,
  metaparameters,
  relationshipMetaparameters,
  vendoredResourceTypes,
} from './core-resource-types.ts';
export { exhausted, failure, failureAt } from './failure.ts';
export { canonicalTitle, canonicalTypeName, capitalizeSegments, splitReference } from './reference.ts';
export { checkTitles, renderCatalog, renderValue } from './render.ts';
export { Resource, type ResourceParameter, type ResourceSource } from './resource.ts';
export type { ResourceRecord } from './resource-record.ts';
export type { ResourceTypeInfo, TitleConversion, TitlePattern } from './resource-type.ts';
export { renderStoredCatalog } from './stored-catalog.ts';
export { storedRelationships } from './stored-edges.ts';
export { parseTitle } from './title-pattern.ts';
