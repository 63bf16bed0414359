/** The resource types built into Puppet, as `scripts/record-core-types.rb` recorded them. */

import recorded from './core-resource-types.json' with { type: 'json' };
import type { ResourceTypeInfo } from './resource-type.ts';

/** By lower-case name. */
export const coreResourceTypes: ReadonlyMap<string, ResourceTypeInfo> = new Map(
  recorded.types.map((type) => [
    type.name,
    {
      name: type.name,
      properties: new Set<string>(type.properties),
      parameters: new Set<string>(type.parameters),
      namevars: type.namevars,
      titlePatterns: type.titlePatterns,
      isIsomorphic: type.isIsomorphic,
    },
  ]),
);

/** Attributes that every resource takes, in the order of the reference. */
export const metaparameters: ReadonlySet<string> = new Set(recorded.metaparameters);

/** `before`, `require`, `notify`, `subscribe`. */
export const relationshipMetaparameters: ReadonlySet<string> = new Set(recorded.relationshipParameters);

/** True when a native type has the attribute; every type has `name`. */
export function hasAttribute(type: ResourceTypeInfo, name: string): boolean {
  return (
    name === 'name' || type.properties.has(name) || type.parameters.has(name) || metaparameters.has(name)
  );
}
