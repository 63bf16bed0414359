/** References as attributes hold them. */

import { canonicalTitle, failure } from '../../catalog/index.ts';
import {
  ClassType,
  IteratorValue,
  isArray,
  PuppetHash,
  ResourceType,
  type Value,
} from '../../pcore/index.ts';

/** A reference to a resource that has been an attribute's value: as text it is `File[/a]`, without quotes. */
class ResourceObject extends ResourceType {
  override toString(): string {
    return `${this.typeName ?? ''}[${this.title ?? ''}]`;
  }
}

/**
 * A value as it is when it has become an attribute.
 *
 * @throws PuppetError for what cannot be one
 */
export function toAttributeValue(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return value.some(isObject) ? value.map(toAttributeValue) : value;
  if (value instanceof PuppetHash) return hashOf(value);
  if (value instanceof IteratorValue) throw failure('Use of an Iterator is not supported here');
  if (value instanceof ClassType) return classObject(value);
  return value instanceof ResourceType ? resourceObject(value) : value;
}

function hashOf(hash: PuppetHash): PuppetHash {
  for (const [key, item] of hash) {
    if (!isObject(key) && !isObject(item)) continue;
    return new PuppetHash([...hash].map(([k, v]) => [toAttributeValue(k), toAttributeValue(v)] as const));
  }
  return hash;
}

function isObject(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

/** A class is a resource like any other then: `Class[Apache::Mod]`, whose type is no `Type[Class]`. */
function classObject({ className }: ClassType): ResourceObject {
  if (className === undefined) {
    throw failure('No title provided and "class" is not a valid resource reference');
  }
  return new ResourceObject('Class', canonicalTitle('Class', className));
}

/** What stands for classes among types; nothing does, too. */
const CLASS_NAMES: ReadonlySet<string> = new Set(['class', '::class', '']);

/** A type without a title becomes a reference to nothing, which only the end of the compile shows to be wrong. */
function resourceObject(type: ResourceType): Value {
  const { typeName, title } = type;
  if (typeName === undefined) return type;
  if (!CLASS_NAMES.has(type.typeKey ?? '')) return new ResourceObject(typeName, title ?? '');
  return classObject(new ClassType(title?.toLowerCase()));
}
