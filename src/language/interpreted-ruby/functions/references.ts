/** References to resources, as functions of the older kind see them: as resources. */

import {
  ClassType,
  capitalizeSegments,
  isArray,
  PuppetHash,
  ResourceType,
  type Value,
} from '../../pcore/index.ts';
import { RubyHash, RubyResource } from '../ruby-values.ts';

export function hasReference(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isArray(value)) return value.some(hasReference);
  if (!(value instanceof PuppetHash)) return value instanceof ResourceType || value instanceof ClassType;
  for (const [key, item] of value) if (hasReference(key) || hasReference(item)) return true;
  return false;
}

/** A copy with resources in place of references, if there are any. What is not modelled stays a reference. */
export function withResources(value: Value): Value {
  return hasReference(value) ? copied(value) : value;
}

function copied(value: Value): Value {
  if (isArray(value)) return value.map(copied);
  if (value instanceof PuppetHash)
    return new RubyHash(Array.from(value, ([key, item]) => [copied(key), copied(item)] as const));
  if (value instanceof ClassType) return ofClass(value.className, value);
  if (!(value instanceof ResourceType)) return value;
  const { title = '', typeName = '' } = value;
  if (typeName === 'Class') return ofClass(title, value);
  return title === '' || SPECIAL.test(typeName) ? value : reference(typeName, title, value);
}

/** Names that stand for something else. */
const SPECIAL = /^(?:|main|component|node)$/i;

function ofClass(name: string | undefined, written: Value): Value {
  return name === undefined || !/^[a-zA-Z]\w*(?:::\w+)*$/.test(name) || SPECIAL.test(name)
    ? written
    : reference('Class', capitalizeSegments(name.toLowerCase()), written);
}

function reference(type: string, title: string, written: Value): RubyResource {
  return new RubyResource({ type, title, parameters: [] }, written);
}
