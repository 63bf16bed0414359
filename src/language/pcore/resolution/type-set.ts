import { plainText } from '../formats/plain-text.ts';
import { assertInstance } from '../mismatch/assert-instance.ts';
import { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { HashType } from '../types/hash-type.ts';
import { QUALIFIED_REFERENCE } from '../types/object-definition-types.ts';
import { ObjectType } from '../types/object-type.ts';
import { AnyType } from '../types/plain-types.ts';
import { SemVerType } from '../types/semver-types.ts';
import { StringType } from '../types/string-type.ts';
import { StructElement, StructType } from '../types/struct-type.ts';
import { type TypeSetHeader, TypeSetType } from '../types/type-set-type.ts';
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
  const isEmpty =
    definition === null || definition === '' || (definition instanceof PuppetHash && definition.size === 0);
  if (isEmpty) return TypeSetType.DEFAULT;
  if (!(definition instanceof PuppetHash)) assertInstance('TypeSet name', QUALIFIED_REFERENCE, definition);
  assertInstance('TypeSet initializer', DEFINITION, definition);
  if (!(definition instanceof PuppetHash)) return TypeSetType.DEFAULT;
  const at = (key: string): string | undefined => {
    const value = definition.get(key) ?? null;
    return value === null ? undefined : plainText(value);
  };
  const setName = name ?? at('name') ?? '';
  // A declared set belongs to the authority of the code that it stands in.
  const nameAuthority = at('name_authority') ?? (name === undefined ? undefined : RUNTIME_AUTHORITY);
  const [pcoreUri, version] = [at('pcore_uri'), at('version')];
  const types = definition.get('types');
  const entries = types instanceof PuppetHash ? [...types] : [];
  const header: TypeSetHeader = {
    name: setName,
    pcoreVersion: at('pcore_version') ?? '1.0.0',
    ...(pcoreUri === undefined ? {} : { pcoreUri }),
    ...(nameAuthority === undefined ? {} : { nameAuthority }),
    ...(version === undefined ? {} : { version }),
  };
  return new TypeSetType(
    header,
    new Map(entries.map(([key, value]) => [String(key), memberOf(`${setName}::${String(key)}`, value)])),
  );
}

const RUNTIME_AUTHORITY = 'http://puppet.com/2016.1/runtime';

function memberOf(name: string, value: Value): PuppetType {
  if (value instanceof PuppetHash) return new ObjectType(name, () => value);
  const type = value instanceof PuppetType ? value : AnyType.DEFAULT;
  return new AliasType(name, () => type);
}
