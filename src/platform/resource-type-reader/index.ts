/** Resource types that modules define in Ruby, read without running Ruby. */

export type { Libraries } from './library-files.ts';
export type { RubyResourceType } from './resource-type.ts';
export { ResourceTypeReader } from './resource-type-reader.ts';
