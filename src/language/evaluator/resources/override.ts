/** `Type[title] { attribute => value }`: changing what was declared elsewhere. */

import { failure, failureAt, type ResourceParameter } from '../../catalog/index.ts';
import { isArray, keyOf, ResourceType, type Value } from '../../pcore/index.ts';
import { renderPosition } from '../../syntax/index.ts';
import type { CodeSource } from '../definitions/code-source.ts';
import type { CompiledResource, Scope } from '../runtime/scope.ts';
import { findResourceType } from './declare.ts';
import { referenceOf } from './reference-text.ts';

export interface Override {
  readonly reference: string;
  readonly type: string;
  readonly title: string;
  readonly parameters: readonly ResourceParameter[];
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly source: CodeSource;
  readonly scope: Scope;
}

export function makeOverride(
  target: Value,
  details: Omit<Override, 'reference' | 'type' | 'title'>,
): Override {
  const { type, title } = referenceOf(target) ?? noTitle(target, details.scope);
  const reference = `${type}[${title}]`;
  requireOncePerAttribute(reference, details);
  if (title === '')
    throw failure(`No title provided and ${JSON.stringify(reference)} is not a valid resource reference`);
  return { ...details, type, title, reference };
}

/** `* =>` can name an attribute once more. @throws PuppetError */
export function requireOncePerAttribute(
  reference: string,
  { parameters, file, line }: Pick<Override, 'parameters' | 'file' | 'line'>,
): void {
  const names = new Set<string>();
  for (const { name } of parameters) {
    if (names.has(name)) throw failureAt(`Duplicate parameter '${name}' for on ${reference}`, file, line);
    names.add(name);
  }
}

/** The reference names what it has found for the type. */
function noTitle(target: Value, { compiler }: Scope): never {
  const name = (target instanceof ResourceType ? target.typeKey : undefined) ?? '';
  const found = findResourceType(compiler, name);
  const shown = found === undefined ? 'nil' : found.kind === 'native' ? `:${name}` : JSON.stringify(name);
  throw failure(`No title provided and ${shown} is not a valid resource reference`);
}

/** Merges an override into a resource. @throws PuppetError when the source may not, or values clash */
export function mergeOverride(resource: CompiledResource, override: Override): void {
  const { compiler } = override.scope;
  if (resource.source !== override.source && !compiler.isChildOf(override.source, resource.source)) {
    throw failureAt('Only subclasses can override parameters', override.file, override.line);
  }
  if (resource.isEvaluated) complainAboutLateness(resource, override);
  for (const parameter of override.parameters) overrideParameter(resource, parameter);
}

function complainAboutLateness(resource: CompiledResource, override: Override): void {
  const { compiler } = override.scope;
  const { strict } = compiler.settings;
  if (strict === 'off') return;
  const at = location(resource);
  const message =
    at === ''
      ? 'Attempt to override an already evaluated resource with new values'
      : `Attempt to override an already evaluated resource, defined at ${at}, with new values`;
  if (strict === 'error') throw failureAt(message, override.file, override.line);
  compiler.log('warning', message + renderPosition(positionOf(override)));
}

function overrideParameter(resource: CompiledResource, parameter: ResourceParameter): void {
  const current = resource.parameters.get(parameter.name);
  if (current === undefined) {
    resource.setParameter(parameter);
    return;
  }
  const { scope } = resource;
  const isDefault = (value: Value): boolean =>
    scope.isDefault(resource.type, parameter.name, (other) => keyOf(other) === keyOf(value));
  if (isDefault(parameter.value)) return;
  const isOurs = parameter.source === current.source && isDefault(current.value);
  if (!isOurs && !scope.compiler.isChildOf(parameter.source, current.source)) {
    throw alreadySet(resource, parameter, current);
  }
  resource.setParameter(parameter.isAddition === true ? appended(current, parameter) : parameter);
}

function appended(current: ResourceParameter, addition: ResourceParameter): ResourceParameter {
  return { ...addition, value: [...flat(current.value), ...flat(addition.value)] };
}

function flat(value: Value): readonly Value[] {
  return isArray(value) ? value.flatMap(flat) : [value];
}

function alreadySet(
  resource: CompiledResource,
  parameter: ResourceParameter,
  current: ResourceParameter,
): Error {
  const at = location(current);
  // The reference prints the Ruby object of the source.
  const by = current.source === undefined ? '' : ' by #<Puppet::Resource::Type>';
  const where = at === '' ? '' : ` at ${at}`;
  return failureAt(
    `Parameter '${parameter.name}' is already set on ${resource.reference}${by}${where}; cannot redefine`,
    parameter.file,
    parameter.line,
  );
}

interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

function location(place: Place): string {
  return renderPosition(positionOf(place)).trim();
}

function positionOf({ file, line }: Place): { file?: string; line?: number } {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}
