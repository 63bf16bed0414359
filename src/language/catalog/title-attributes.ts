/** The attributes of a resource as the reference sees them: what was given, and what the title says. */

import type { Value } from '../pcore/index.ts';
import type { Resource } from './resource.ts';
import { isTitleTheKey } from './title-pattern.ts';

/**
 * What the reference makes of title and attributes: it puts them together when it copies the resource, where `name`
 * is another word for the key attribute, and once more when it writes the copy.
 */
export function withTitle(resource: Resource, namevar: string): ReadonlyMap<string, Value> {
  const fromTitle = resource.titleAttributes;
  const given = new Map<string, Value>(fromTitle);
  for (const { name, value } of resource.parameters.values()) if (value !== null) given.set(name, value);
  const copied = new Map<string, Value>();
  for (const [name, value] of given) copied.set(name === 'name' ? namevar : name, value);
  return new Map([...fromTitle, ...copied]);
}

/** Whether the title says nothing but the key attribute, which has no other word: nothing needs to be put together. */
export function isNamedOnce({ parameters, titleAttributes }: Resource, namevar: string): boolean {
  return (
    titleAttributes.size === 1 &&
    titleAttributes.has(namevar) &&
    (namevar === 'name' || !parameters.has('name'))
  );
}

/** Its only key attribute is its title, as it is. */
export function isPlainlyNamed(resource: Resource): boolean {
  const { typeInfo } = resource;
  if (hasOddTitle(resource)) return false;
  return typeInfo === undefined || isTitleTheKey(typeInfo);
}

/** Those whose title is not a string in the reference keep their name: the class and the stage `main`, too. */
export function hasOddTitle({ titleValue, type, title }: Resource): boolean {
  return titleValue !== undefined || (title === 'main' && (type === 'Class' || type === 'Stage'));
}
