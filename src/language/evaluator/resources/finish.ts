/** After everything has been evaluated: relationships, late overrides, validation. */

import {
  failure,
  failureAt,
  metaparameters,
  type ResourceParameter,
  relationshipMetaparameters,
  splitReference,
} from '../../catalog/index.ts';
import { isArray, PuppetHash, plainText, SensitiveValue, type Value } from '../../pcore/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import { checkParameters } from '../check-parameters.ts';
import type { Compiler } from '../compiler.ts';
import type { LoweredBody } from '../definitions/lowered-body.ts';
import type { CompiledResource } from '../runtime/scope.ts';
import { mergeOverride } from './override.ts';
import { referenceOf, referenceText } from './reference-text.ts';
import { applyRelationships } from './relationship.ts';

/** @throws PuppetError for what only the whole catalog shows to be wrong */
export function finish(compiler: Compiler): void {
  applyRelationships(compiler);
  const added = compiler.addedMetaparameters;
  for (const resource of compiler.resources) {
    if (compiler.overrides.size > 0) mergeLateOverrides(compiler, resource);
    finishResource(compiler, resource, added);
  }
  inheritMetaparameters(compiler, added);
  failOnLeftovers(compiler);
  checkRelationships(compiler);
}

function mergeLateOverrides(compiler: Compiler, resource: CompiledResource): void {
  for (const override of compiler.overrides.get(resource.reference) ?? []) mergeOverride(resource, override);
  compiler.overrides.delete(resource.reference);
}

function finishResource(compiler: Compiler, resource: CompiledResource, added: ReadonlySet<string>): void {
  if (resource.isFinished) return;
  resource.isFinished = true;
  if (!resource.isEvaluated) compiler.mergeScopeTags(resource);
  unwrapSensitive(resource);
  validate(compiler, resource, added);
}

/** Sensitive values travel in clear, their names in a list beside them. */
function unwrapSensitive(resource: CompiledResource): void {
  for (const parameter of resource.parameters.values()) {
    if (typeof parameter.value === 'string' || !(parameter.value instanceof SensitiveValue)) continue;
    const { name } = parameter;
    resource.sensitiveParameters.push(name);
    resource.parameters.set(name, { ...parameter, value: parameter.value.unwrap() });
  }
}

function validate(compiler: Compiler, resource: CompiledResource, added: ReadonlySet<string>): void {
  const body = compiler.bodyOf(resource);
  if (resource.typeInfo !== undefined) {
    validateNative(resource, added);
    return;
  }
  if (body === undefined) return;
  if (fits(compiler, resource, body, added)) return;
  const given = new PuppetHash();
  for (const parameter of resource.parameters.values()) {
    if (added.has(parameter.name) && body.parameter(parameter.name) === undefined) continue;
    given.set(parameter.name, asGiven(resource, parameter));
  }
  checkParameters(resource.reference, body.parameterStruct(compiler.topScope.frame), given, compiler);
}

/** Almost always so: nothing is put together to find that out. */
function fits(
  compiler: Compiler,
  resource: CompiledResource,
  body: LoweredBody,
  added: ReadonlySet<string>,
): boolean {
  for (const name of resource.parameters.keys()) if (!body.acceptsAttribute(name, added)) return false;
  const { frame } = compiler.topScope;
  for (const parameter of body.parameters) {
    const given = resource.parameters.get(parameter.name);
    const isRight =
      given === undefined ? parameter.isOptional : parameter.type(frame).isInstance(asGiven(resource, given));
    if (!isRight) return false;
  }
  return true;
}

/** As it was before sensitive values were unwrapped. */
function asGiven({ sensitiveParameters }: CompiledResource, { name, value }: ResourceParameter): Value {
  return sensitiveParameters.includes(name) ? new SensitiveValue(value) : value;
}

function validateNative(resource: CompiledResource, added: ReadonlySet<string>): void {
  for (const name of resource.parameters.keys()) {
    if (resource.acceptsNativeAttribute(name) || added.has(name)) continue;
    const inner = failureAt(`no parameter named '${name}'`, resource.file, resource.line);
    throw failureAt(`${inner.message} on ${resource.reference}`, resource.file, resource.line);
  }
}

const inherited: readonly string[] = [...metaparameters].filter(
  (name) => !relationshipMetaparameters.has(name),
);

/** What a container says of `noop`, `schedule`, `tag` and so on holds for what it contains. */
function inheritMetaparameters(compiler: Compiler, added: ReadonlySet<string>): void {
  const names = added.size === 0 ? inherited : [...inherited, ...added];
  const main = compiler.catalog.find('Class', '');
  if (main === undefined) throw failure("Couldn't find main");
  const data = new Map<CompiledResource, ReadonlyMap<string, ResourceParameter>>();
  for (const { source, target } of compiler.catalog.graph.walk(main)) {
    let given = data.get(source);
    if (given === undefined) {
      given = metaparametersOf(source, names);
      data.set(source, given);
    }
    if (given.size > 0) {
      for (const [name, { value }] of given) {
        if (target.value(name) === undefined) target.setParameter({ name, value, source: target.source });
      }
      data.set(target, new Map([...given, ...metaparametersOf(target, names)]));
    }
    target.tags.addAll(source.tags);
  }
}

function metaparametersOf(
  resource: CompiledResource,
  names: readonly string[],
): ReadonlyMap<string, ResourceParameter> {
  const found = new Map<string, ResourceParameter>();
  for (const name of names) {
    const parameter = resource.parameters.get(name);
    if (parameter !== undefined && parameter.value !== null) found.set(name, parameter);
  }
  return found;
}

function failOnLeftovers(compiler: Compiler): void {
  const overrides = [...compiler.overrides.values()].flat().map(({ reference }) => reference);
  if (overrides.length > 0)
    throw failure(`Could not find resource(s) ${overrides.join(', ')} for overriding`);
  const unresolved = [...compiler.collectors].flatMap((collector) => collector.unresolved());
  if (unresolved.length > 0) throw failure(`Failed to realize virtual resources ${unresolved.join(', ')}`);
}

function checkRelationships(compiler: Compiler): void {
  const found = new Set<string>();
  for (const resource of compiler.catalog.resources) {
    if (resource.isVirtual) continue;
    for (const parameter of resource.parameters.values()) {
      if (relationshipMetaparameters.has(parameter.name))
        checkRelationship(compiler, parameter, parameter.value, found);
    }
  }
}

/** @param found - references that are known to lead somewhere: large sets are named again and again */
function checkRelationship(
  compiler: Compiler,
  parameter: ResourceParameter,
  value: Value,
  found: Set<string>,
): void {
  if (value === null) return;
  if (isArray(value)) {
    for (const item of value) checkRelationship(compiler, parameter, item, found);
    return;
  }
  const reference = referenceOf(value);
  if (reference !== undefined && compiler.catalog.titled(reference.type, reference.title) !== undefined)
    return;
  const text = referenceText(value) ?? plainText(value);
  if (found.has(text)) return;
  const { file, line, name } = parameter;
  if (!isFound(compiler, text, file, line))
    throw failureAt(`Could not find resource '${text}' in parameter '${name}'`, file, line);
  found.add(text);
}

function isFound(
  compiler: Compiler,
  reference: string,
  file: string | undefined,
  line: number | undefined,
): boolean {
  try {
    return compiler.catalog.findReference(reference) !== undefined;
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    // A title that no pattern fits is known without its place.
    const isOdd = splitReference(reference) === undefined || error.diagnostic.code === 'argument_error';
    if (!isOdd) throw error;
    throw failureAt(error.diagnostic.message, file, line);
  }
}
