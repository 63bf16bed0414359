/** `File['a']`, `File['a', 'b']`, `File['a']['mode']`, `Class['x']`, `Resource[File, 'a']` */

import { capitalizeSegments } from '../../catalog/index.ts';
import { ClassType, isArray, PuppetType, plainText, ResourceType, type Value } from '../../pcore/index.ts';
import { aAn, aAnUpper } from '../../syntax/index.ts';
import { fail } from '../evaluation-error.ts';
import { labelOfValue } from '../labels.ts';
import type { CompiledResource } from '../runtime/scope.ts';
import { type AccessSite, flatten, keyNode, keyTypeName } from './access-keys.ts';

const TYPE_NAME = /^((::)?[A-Z]\w*)(::[A-Z]\w*)*$/;
const CLASS_NAME = /^((::)?[a-z]\w*)(::[a-z]\w*)*$/;

export function accessResource(type: ResourceType, keys: readonly Value[], site: AccessSite): Value {
  const [onlyKey] = keys;
  if (type.typeName === undefined && keys.length === 1 && onlyKey instanceof ResourceType) return onlyKey;
  if (keys.length === 0) return tooFew(type, site);
  if (keys.length === 1 && typeof onlyKey === 'string' && isWellNamed(type))
    return new ResourceType(type.typeName, onlyKey);
  const rest = [...keys];
  const typeName = type.typeName ?? typeNameOf(rest.shift() ?? null, site);
  if (!TYPE_NAME.test(typeName)) {
    const text = `Illegal type reference. The given name '${typeName}' does not conform to the naming rule`;
    return fail('illegal_classref', text, keyNode(site, 0), site.context);
  }
  const titles = flatten(rest).filter((title) => title !== null);
  if (titles.length === 0 && rest.length > 0) return isMany(rest) ? [] : null;
  if (type.title !== undefined) return parametersOf(type, titles, isMany(rest), site);
  if (titles.length === 0) return new ResourceType(typeName);
  // The reference goes by whether there are as many titles as keys.
  const offset = rest.length === titles.length ? 0 : 1;
  const result = titles.map((title, index) => {
    if (typeof title === 'string') return new ResourceType(typeName, title);
    const what = `Cannot use ${keyTypeName(title)} where a resource title String is expected`;
    const text = `Error creating type specialization of ${aAn(labelOfValue(type))}, ${what}`;
    return fail('bad_type_specialization', text, keyNode(site, index + offset), site.context);
  });
  return isMany(rest) ? result : (result.at(-1) ?? null);
}

/** `File`, which needs but a title. */
function isWellNamed({ title, typeName }: ResourceType): boolean {
  return typeName !== undefined && title === undefined && TYPE_NAME.test(typeName);
}

function isMany(keys: readonly Value[]): boolean {
  return keys.length > 1 || isArray(keys[0] ?? null);
}

function typeNameOf(key: Value, site: AccessSite): string {
  if (key instanceof ResourceType && key.typeName !== undefined) return key.typeName;
  if (typeof key === 'string') return capitalizeSegments(key);
  const text = `First argument to Resource[] must be a resource type or a String. Got ${keyTypeName(key)}.`;
  return fail('illegal_resource_specialization', text, keyNode(site, 0), site.context);
}

function tooFew(type: PuppetType, site: AccessSite): never {
  const text = `${aAnUpper(String(type))}[] accepts 1 or more arguments. Got 0`;
  return fail('bad_type_slice_arity', text, site.node, site.context);
}

export function accessClass(type: ClassType, keys: readonly Value[], site: AccessSite): Value {
  if (keys.length === 0) return tooFew(type, site);
  const names = flatten(keys).filter((name) => name !== null);
  if (names.length === 0) return isMany(keys) ? [] : null;
  if (type.className !== undefined) return parametersOf(type, names, isMany(keys), site);
  const result = names.map((name, index) => classNamed(name, index, site));
  return isMany(keys) ? result : (result.at(-1) ?? null);
}

function classNamed(given: Value, index: number, site: AccessSite): Value {
  if (typeof given !== 'string') {
    const text = `Illegal Class name in class reference. ${aAnUpper(labelOfValue(given))} cannot be used where a String is expected`;
    return fail('illegal_hostclass_name', text, keyNode(site, index), site.context);
  }
  const lower = given.toLowerCase();
  const name = lower.startsWith('::') ? lower.slice(2) : lower;
  if (CLASS_NAME.test(name)) return new ClassType(name);
  const text = `Illegal name. The given name '${given}' does not conform to the naming rule /^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/`;
  return fail('illegal_name', text, keyNode(site, index), site.context);
}

// --- parameters of resources and classes

function parametersOf(
  type: ResourceType | ClassType,
  names: readonly Value[],
  many: boolean,
  site: AccessSite,
): Value {
  const isClass = type instanceof ClassType;
  const typeName = isClass ? 'Class' : (type.typeName ?? '');
  const title = (isClass ? type.className : type.title) ?? '';
  const { compiler } = site.frame.scope;
  const resource = compiler.catalog.find(typeName, title);
  if (resource === undefined) {
    return fail('unknown_resource', `Resource not found: ${typeName}['${title}']`, site.node, site.context);
  }
  const values = names.map((name) => {
    if (typeof name === 'string' && acceptsParameter(resource, name)) return parameterOf(resource, name);
    const shown = typeName.charAt(0).toUpperCase() + typeName.slice(1).toLowerCase();
    const text = `The resource ${shown}['${title}'] does not have a parameter called '${plainText(name)}'`;
    return fail('unknown_resource_parameter', text, site.node, site.context);
  });
  return many ? values : (values.at(-1) ?? null);
}

function acceptsParameter(resource: CompiledResource, name: string): boolean {
  const { compiler } = resource.scope;
  const added = compiler.addedMetaparameters;
  const body = compiler.bodyOf(resource);
  if (body !== undefined) return body.acceptsAttribute(name, added);
  return resource.acceptsNativeAttribute(name) || added.has(name);
}

/** What was set, else the default in force where the resource was declared. */
export function parameterOf(resource: CompiledResource, name: string): Value {
  if (name === 'title') return resource.title;
  return resource.value(name) ?? resource.scope.defaultsFor(resource.type)?.get(name)?.value ?? null;
}
