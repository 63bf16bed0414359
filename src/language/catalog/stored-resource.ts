/** A resource as PuppetDB keeps it. */

import { compareCodePoints } from '../../lib/code-point-order.ts';
import { isArray, plainText, type Value } from '../pcore/index.ts';
import { attributeData, renderPlain } from './attribute-data.ts';
import type { Resource } from './resource.ts';
import { namevarOf } from './resource-type.ts';
import { hasOddTitle, isPlainlyNamed, withTitle } from './title-attributes.ts';

/** Metaparameters whose lists have no order that means anything. */
const unordered: ReadonlySet<string> = new Set([
  'alias',
  'audit',
  'before',
  'check',
  'notify',
  'require',
  'subscribe',
  'tag',
]);

/** Attribute -> value as JSON can hold it. */
export type StoredParameters = ReadonlyMap<string, Value>;

/** All that is kept of the attributes; secrets are not. */
export function storedParameters(resource: Resource): StoredParameters {
  const namevar = namevarOf(resource.typeInfo);
  const parameters = new Map<string, Value>();
  for (const [name, value] of isPlainlyNamed(resource)
    ? givenAttributes(resource, namevar)
    : withTitle(resource, namevar)) {
    if (name === namevar && value === resource.title && !hasOddTitle(resource)) continue;
    parameters.set(name, storedValue(name, value, resource));
  }
  const aliases = aliasesOf(resource, namevar);
  if (aliases.length > 0) parameters.set('alias', sorted(aliases));
  for (const name of resource.sensitiveParameters) parameters.delete(name);
  return parameters;
}

/** One metaparameter that names other resources. */
export function storedRelationship(resource: Resource, name: string): readonly Value[] {
  const value = resource.value(name);
  if (value === undefined) return [];
  return flatten(storedValue(name, value, resource));
}

/** By what else the resource is known: its metaparameter `alias`, and its key attribute when that is not its title. */
export function aliasesOf(resource: Resource, namevar = namevarOf(resource.typeInfo)): readonly Value[] {
  const { typeInfo } = resource;
  // Of a name in several parts each part alone means nothing.
  if (typeInfo !== undefined && typeInfo.namevars.length > 1) return [];
  const aliases = flatten(resource.value('alias') ?? null);
  if (typeInfo?.isIsomorphic === false) return aliases;
  const name = isPlainlyNamed(resource)
    ? (resource.value(namevar) ?? resource.value('name'))
    : withTitle(resource, namevar).get(namevar);
  if (name === undefined || name === null || aliases.includes(name)) return aliases;
  const isTitle = name === resource.title && !hasOddTitle(resource);
  return isTitle ? aliases : [...aliases, name];
}

/** The members of a resource in JSON, without its parameters. @param words - texts that have been written before */
export function renderStoredResource(
  resource: Resource,
  parameters: StoredParameters,
  word: (text: string) => string,
): string {
  const tags = Array.from(resource.tags, word).join(',');
  const { file, kind, line, title, type } = resource;
  const place =
    (file === undefined || file === '' ? '' : `,"file":${word(file)}`) +
    (line === undefined ? '' : `,"line":${line}`);
  const members = Array.from(parameters, ([name, value]) => `${word(name)}:${renderPlain(value)}`);
  return (
    `{"type":${word(type)},"title":${JSON.stringify(title)},"tags":[${tags}]${place},` +
    `"exported":${resource.isExported},"kind":"${kind}","parameters":{${members.join(',')}}}`
  );
}

function* givenAttributes(resource: Resource, namevar: string): Iterable<readonly [string, Value]> {
  for (const { name, value } of resource.parameters.values()) {
    if (value !== null) yield [name === 'name' ? namevar : name, value];
  }
}

function storedValue(name: string, value: Value, resource: Resource): Value {
  const data = attributeData(name, value, resource, { isRich: false });
  return unordered.has(name) && isArray(data) && data.length > 0 ? sorted(data) : data;
}

function sorted(values: readonly Value[]): readonly Value[] {
  return values.toSorted((a, b) => compareCodePoints(plainText(a), plainText(b)));
}

function flatten(value: Value): readonly Value[] {
  if (isArray(value)) return value.flatMap(flatten);
  return value === null ? [] : [value];
}
