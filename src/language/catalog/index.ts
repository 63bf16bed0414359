/** Catalogs: what a compile builds, and how it goes over the wire. */

export { Catalog, type CatalogOptions } from './catalog.ts';
export type { Edge } from './containment-graph.ts';
export {
  coreResourceTypes,
  hasAttribute,
  metaparameters,
  relationshipMetaparameters,
} from './core-resource-types.ts';
export { failure, failureAt } from './failure.ts';
export { canonicalTitle, canonicalTypeName, capitalizeSegments, splitReference } from './reference.ts';
export { type CatalogFormat, renderCatalog, renderValue } from './render.ts';
export {
  Resource,
  type ResourceKind,
  type ResourceOptions,
  type ResourceParameter,
  type ResourceSource,
} from './resource.ts';
export type { RecordJson, ResourceRecord } from './resource-record.ts';
export { namevarOf, type ResourceTypeInfo, type TitlePattern } from './resource-type.ts';
export { isValidTag, TagSet } from './tag-set.ts';
export { parseTitle } from './title-pattern.ts';
