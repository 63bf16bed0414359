/** Reads the definition hash of an Object type and checks it against its parent. */

import { fault } from '../fault.ts';
import { infer } from '../infer.ts';
import { assertInstance } from '../mismatch/assert-instance.ts';
import { PuppetType } from '../puppet-type.ts';
import { isArray, PuppetHash, type Value } from '../value.ts';
import { AliasType } from './alias-type.ts';
import type { CallableType } from './callable-type.ts';
import {
  ATTRIBUTE_SPEC,
  type AttributeKind,
  FUNCTION_SPEC,
  FUNCTION_TYPE,
  OBJECT_DEFINITION,
} from './object-definition-types.ts';
import { ObjectType } from './object-type.ts';
import { OptionalType } from './optional-types.ts';
import { TypeType } from './type-type.ts';

interface Member {
  readonly name: string;
  readonly isFinal: boolean;
  readonly isOverride: boolean;
  /** `attribute My::Type[name]` */
  readonly label: string;
}
export interface ObjectAttribute extends Member {
  readonly feature: 'attribute' | 'type_parameter';
  readonly type: PuppetType;
  readonly kind: AttributeKind | undefined;
  /** The default; `undefined` when there is none. */
  readonly value: Value | undefined;
}
export interface ObjectFunction extends Member {
  readonly feature: 'function';
  readonly type: PuppetType;
}
type AnyMember = ObjectAttribute | ObjectFunction;

export interface ObjectDefinition {
  readonly name: string | undefined;
  readonly parent: PuppetType | undefined;
  readonly typeParameters: ReadonlyMap<string, ObjectAttribute>;
  readonly attributes: ReadonlyMap<string, ObjectAttribute>;
  readonly functions: ReadonlyMap<string, ObjectFunction>;
  readonly allTypeParameters: ReadonlyMap<string, ObjectAttribute>;
  readonly allAttributes: ReadonlyMap<string, ObjectAttribute>;
  readonly allFunctions: ReadonlyMap<string, ObjectFunction>;
  /** Constants whose type is what their value implies, and the other attributes. */
  readonly constants: readonly ObjectAttribute[];
  readonly plainAttributes: readonly ObjectAttribute[];
  readonly equality: readonly string[] | undefined;
  readonly equalityAttributes: readonly string[];
  readonly isTypeInEquality: boolean;
}

/** @throws PuppetError naming the member that breaks a rule */
export function defineObject(owner: ObjectType, hash: PuppetHash = new PuppetHash()): ObjectDefinition {
  assertInstance('object initializer', OBJECT_DEFINITION, hash);
  const parent = typeAt(hash, 'parent');
  const parentObject = parentOf(owner, parent);
  const label = owner.label === 'Object' ? (textAt(hash, 'name') ?? 'Object') : owner.label;
  const typeParameters = readTypeParameters(label, hash, parentObject);
  const attributes = readAttributes(label, hash, parentObject);
  const functions = readFunctions(label, hash, attributes, parentObject);
  const equality = readEquality(hash);
  const isTypeInEquality = hash.get('equality_include_type') !== false;
  checkEquality({ label, equality, isTypeInEquality, attributes, functions, parent: parentObject });
  const isConstant = (member: ObjectAttribute): boolean =>
    member.kind === 'constant' &&
    infer(member.value ?? null)
      .generalize()
      .equals(member.type);
  const own = [...attributes.values()];
  return {
    name: textAt(hash, 'name'),
    parent,
    typeParameters,
    attributes,
    functions,
    allTypeParameters: new Map([...(parentObject?.typeParameters ?? []), ...typeParameters]),
    allAttributes: new Map([...(parentObject?.attributes ?? []), ...attributes]),
    allFunctions: new Map([...(parentObject?.functions ?? []), ...functions]),
    constants: own.filter(isConstant),
    plainAttributes: own.filter((member) => !isConstant(member)),
    equality,
    equalityAttributes: [
      ...(parentObject?.equalityAttributes ?? []),
      ...(equality ?? own.filter((member) => member.kind !== 'constant').map((member) => member.name)),
    ],
    isTypeInEquality,
  };
}

function parentOf(owner: ObjectType, parent: PuppetType | undefined): ObjectType | undefined {
  let current = parent;
  while (current instanceof AliasType) current = current.resolved;
  if (current?.kind === 'TypeReference') {
    throw fault(
      `reference to unresolved type '${(current as PuppetType & { typeString: string }).typeString}'`,
    );
  }
  if (!(current instanceof ObjectType)) return undefined;
  for (let type: ObjectType | undefined = current; type !== undefined; ) {
    if (type === owner) throw fault(`The Object type '${owner.label}' inherits from itself`);
    type = type.parent;
  }
  return current;
}

function membersOf(type: ObjectType | undefined): ReadonlyMap<string, AnyMember> {
  return type === undefined ? new Map() : new Map<string, AnyMember>([...type.attributes, ...type.functions]);
}

function readTypeParameters(
  label: string,
  hash: PuppetHash,
  parent: ObjectType | undefined,
): ReadonlyMap<string, ObjectAttribute> {
  const members = new Map<string, ObjectAttribute>();
  for (const [key, spec] of entriesAt(hash, 'type_parameters')) {
    const memberLabel = `type_parameter ${label}[${key}]`;
    const given =
      spec instanceof PuppetHash ? spec.get('type') : assertInstance(memberLabel, TypeType.DEFAULT, spec);
    const content = given instanceof PuppetType ? given : undefined;
    const type = content instanceof OptionalType ? content : new OptionalType(content);
    const value = spec instanceof PuppetHash ? spec.get('value') : undefined;
    const member: ObjectAttribute = {
      feature: 'type_parameter',
      name: key,
      label: memberLabel,
      type,
      kind: undefined,
      value,
      isFinal: false,
      isOverride: false,
    };
    assertOverride(member, parent?.typeParameters ?? new Map());
    members.set(key, member);
  }
  return members;
}

function readAttributes(
  label: string,
  hash: PuppetHash,
  parent: ObjectType | undefined,
): ReadonlyMap<string, ObjectAttribute> {
  const inherited = membersOf(parent);
  const specs = new Map(entriesAt(hash, 'attributes'));
  for (const [key, value] of entriesAt(hash, 'constants')) {
    if (specs.has(key))
      throw fault(`attribute ${label}[${key}] is defined as both a constant and an attribute`);
    const type = infer(value).generalize();
    specs.set(key, PuppetHash.from({ type, value, kind: 'constant', override: inherited.has(key) }));
  }
  const members = new Map<string, ObjectAttribute>();
  for (const [key, spec] of specs) {
    const member = readAttribute(label, key, spec);
    assertOverride(member, inherited);
    members.set(key, member);
  }
  return members;
}

function readAttribute(owner: string, name: string, spec: Value): ObjectAttribute {
  const label = `attribute ${owner}[${name}]`;
  const full =
    spec instanceof PuppetHash
      ? spec
      : new PuppetHash([['type', assertInstance(label, TypeType.DEFAULT, spec)]]);
  if (!(spec instanceof PuppetHash) && spec instanceof OptionalType) full.set('value', null);
  assertInstance(`initializer for ${label}`, ATTRIBUTE_SPEC, full);
  if (name === '__ptype' || name === '__pvalue') {
    throw fault(`The attribute '${name}' is reserved and cannot be used`);
  }
  const type = typeAt(full, 'type') ?? TypeType.DEFAULT;
  const kind = textAt(full, 'kind') as AttributeKind | undefined;
  if (kind === 'constant' && full.get('final') === false) {
    throw fault(`${label} of kind 'constant' cannot be combined with final => false`);
  }
  const value = full.get('value');
  if (value === undefined) {
    if (kind === 'constant') throw fault(`${label} of kind 'constant' requires a value`);
  } else if (kind === 'derived' || kind === 'given_or_derived') {
    throw fault(`${label} of kind '${kind}' cannot be combined with an attribute value`);
  } else assertInstance(`${label} value`, type, value);
  return {
    feature: 'attribute',
    name,
    label,
    type,
    kind,
    value,
    isFinal: kind === 'constant' || full.get('final') === true,
    isOverride: full.get('override') === true,
  };
}

function readFunctions(
  owner: string,
  hash: PuppetHash,
  attributes: ReadonlyMap<string, ObjectAttribute>,
  parent: ObjectType | undefined,
): ReadonlyMap<string, ObjectFunction> {
  const inherited = membersOf(parent);
  const members = new Map<string, ObjectFunction>();
  for (const [name, spec] of entriesAt(hash, 'functions')) {
    const label = `function ${owner}[${name}]`;
    const full =
      spec instanceof PuppetHash
        ? spec
        : new PuppetHash([['type', assertInstance(label, FUNCTION_TYPE, spec)]]);
    assertInstance(`initializer for function '${name}'`, FUNCTION_SPEC, full);
    if (attributes.has(name)) throw fault(`${label} conflicts with attribute with the same name`);
    const member: ObjectFunction = {
      feature: 'function',
      name,
      label,
      type: typeAt(full, 'type') as CallableType,
      isFinal: full.get('final') === true,
      isOverride: full.get('override') === true,
    };
    assertOverride(member, inherited);
    members.set(name, member);
  }
  return members;
}

function assertOverride(member: AnyMember, inherited: ReadonlyMap<string, AnyMember>): void {
  const parent = inherited.get(member.name);
  if (parent === undefined) {
    if (!member.isOverride) return;
    throw fault(
      `expected ${member.label} to override an inherited ${member.feature}, but no such ${member.feature} was found`,
    );
  }
  const attempt = `${member.label} attempts to override`;
  if (parent.feature !== member.feature) throw fault(`${attempt} ${parent.label}`);
  if (parent.isFinal && !(isConstant(parent) && isConstant(member)))
    throw fault(`${attempt} final ${parent.label}`);
  if (!member.isOverride) throw fault(`${attempt} ${parent.label} without having override => true`);
  if (!parent.type.isAssignable(member.type))
    throw fault(`${attempt} ${parent.label} with a type that does not match`);
}

function isConstant(member: AnyMember): boolean {
  return member.feature === 'attribute' && member.kind === 'constant';
}

interface EqualityRule {
  readonly label: string;
  readonly equality: readonly string[] | undefined;
  readonly isTypeInEquality: boolean;
  readonly attributes: ReadonlyMap<string, ObjectAttribute>;
  readonly functions: ReadonlyMap<string, ObjectFunction>;
  readonly parent: ObjectType | undefined;
}

function checkEquality(rule: EqualityRule): void {
  const { label, equality, attributes, functions, parent } = rule;
  if (equality === undefined || equality.length === 0) return;
  if (!rule.isTypeInEquality) {
    throw fault('equality_include_type = false cannot be combined with non empty equality specification');
  }
  const inherited = membersOf(parent);
  for (const name of equality) {
    const member = inherited.get(name) ?? attributes.get(name) ?? functions.get(name);
    if (member === undefined) {
      throw fault(`${label} equality is referencing non existent attribute '${name}'`);
    }
    if (inherited.get(name)?.feature === 'attribute' && parent?.equalityAttributes.includes(name) === true) {
      throw fault(
        `${label} equality is referencing ${member.label} which is included in equality of ${definerOf(parent, name)}`,
      );
    }
    if (member.feature === 'function') {
      throw fault(`${label} equality is referencing ${member.label}. Only attribute references are allowed`);
    }
    if (isConstant(member)) {
      throw fault(
        `${label} equality is referencing constant ${member.label}. Reference to constant is not allowed in equality`,
      );
    }
  }
}

function definerOf(type: ObjectType, name: string): string {
  const { parent } = type;
  return parent?.equalityAttributes.includes(name) === true ? definerOf(parent, name) : type.label;
}

function readEquality(hash: PuppetHash): readonly string[] | undefined {
  const equality = hash.get('equality');
  if (typeof equality === 'string') return [equality];
  return equality !== undefined && isArray(equality) ? equality.map(String) : undefined;
}

function entriesAt(hash: PuppetHash, key: string): readonly (readonly [string, Value])[] {
  const value = hash.get(key);
  return value instanceof PuppetHash ? [...value].map(([name, item]) => [String(name), item]) : [];
}
function typeAt(hash: PuppetHash, key: string): PuppetType | undefined {
  const value = hash.get(key);
  return value instanceof PuppetType ? value : undefined;
}
function textAt(hash: PuppetHash, key: string): string | undefined {
  const value = hash.get(key);
  return typeof value === 'string' ? value : undefined;
}
