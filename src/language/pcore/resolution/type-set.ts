import { fault } from '../fault.ts';
import { plainText } from '../formats/plain-text.ts';
import { assertInstance } from '../mismatch/assert-instance.ts';
import { PuppetType } from '../puppet-type.ts';
import { HashType } from '../types/hash-type.ts';
import { IntegerType } from '../types/number-types.ts';
import { OBJECT_DEFINITION, QUALIFIED_REFERENCE } from '../types/object-definition-types.ts';
import { ObjectType } from '../types/object-type.ts';
import { PatternType } from '../types/pattern-type.ts';
import { AnyType } from '../types/plain-types.ts';
import { SemVerRangeType, SemVerType } from '../types/semver-types.ts';
import { StringType } from '../types/string-type.ts';
import { StructElement, StructType } from '../types/struct-type.ts';
import { type TypeSetHeader, type TypeSetReference, TypeSetType } from '../types/type-set-type.ts';
import { TypeType } from '../types/type-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { PuppetHash, type Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { findType, type TypeResolver } from './interpret.ts';

const VERSION = new VariantType([StringType.NON_EMPTY, SemVerType.DEFAULT]);
const SIMPLE_NAME = new PatternType([new RegexpValue(String.raw`\A[A-Z]\w*\z`)]);
const SOME = new IntegerType(1);
const REFERENCE = new StructType([
  new StructElement('name', QUALIFIED_REFERENCE),
  new StructElement('version_range', new VariantType([StringType.NON_EMPTY, SemVerRangeType.DEFAULT])),
  new StructElement('name_authority', AnyType.DEFAULT, true),
  new StructElement('annotations', AnyType.DEFAULT, true),
]);
const DEFINITION = new StructType([
  new StructElement('pcore_uri', AnyType.DEFAULT, true),
  new StructElement('pcore_version', VERSION),
  new StructElement('name_authority', AnyType.DEFAULT, true),
  new StructElement('name', QUALIFIED_REFERENCE, true),
  new StructElement('version', VERSION, true),
  new StructElement(
    'types',
    new HashType(SIMPLE_NAME, new VariantType([TypeType.DEFAULT, OBJECT_DEFINITION]), SOME),
    true,
  ),
  new StructElement('references', new HashType(SIMPLE_NAME, REFERENCE, SOME), true),
  new StructElement('annotations', AnyType.DEFAULT, true),
]);

/**
 * `TypeSet[{pcore_version => '1.0.0', types => {...}}]`
 *
 * @param name - given when the set is declared with `type Name = TypeSet[...]`
 * @throws PuppetError about what is missing or unknown in the definition
 */
export function typeSetOf(definition: Value, resolver: TypeResolver, name?: string): TypeSetType {
  const isEmpty =
    definition === null || definition === '' || (definition instanceof PuppetHash && definition.size === 0);
  if (isEmpty) return TypeSetType.DEFAULT;
  if (!(definition instanceof PuppetHash)) assertInstance('TypeSet name', QUALIFIED_REFERENCE, definition);
  assertInstance('TypeSet initializer', DEFINITION, definition);
  if (!(definition instanceof PuppetHash)) return TypeSetType.DEFAULT;
  const header = headerOf(definition, name);
  const types = hashAt(definition, 'types').map(
    ([key, value]) => [plainText(key), memberOf(`${header.name}::${plainText(key)}`, value)] as const,
  );
  const references = hashAt(definition, 'references').map(
    ([key, value]) => [plainText(key), referenceOf(header, value, resolver)] as const,
  );
  checkReferences(header, new Set(types.map(([key]) => key)), references);
  return new TypeSetType(header, new Map(types), new Map(references));
}

const RUNTIME_AUTHORITY = 'http://puppet.com/2016.1/runtime';
const PARSABLE = '1.x';

function headerOf(definition: PuppetHash, name: string | undefined): TypeSetHeader {
  const at = (key: string): string | undefined => textAt(definition, key);
  const setName = name ?? at('name') ?? '';
  const pcoreVersion = SemVerValue.parse(at('pcore_version') ?? '');
  if (!SemVerRangeValue.parse(PARSABLE).includes(pcoreVersion)) {
    const text = `is not understood by this runtime. Expected range ${PARSABLE}, got ${pcoreVersion.toString()}`;
    throw fault(`The pcore version for TypeSet '${setName}' ${text}`);
  }
  // A declared set belongs to the authority of the code that it stands in.
  const nameAuthority = at('name_authority') ?? (name === undefined ? undefined : RUNTIME_AUTHORITY);
  const pcoreUri = at('pcore_uri');
  const version = at('version');
  return {
    name: setName,
    pcoreVersion: pcoreVersion.toString(),
    ...(pcoreUri === undefined ? {} : { pcoreUri }),
    ...(nameAuthority === undefined ? {} : { nameAuthority }),
    ...(version === undefined ? {} : { version: SemVerValue.parse(version).toString() }),
  };
}

function textAt(hash: PuppetHash, key: string): string | undefined {
  const value = hash.get(key) ?? null;
  return value === null ? undefined : plainText(value);
}

function hashAt(definition: PuppetHash, key: string): readonly (readonly [Value, Value])[] {
  const value = definition.get(key);
  return value instanceof PuppetHash ? [...value] : [];
}

function memberOf(name: string, value: Value): PuppetType {
  if (value instanceof PuppetHash) return new ObjectType(name, () => value);
  return value instanceof PuppetType ? value : AnyType.DEFAULT;
}

function referenceOf(owner: TypeSetHeader, value: Value, resolver: TypeResolver): TypeSetReference {
  const hash = value instanceof PuppetHash ? value : new PuppetHash();
  const name = textAt(hash, 'name') ?? '';
  const range = SemVerRangeValue.parse(textAt(hash, 'version_range') ?? '');
  const nameAuthority = textAt(hash, 'name_authority');
  const subject = `TypeSet '${owner.name}' reference to TypeSet named '${name}'`;
  return {
    name,
    versionRange: range.toString(),
    ...(nameAuthority === undefined ? {} : { nameAuthority }),
    resolve: () => {
      const set = findType(name, resolver);
      if (set === undefined) throw fault(`${subject} cannot be resolved`);
      if (!(set instanceof TypeSetType)) throw fault(`${subject} resolves to a ${set.name}`);
      const version = set.header.version ?? '';
      if (SemVerValue.tryParse(version) !== undefined && range.includes(SemVerValue.parse(version)))
        return set;
      throw fault(
        `${subject} resolves to an incompatible version. Expected ${range.toString()}, got ${version}`,
      );
    },
  };
}

function checkReferences(
  { name, nameAuthority = '' }: TypeSetHeader,
  types: ReadonlySet<string>,
  references: readonly (readonly [string, TypeSetReference])[],
): void {
  const ranges = new Map<string, SemVerRangeValue[]>();
  for (const [alias, reference] of references) {
    const root = `${reference.nameAuthority ?? nameAuthority}/${reference.name}`;
    const range = SemVerRangeValue.parse(reference.versionRange);
    const others = ranges.get(root) ?? [];
    if (others.some((other) => other.overlaps(range))) {
      throw fault(
        `TypeSet '${name}' references TypeSet '${root}' more than once using overlapping version ranges`,
      );
    }
    ranges.set(root, [...others, range]);
    if (types.has(alias)) {
      const text = `The alias collides with the name of a declared type`;
      throw fault(`TypeSet '${name}' references a TypeSet using alias '${alias}'. ${text}`);
    }
  }
}
