/** Resource types that modules define in Ruby, read without running Ruby. */

export type { Libraries, SourceTree } from './library-files.ts';
export type { ReadResourceType, RubyResourceType, RubyTitlePattern } from './resource-type.ts';
export { ResourceTypeReader, type ResourceTypeReaderOptions } from './resource-type-reader.ts';
