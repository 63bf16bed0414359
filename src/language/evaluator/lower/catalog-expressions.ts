/** Resources, defaults, overrides. */

import { canonicalTypeName, failureAt, type ResourceParameter } from '../../catalog/index.ts';
import {
  ClassType,
  DEFAULT,
  inferGeneric,
  isArray,
  PuppetHash,
  PuppetType,
  plainText,
  ResourceType,
  textOf,
  type Value,
} from '../../pcore/index.ts';
import type {
  Expression,
  Operation,
  ResourceBody,
  ResourceDefaultsExpression,
  ResourceExpression,
  ResourceOverrideExpression,
} from '../../syntax/index.ts';
import { fail, located, offsetOf } from '../evaluation-error.ts';
import { labelOfValue } from '../labels.ts';
import { declareResources } from '../resources/declare.ts';
import { makeOverride } from '../resources/override.ts';
import { toAttributeValue } from '../resources/resource-object.ts';
import type { Frame } from '../runtime/frame.ts';
import { guarded } from './guarded.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';
import { warnWithoutStore } from './without-store.ts';

// --- attributes

export type EvaluateParameters = (frame: Frame) => ResourceParameter[];
/** Adds what one operation sets. */
type EvaluateOperation = (frame: Frame, parameters: ResourceParameter[]) => void;

/** `name => value`, `name +> value`, `* => hash` */
export function lowerOperations(
  operations: readonly Operation[],
  context: LowerContext,
  lower: Lower,
): EvaluateParameters {
  const parts = operations.map((operation) => lowerOperation(operation, context, lower));
  return (frame) => {
    const parameters: ResourceParameter[] = [];
    for (const part of parts) part(frame, parameters);
    return parameters;
  };
}

function lowerOperation(operation: Operation, context: LowerContext, lower: Lower): EvaluateOperation {
  const { source } = context.unit;
  const line = (): number => context.unit.lineOf(operation.offset);
  let knownLine: number | undefined;
  const parameterValue = (value: Value): Value => {
    try {
      return toAttributeValue(value);
    } catch (error) {
      throw located(error, operation, context.unit);
    }
  };
  const make = (frame: Frame, name: string, value: Value, isAddition: boolean): ResourceParameter => ({
    name,
    value: parameterValue(value),
    source: frame.scope.source,
    file: source.file,
    line: (knownLine ??= line()),
    isAddition,
  });
  if (operation.kind === 'AttributeOperation') {
    const evaluate = lower(operation.valueExpr, context);
    const isAddition = operation.operator === '+>';
    return (frame, parameters) => {
      parameters.push(make(frame, operation.attributeName, evaluate(frame), isAddition));
    };
  }
  const evaluate = lower(operation.expr, context);
  return (frame, parameters) => {
    const hash = evaluate(frame);
    if (!(hash instanceof PuppetHash)) {
      return fail(
        'type_mismatch',
        `Expected value of type Hash, got ${inferGeneric(hash)}`,
        operation.expr,
        context,
      );
    }
    for (const [name, value] of hash) parameters.push(make(frame, plainText(name), value, false));
  };
}

// --- resource expressions

interface LoweredResourceBody {
  readonly node: ResourceBody;
  readonly title: Evaluate;
  readonly operations: EvaluateParameters;
  /** Each attribute is written once, and none comes from a hash. */
  readonly isUnambiguous: boolean;
}

interface EvaluatedResourceBody {
  readonly titles: readonly string[];
  readonly isDefault: boolean;
  readonly parameters: readonly ResourceParameter[];
}

export function lowerResource(node: ResourceExpression, context: LowerContext, lower: Lower): Evaluate {
  const typeName = lowerTypeName(node, context, lower);
  const bodies = node.bodies.map((body) => ({
    node: body,
    title: lower(body.title, context),
    operations: lowerOperations(body.operations, context, lower),
    isUnambiguous: isUnambiguous(body.operations),
  }));
  const isExported = node.form === 'exported';
  const isVirtual = node.form !== 'regular';
  const site = { node, context };
  const { file } = context.unit.source;
  let line: number | undefined;
  const evaluate: Evaluate = (frame) => {
    const name = typeName(frame);
    if (isExported) warnWithoutStore(EXPORT_WITHOUT_STORE, node, context, frame.scope.compiler);
    line ??= context.unit.lineOf(node.offset);
    const form = { typeName: name, isVirtual, isExported, file, line };
    const [only] = bodies;
    if (bodies.length === 1 && only !== undefined) {
      const { parameters, titles } = evaluateBody(only, undefined, frame, site);
      return declareResources(frame.scope, form, titles, parameters);
    }
    const seen = new Set<Value>();
    const evaluated = bodies.map((body) => evaluateBody(body, seen, frame, site));
    const defaults = evaluated.find(({ isDefault }) => isDefault)?.parameters;
    return evaluated.flatMap(({ parameters, titles }) => {
      const all = defaults === undefined ? parameters : merged(defaults, parameters);
      return declareResources(frame.scope, form, titles, all);
    });
  };
  return guarded(evaluate, node, context);
}

function isUnambiguous(operations: readonly Operation[]): boolean {
  const names = operations.map((operation) =>
    operation.kind === 'AttributeOperation' ? operation.attributeName : undefined,
  );
  return !names.includes(undefined) && new Set(names).size === names.length;
}

const EXPORT_WITHOUT_STORE =
  'You cannot collect exported resources without storeconfigs being set; the export is ignored';

function merged(
  defaults: readonly ResourceParameter[],
  parameters: readonly ResourceParameter[],
): readonly ResourceParameter[] {
  const byName = new Map<string, ResourceParameter>();
  for (const parameter of defaults) byName.set(parameter.name, parameter);
  for (const parameter of parameters) byName.set(parameter.name, parameter);
  return [...byName.values()];
}

interface ResourceSite {
  readonly node: ResourceExpression;
  readonly context: LowerContext;
}

/** @param earlier - titles of the bodies before it; `undefined` when there is no other */
function evaluateBody(
  body: LoweredResourceBody,
  earlier: Set<Value> | undefined,
  frame: Frame,
  site: ResourceSite,
): EvaluatedResourceBody {
  const value = body.title(frame);
  const blamed = body.node.title;
  if (value === null)
    fail('missing_title', 'Missing title. The title expression resulted in undef', blamed, site.context);
  if (typeof value === 'string' && earlier === undefined) {
    checkTitle(value, 0, blamed, site.context);
    return { titles: [value], isDefault: false, parameters: evaluateParameters(body, frame, site) };
  }
  const seen = earlier ?? new Set<Value>();
  const titles: string[] = [];
  let isDefault = false;
  const given =
    typeof value === 'string' ? [value] : Array.from(flatten(value), (each) => textOf(each) ?? each);
  for (let index = 0; index < given.length; index += 1) {
    const title = given[index] ?? null;
    checkTitle(title, index, blamed, site.context);
    if (seen.has(title)) {
      const shown = title === DEFAULT ? 'default' : plainText(title);
      const text = `The title '${shown}' has already been used in this resource expression`;
      fail('duplicate_title', text, site.node, site.context);
    }
    seen.add(title);
    if (typeof title === 'string') titles.push(title);
    else isDefault = true;
  }
  return { titles, isDefault, parameters: evaluateParameters(body, frame, site) };
}

function evaluateParameters(
  body: LoweredResourceBody,
  frame: Frame,
  { node, context }: ResourceSite,
): readonly ResourceParameter[] {
  const parameters = body.operations(frame);
  if (body.isUnambiguous) return parameters;
  const names = new Set<string>();
  for (const { name } of parameters) {
    if (names.has(name))
      fail('duplicate_attribute', `The attribute '${name}' has already been set`, node, context);
    names.add(name);
  }
  return parameters;
}

function checkTitle(title: Value, index: number, blamed: Expression, context: LowerContext): void {
  if (title === null) {
    fail(
      'missing_title_at',
      `Missing title at index ${index}. The title expression resulted in an undef title`,
      blamed,
      context,
    );
  } else if (typeof title !== 'string' && title !== DEFAULT) {
    const text = `Illegal title type at index ${index}. Expected String, got ${inferGeneric(title)}`;
    fail('illegal_title_type_at', text, blamed, context);
  } else if (title === '') {
    const text = `Empty string title at ${index}. Title strings must have a length greater than zero.`;
    fail('empty_string_title_at', text, blamed, context);
  }
}

function* flatten(value: Value): Iterable<Value> {
  if (isArray(value)) for (const item of value) yield* flatten(item);
  else yield value;
}

/** The name before the brace: a bare word, or an expression that gives a type without a title. */
function lowerTypeName(
  node: ResourceExpression,
  context: LowerContext,
  lower: Lower,
): (frame: Frame) => string {
  const { typeName } = node;
  if (typeName.kind === 'QualifiedName') return () => typeName.value;
  const evaluate = lower(typeName, context);
  const isAcceptable =
    typeName.kind === 'QualifiedReference' ||
    (typeName.kind === 'AccessExpression' && typeName.left.kind === 'QualifiedReference');
  return (frame) => {
    const value = evaluate(frame);
    if (isAcceptable && value instanceof ClassType && value.className === undefined) return 'class';
    if (
      isAcceptable &&
      value instanceof ResourceType &&
      value.title === undefined &&
      value.typeName !== undefined
    ) {
      return value.typeName.toLowerCase();
    }
    const isNamed = value instanceof ClassType || value instanceof ResourceType;
    const actual = isAcceptable && isNamed ? value : inferGeneric(value);
    return fail('illegal_resource_type', illegalResourceType(actual), typeName, context);
  };
}

function illegalResourceType(actual: PuppetType): string {
  return `Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got ${actual}`;
}

// --- defaults and overrides

export function lowerResourceDefaults(
  node: ResourceDefaultsExpression,
  context: LowerContext,
  lower: Lower,
): Evaluate {
  const typeReference = lower(node.typeRef, context);
  const operations = lowerOperations(node.operations, context, lower);
  const evaluate: Evaluate = (frame) => {
    const type = typeReference(frame);
    if (!(type instanceof ResourceType) || type.typeName === undefined || type.title !== undefined) {
      return fail('illegal_resource_type', illegalResourceType(inferGeneric(type)), node.typeRef, context);
    }
    const name = canonicalTypeName(type.typeName.toLowerCase());
    for (const parameter of operations(frame)) {
      if (frame.scope.addDefault(name, parameter)) continue;
      const text = `Default already defined for ${name} { ${parameter.name} }; cannot redefine`;
      throw failureAt(text, parameter.file, parameter.line);
    }
    return type;
  };
  return guarded(evaluate, node, context);
}

export function lowerResourceOverride(
  node: ResourceOverrideExpression,
  context: LowerContext,
  lower: Lower,
): Evaluate {
  const resources = lower(node.resources, context);
  const operations = lowerOperations(node.operations, context, lower);
  const evaluate: Evaluate = (frame) => {
    const targets = resources(frame);
    const parameters = operations(frame);
    const { scope } = frame;
    const place = { file: context.unit.source.file, line: context.unit.lineOf(offsetOf(node)) };
    for (const target of flatten(targets)) {
      if (!(target instanceof ResourceType)) {
        const text = `Resource Override can only operate on resources, got: ${labelOfValue(target)}`;
        fail('illegal_overridden_type', text, node, context);
      }
      scope.compiler.addOverride(makeOverride(target, { ...place, parameters, source: scope.source, scope }));
    }
    return targets;
  };
  return guarded(evaluate, node, context);
}
