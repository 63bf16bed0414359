/** Resource types that are known without their Ruby files, as `scripts/record-resource-types.rb` recorded them. */

import recorded from './core-resource-types.json' with { type: 'json' };
import type { ResourceTypeInfo } from './resource-type.ts';
import vendored from './vendored-resource-types.json' with { type: 'json' };

/** The types built into Puppet, by lower-case name. */
export const coreResourceTypes = typesByName(recorded.types);

/** The types of the modules that packages of Puppet bring along (`cron`, `host`, ...), by lower-case name. */
export const vendoredResourceTypes = typesByName(vendored.types);

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

function typesByName(types: typeof recorded.types): ReadonlyMap<string, ResourceTypeInfo> {
  return new Map(
    types.map(({ name, properties, parameters, namevars, titlePatterns, isIsomorphic }) => [
      name,
      {
        name,
        properties: new Set<string>(properties),
        parameters: new Set<string>(parameters),
        namevars,
        titlePatterns,
        isIsomorphic,
      },
    ]),
  );
}
