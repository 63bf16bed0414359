import { assertInstance } from '../mismatch/assert-instance.ts';
import { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { HashType } from '../types/hash-type.ts';
import { QUALIFIED_REFERENCE } from '../types/object-definition-types.ts';
import { ObjectType } from '../types/object-type.ts';
import { TypeSetType } from '../types/opaque-types.ts';
import { AnyType } from '../types/plain-types.ts';
import { SemVerType } from '../types/semver-types.ts';
import { StringType } from '../types/string-type.ts';
import { StructElement, StructType } from '../types/struct-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { PuppetHash, type Value } from '../value.ts';
import type { TypeResolver } from './interpret.ts';

const VERSION = new VariantType([StringType.NON_EMPTY, SemVerType.DEFAULT]);
const DEFINITION = new StructType([
  new StructElement('pcore_uri', AnyType.DEFAULT, true),
  new StructElement('pcore_version', VERSION),
  new StructElement('name_authority', AnyType.DEFAULT, true),
  new StructElement('name', QUALIFIED_REFERENCE, true),
  new StructElement('version', VERSION, true),
  new StructElement('types', HashType.DEFAULT, true),
  new StructElement('references', HashType.DEFAULT, true),
  new StructElement('annotations', AnyType.DEFAULT, true),
]);

/**
 * `TypeSet[{pcore_version => '1.0.0', types => {...}}]`
 *
 * @param name - given when the set is declared with `type Name = TypeSet[...]`
 * @throws PuppetError about what is missing or unknown in the definition
 */
export function typeSetOf(definition: Value, _resolver: TypeResolver, name?: string): TypeSetType {
  assertInstance('TypeSet initializer', DEFINITION, definition);
  if (!(definition instanceof PuppetHash)) return TypeSetType.DEFAULT;
  const given = definition.get('name');
  const setName = name ?? (typeof given === 'string' ? given : '');
  const types = definition.get('types');
  const entries = types instanceof PuppetHash ? [...types] : [];
  return new TypeSetType(
    setName,
    new Map(entries.map(([key, value]) => [String(key), memberOf(`${setName}::${String(key)}`, value)])),
  );
}

function memberOf(name: string, value: Value): PuppetType {
  if (value instanceof PuppetHash) return new ObjectType(name, () => value);
  const type = value instanceof PuppetType ? value : AnyType.DEFAULT;
  return new AliasType(name, () => type);
}
