/** Declaring resources of every kind. */

import {
  canonicalTitle,
  failure,
  Resource,
  type ResourceParameter,
  type ResourceTypeInfo,
} from '../../catalog/index.ts';
import type { PuppetType, Value } from '../../pcore/index.ts';
import type { Compiler } from '../compiler.ts';
import type { LoweredBody } from '../definitions/lowered-body.ts';
import type { CompiledResource, Scope } from '../runtime/scope.ts';
import { typeOfResource } from './reference-text.ts';

/** What a resource is made of: a native type, a defined type, or a class. */
export type TypeOfResource =
  | { readonly kind: 'native'; readonly info: ResourceTypeInfo }
  | { readonly kind: 'define'; readonly body: LoweredBody }
  | { readonly kind: 'class' };

export interface Declaration {
  /** As written, in lower case. */
  readonly typeName: string;
  /** The title where it is not text. */
  readonly titleValue?: Value;
  readonly isVirtual: boolean;
  readonly isExported: boolean;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** The type of a name: native ones first. `undefined` when there is none. */
export function findResourceType(compiler: Compiler, name: string): TypeOfResource | undefined {
  if (!name.includes(':')) {
    const info = compiler.findNativeType(name);
    if (info !== undefined) return { kind: 'native', info };
  }
  const body = compiler.code.findDefine(name);
  // The types of its parameters are looked at when it is loaded, so their errors are not those of a resource.
  body?.prepare(compiler.topScope.frame);
  return body === undefined ? undefined : { kind: 'define', body };
}

/** Fails as the reference does for a title of a resource that is nothing. */
export function failWithoutTitle(type: TypeOfResource): never {
  const name = type.kind === 'native' ? `:${typeNameOf(type)}` : JSON.stringify(typeNameOf(type));
  throw failure(`No title provided and ${name} is not a valid resource reference`);
}

/** Declares resources in a scope. @returns their references */
export function declareResources(
  scope: Scope,
  declaration: Declaration,
  titles: readonly string[],
  parameters: readonly ResourceParameter[],
): PuppetType[] {
  const { compiler } = scope;
  if (declaration.typeName.toLowerCase() === 'class') {
    return titles.map((title) => declareClass(scope, declaration, title, parameters));
  }
  const type = findResourceType(compiler, declaration.typeName);
  if (type === undefined) throw failure(`Unknown resource type: '${declaration.typeName}'`);
  return titles.map((title) => {
    const resource = newResource(scope, type, declaration, title);
    fill(resource, parameters);
    addToCatalog(scope, resource);
    return typeOfResource(resource);
  });
}

function declareClass(
  scope: Scope,
  declaration: Declaration,
  title: string,
  parameters: readonly ResourceParameter[],
): PuppetType {
  const { compiler } = scope;
  const body = compiler.code.findClass(title);
  if (body === undefined) throw failure(`Could not find declared class ${title}`);
  const resource = newResource(scope, { kind: 'class' }, declaration, body.name);
  fill(resource, parameters);
  compiler.attachBody(resource, body);
  compiler.prepareClassOrNode(resource, body, scope);
  addToCatalog(scope, resource);
  compiler.evaluateClasses([title], scope, { isLazy: false });
  return typeOfResource(resource);
}

function newResource(
  scope: Scope,
  type: TypeOfResource,
  declaration: Declaration,
  title: string,
): CompiledResource {
  const typeName = scope.compiler.code.typeName(typeNameOf(type));
  const resource: CompiledResource = new Resource({
    type: typeName,
    title: canonicalTitle(typeName, title),
    kind: KINDS[type.kind],
    typeInfo: type.kind === 'native' ? type.info : undefined,
    scope,
    source: scope.source,
    file: declaration.file,
    line: declaration.line,
    titleValue: declaration.titleValue,
    isVirtual: declaration.isVirtual,
    isExported: declaration.isExported,
  });
  if (type.kind === 'define') scope.compiler.attachBody(resource, type.body);
  return resource;
}

const KINDS = { native: 'compilable_type', define: 'defined_type', class: 'class' } as const;

function typeNameOf(type: TypeOfResource): string {
  if (type.kind === 'class') return 'class';
  return type.kind === 'native' ? type.info.name : type.body.name;
}

/** Sets attributes, then the tags of the name, then the defaults in force. */
export function fill(resource: CompiledResource, parameters: readonly ResourceParameter[]): void {
  for (const parameter of parameters) resource.setParameter(parameter);
  resource.tagWithName();
  const defaults = resource.scope.defaultsFor(resource.type);
  if (defaults === undefined) return;
  for (const [name, parameter] of defaults) {
    if (!resource.parameters.has(name)) resource.setParameter(parameter);
  }
}

/** Adds a resource to the catalog, inside the one whose scope declares it. */
export function addToCatalog(scope: Scope, resource: CompiledResource): void {
  const { compiler } = scope;
  compiler.addResource(resource);
  compiler.catalog.add(resource);
  if (resource.isClass) return;
  if (resource.value('stage') !== undefined) {
    throw failure(
      `Only classes can set 'stage'; normal resources like ${resource.reference} cannot change run stage`,
    );
  }
  if (resource.type !== 'Stage' && scope.resource !== undefined) {
    compiler.catalog.graph.addEdge(scope.resource, resource);
  }
}
