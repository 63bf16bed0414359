import type { Value } from '../value.ts';
import { ObjectInstance } from './object-instance.ts';
import { URI_PARTS, UriValue } from './uri-value.ts';

/** `value.name`: an attribute or a function of an object; `undefined` when it has no such member. */
export function invokeMember(value: Value, name: string): Value | undefined {
  if (value instanceof ObjectInstance) return value.call(name);
  if (value instanceof UriValue && URI_PARTS.some((part) => part === name)) return value.part(name);
  return undefined;
}
