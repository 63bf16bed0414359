import type { PuppetType } from '../puppet-type.ts';
import type { ObjectAttribute, ObjectFunction } from '../types/object-definition.ts';
import type { ObjectType } from '../types/object-type.ts';
import { PuppetHash, type Value } from '../value.ts';

/** The hash from which an equal Object type can be made. */
export function objectTypeHash(type: ObjectType): PuppetHash {
  const { definition } = type;
  const hash = new PuppetHash();
  const set = (key: string, value: Value | undefined): void => {
    if (value !== undefined && !(value instanceof PuppetHash && value.size === 0)) hash.set(key, value);
  };
  set('name', type.label === 'Object' ? undefined : type.label);
  set('parent', definition.parent);
  set('type_parameters', members([...definition.typeParameters.values()], typeParameter));
  set('attributes', members(definition.plainAttributes, attributeSpec));
  set(
    'constants',
    members(definition.constants, (member) => member.value ?? null),
  );
  set('functions', members([...definition.functions.values()], functionSpec));
  set('equality', definition.equality);
  return hash;
}

function members<T extends { readonly name: string }>(
  items: readonly T[],
  spec: (item: T) => Value,
): PuppetHash {
  return new PuppetHash(items.map((item): readonly [Value, Value] => [item.name, spec(item)]));
}

function typeParameter(member: ObjectAttribute): Value {
  return member.type.parts()[0] ?? member.type;
}

/** A type alone when there is nothing else to say. */
function compressed(type: PuppetType, details: readonly (readonly [string, Value])[]): Value {
  return details.length === 0 ? type : new PuppetHash([['type', type], ...details]);
}

function attributeSpec(member: ObjectAttribute): Value {
  const details: (readonly [string, Value])[] = [];
  if (member.isFinal && member.kind !== 'constant') details.push(['final', true]);
  if (member.isOverride) details.push(['override', true]);
  if (member.kind !== undefined) details.push(['kind', member.kind]);
  if (member.value !== undefined) details.push(['value', member.value]);
  return compressed(member.type, details);
}

function functionSpec(member: ObjectFunction): Value {
  const details: (readonly [string, Value])[] = [];
  if (member.isFinal) details.push(['final', true]);
  if (member.isOverride) details.push(['override', true]);
  return compressed(member.type, details);
}
