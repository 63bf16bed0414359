/** Evaluating a class, a defined type or a node: parameters, then code. */

import { failure } from '../../catalog/index.ts';
import { DeferredValue, PuppetHash, type Value } from '../../pcore/index.ts';
import { checkParameters } from '../check-parameters.ts';
import type { LoweredBody } from '../definitions/lowered-body.ts';
import type { LoweredParameter } from '../definitions/lowered-parameter.ts';
import { withMissingPlace } from '../evaluation-error.ts';
import type { Evaluate } from '../lower/lower-context.ts';
import { NextSignal, ReturnSignal } from '../runtime/control-flow.ts';
import { type CompiledResource, Scope } from '../runtime/scope.ts';

const PROFILED = { class: 'class', define: 'defined type', node: 'node' } as const;

/** Evaluates it once; what encloses it first. */
export function evaluateResource(resource: CompiledResource): void {
  if (resource.isEvaluated) return;
  resource.isEvaluated = true;
  const { compiler } = resource.scope;
  const body = compiler.bodyOf(resource);
  if (body === undefined) throw failure(`Cannot find definition ${resource.type}`);
  compiler.mergeScopeTags(resource);
  compiler.enter();
  try {
    const { profile } = compiler.request;
    if (profile === undefined) evaluateBody(resource, body);
    else profile.measure(PROFILED[body.source.kind], body.name, () => evaluateBody(resource, body));
  } finally {
    compiler.leave();
  }
}

function evaluateBody(resource: CompiledResource, body: LoweredBody): void {
  const { compiler } = resource.scope;
  body.prepare(compiler.topScope.frame);
  const inherited = evaluateParent(resource, body);
  const parent = inherited ?? resource.scope;
  const scope = new Scope({
    kind: body.source.kind,
    compiler,
    parent,
    inherited,
    source: body.source,
    layout: body.layout,
    resource,
  });
  if (body.source.kind !== 'define') compiler.catalog.addClass(body.name);
  setParameters(resource, body, scope);
  if (resource.isClass) compiler.addToStage(resource);
  if (body.source.kind === 'node') scope.frame.match = compiler.nodeMatch;
  runCode(body, scope);
}

function runCode(body: LoweredBody, scope: Scope): void {
  try {
    body.body(scope.frame);
  } catch (signal) {
    if (body.source.kind === 'node') throw signal;
    if (!(signal instanceof ReturnSignal) && !(signal instanceof NextSignal)) throw signal;
  }
}

function evaluateParent(resource: CompiledResource, body: LoweredBody): Scope | undefined {
  const { compiler } = resource.scope;
  const parent = compiler.parentOf(body);
  if (parent === undefined) return undefined;
  const parentResource = compiler.catalog.find('Class', parent.name);
  if (parentResource === undefined) return undefined;
  evaluateResource(parentResource);
  return compiler.classScopes.get(parent.name);
}

function setParameters(resource: CompiledResource, body: LoweredBody, scope: Scope): void {
  const { frame } = scope;
  const isClass = body.source.kind === 'class';
  setGiven(resource, body, scope);
  if (isClass) injectFromHiera(resource, body, scope);
  const title = resource.titleValue ?? resource.title;
  const name = resource.value('name') ?? title;
  frame.setLocal('title', isClass ? resource.title.toLowerCase() : title);
  frame.setLocal('name', isClass && typeof name === 'string' ? name.toLowerCase() : name);
  if (body.source.kind !== 'define') scope.compiler.classScopes.set(body.name, scope);
  for (const { name: key, value } of resource.parameters.values()) {
    if (key !== 'name' && key !== 'title') frame.setLocal(key, value);
  }
  for (const parameter of body.parameters) assignDefault(resource, parameter, body, scope);
  check(resource, body, scope);
}

function setGiven(resource: CompiledResource, body: LoweredBody, scope: Scope): void {
  const moduleName = resource.value('module_name') ?? body.source.moduleName;
  if (moduleName !== undefined) scope.frame.setLocal('module_name', moduleName);
  const caller = resource.value('caller_module_name') ?? scope.parent?.source.moduleName;
  if (caller !== undefined) scope.frame.setLocal('caller_module_name', caller);
}

/** Automatic lookup of `class::parameter` for what was not given. */
function injectFromHiera(resource: CompiledResource, body: LoweredBody, scope: Scope): void {
  for (const { name, defaultValue } of body.parameters) {
    const given = resource.parameters.get(name)?.value;
    if (given !== undefined && given !== null) continue;
    const found = scope.compiler.lookupClassParameter(body.name, name, scope);
    if (found === undefined || (found === null && defaultValue !== undefined)) continue;
    resource.setParameter({ name, value: found, source: body.source });
  }
}

function assignDefault(
  resource: CompiledResource,
  parameter: LoweredParameter,
  body: LoweredBody,
  scope: Scope,
): void {
  if (parameter.defaultValue === undefined) return;
  const given = resource.parameters.get(parameter.name)?.value;
  if (given !== undefined && given !== null) return;
  const value = evaluateDefault(parameter.defaultValue, body, scope);
  resource.setParameter({ name: parameter.name, value, source: resource.source });
  scope.frame.slots[parameter.slot] = value;
}

/** Errors without a place, such as those of failed lookups, get that of the definition. */
function evaluateDefault(evaluate: Evaluate, body: LoweredBody, scope: Scope): Value {
  try {
    return evaluate(scope.frame);
  } catch (error) {
    throw withMissingPlace(error, body.place);
  }
}

/** Quick when everything fits; only then is it worth finding out what does not. */
function check(resource: CompiledResource, body: LoweredBody, scope: Scope): void {
  const { frame } = scope;
  let fits = true;
  for (const parameter of body.parameters) {
    const value = frame.slots[parameter.slot];
    // What the agent calls is judged by its function, whatever type is asked for.
    const isLate = value instanceof DeferredValue;
    if (value === undefined || isLate || !parameter.type(frame).isInstance(value)) fits = false;
  }
  const added = scope.compiler.addedMetaparameters;
  for (const name of resource.parameters.keys()) if (!body.acceptsAttribute(name, added)) fits = false;
  if (fits) return;
  const given = new PuppetHash();
  for (const [name, { value }] of resource.parameters) {
    const isAdded = added.has(name) && body.parameter(name) === undefined;
    if (name !== 'name' && name !== 'title' && !isAdded) given.set(name, value);
  }
  checkParameters(resource.reference, body.parameterStruct(frame), given, scope.compiler);
}
