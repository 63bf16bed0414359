/** References to resources, out of types. */

import { canonicalTitle, canonicalTypeName, failure } from '../../catalog/index.ts';
import { ClassType, PuppetType, plainText, ResourceType, TypeType, type Value } from '../../pcore/index.ts';

export interface Reference {
  readonly type: string;
  readonly title: string;
}

/** The one resource that a type stands for; `undefined` for other types. */
export function referenceOf(value: Value): Reference | undefined {
  const type = value instanceof TypeType ? value.type : value;
  if (type instanceof ClassType) {
    return type.className === undefined ? undefined : classReference(type.className);
  }
  if (!(type instanceof ResourceType) || type.typeName === undefined) return undefined;
  const typeName = canonicalTypeName(type.typeName.toLowerCase());
  if (typeName === 'Class') return type.title === undefined ? undefined : classReference(type.title);
  return type.title === undefined ? undefined : { type: typeName, title: type.title };
}

function classReference(name: string): Reference {
  return { type: 'Class', title: canonicalTitle('Class', name.toLowerCase()) };
}

/** `File[/etc/motd]`, as the catalog has it. */
export function referenceText(value: Value): string | undefined {
  const reference = referenceOf(value);
  return reference === undefined ? undefined : `${reference.type}[${reference.title}]`;
}

/** The type that stands for a resource. */
export function typeOfResource({ type, title }: Reference): PuppetType {
  return new ResourceType(type, title);
}

/** A reference must name one thing. */
export function requireReference(value: Value): Reference {
  const reference = referenceOf(value);
  if (reference === undefined) {
    throw failure(
      `No title provided and ${JSON.stringify(plainText(value))} is not a valid resource reference`,
    );
  }
  return reference;
}
