/** References to resources, as functions of the older kind see them: as resources. */

import {
  ClassType,
  capitalizeSegments,
  isArray,
  PuppetHash,
  ResourceType,
  type Value,
} from '../../pcore/index.ts';
import { RubyHash, RubyResource } from '../values/ruby-values.ts';

export function hasReference(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isArray(value)) return value.some(hasReference);
  if (!(value instanceof PuppetHash)) return value instanceof ResourceType || value instanceof ClassType;
  for (const [key, item] of value) if (hasReference(key) || hasReference(item)) return true;
  return false;
}

/** What a title stands for: names of attributes and their values. */
export type TitleNames = (type: string, title: string) => Iterable<readonly [string, Value]>;

/** A copy with resources in place of references, if there are any. What is not modelled stays a reference. */
export function withResources(value: Value, titleNames: TitleNames): Value {
  return hasReference(value) ? copied(value, titleNames) : value;
}

function copied(value: Value, names: TitleNames): Value {
  const copy = (part: Value) => copied(part, names);
  if (isArray(value)) return value.map(copy);
  if (value instanceof PuppetHash)
    return new RubyHash(Array.from(value, ([key, item]) => [copy(key), copy(item)] as const));
  if (value instanceof ClassType) return ofClass(value.className, value, names);
  if (!(value instanceof ResourceType)) return value;
  const { title = '', typeName = '' } = value;
  if (typeName === 'Class') return ofClass(title, value, names);
  return title === '' || SPECIAL.test(typeName) ? value : reference(typeName, title, value, names);
}

/** Names that stand for something else. */
const SPECIAL = /^(?:|main|component|node)$/i;

function ofClass(name: string | undefined, written: Value, names: TitleNames): Value {
  return name === undefined || !/^[a-zA-Z]\w*(?:::\w+)*$/.test(name) || SPECIAL.test(name)
    ? written
    : reference('Class', capitalizeSegments(name.toLowerCase()), written, names);
}

function reference(type: string, title: string, written: Value, names: TitleNames): RubyResource {
  return new RubyResource({ type, title, parameters: [] }, { written, titleNames: () => names(type, title) });
}
