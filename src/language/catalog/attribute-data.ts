/** Values of attributes as the wire has them. */

import {
  ClassType,
  Float,
  isArray,
  PuppetHash,
  plainText,
  ResourceType,
  rubyFloat,
  toData,
  type Value,
} from '../pcore/index.ts';
import { canonicalTitle, canonicalTypeName } from './reference.ts';
import type { Resource } from './resource.ts';

const RELATIONSHIPS: ReadonlySet<string> = new Set(['before', 'require', 'notify', 'subscribe']);

export interface DataStyle {
  /** Whether marks may stand for what JSON has no words for; else it becomes text. */
  readonly isRich: boolean;
  /** Told what becomes text. */
  readonly onText?: ((message: string, resource: Resource) => void) | undefined;
}

/** The value of an attribute as JSON can hold it, references being text. */
export function attributeData(name: string, value: Value, resource: Resource, style: DataStyle): Value {
  const flat = isArray(value) && (RELATIONSHIPS.has(name) || hasNestedReferences(value));
  const items = flat ? flatten(value).filter((item) => item !== null || !RELATIONSHIPS.has(name)) : value;
  const withText = referencesAsText(items);
  if (isPlain(withText)) return withText;
  const { isRich, onText } = style;
  const data = toData(new PuppetHash([[name, withText]]), {
    isRich,
    areSymbolsText: true,
    messagePrefix: resource.reference,
    ...(onText === undefined ? {} : { warn: (message) => onText(message, resource) }),
  });
  return data instanceof PuppetHash ? (data.get(name) ?? null) : data;
}

/** An array with references in it is flattened, as the reference does when it copies resources. */
function hasNestedReferences(values: readonly Value[]): boolean {
  return values.some(isArray) && flatten(values).some((item) => referenceText(item) !== undefined);
}

function flatten(values: readonly Value[]): readonly Value[] {
  return values.flatMap((value) => (isArray(value) ? flatten(value) : [value]));
}

/** In catalogs a reference to a resource is its text. */
function referencesAsText(value: Value): Value {
  if (value === null || typeof value !== 'object' || value instanceof Float) return value;
  if (isArray(value)) return value.some(isObject) ? value.map(referencesAsText) : value;
  if (!(value instanceof PuppetHash)) return referenceText(value) ?? value;
  return new PuppetHash(
    [...value].map(([key, item]) => [referencesAsText(key), referencesAsText(item)] as const),
  );
}

function isObject(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

function referenceText(value: Value): string | undefined {
  if (value instanceof ClassType && value.className !== undefined) {
    return `Class[${canonicalTitle('Class', value.className)}]`;
  }
  if (!(value instanceof ResourceType) || value.typeName === undefined || value.title === undefined)
    return undefined;
  const type = canonicalTypeName(value.typeName.toLowerCase());
  return `${type}[${canonicalTitle(type, value.title)}]`;
}

/** What JSON has words for; a hash with the key `__ptype` would be taken for rich data. */
export function isPlain(value: Value): boolean {
  if (value === null || typeof value !== 'object' || value instanceof Float) return true;
  if (isArray(value)) return value.every(isPlain);
  if (!(value instanceof PuppetHash)) return false;
  for (const [key, item] of value)
    if (typeof key !== 'string' || key === '__ptype' || !isPlain(item)) return false;
  return true;
}

export function renderPlain(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Float) return rubyFloat(value.value);
  if (isArray(value)) return `[${value.map(renderPlain).join(',')}]`;
  if (!(value instanceof PuppetHash)) return JSON.stringify(plainText(value));
  const parts: string[] = [];
  for (const [key, item] of value) parts.push(`${JSON.stringify(plainText(key))}:${renderPlain(item)}`);
  return `{${parts.join(',')}}`;
}
