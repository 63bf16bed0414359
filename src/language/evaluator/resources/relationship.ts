/** `->`, `~>` and their reverses: remembered when evaluated, written into resources at the end. */

import { canonicalTypeName, failure, type ResourceParameter } from '../../catalog/index.ts';
import {
  ClassType,
  isArray,
  PuppetType,
  parseType,
  plainText,
  ResourceType,
  TypeType,
  type Value,
} from '../../pcore/index.ts';
import type { RelationshipExpression } from '../../syntax/index.ts';
import { aAn } from '../../syntax/index.ts';
import type { Compiler } from '../compiler.ts';
import { fail } from '../evaluation-error.ts';
import { labelOfValue } from '../labels.ts';
import { guarded } from '../lower/guarded.ts';
import type { Evaluate, Lower, LowerContext } from '../lower/lower-context.ts';
import type { CompiledResource } from '../runtime/scope.ts';
import { Collector } from './collector-value.ts';
import { requireReference } from './reference-text.ts';

/** One operand: a collector, whose resources are known later, or a reference `Type[title]`. */
type Operand = Collector | string;

export interface Relationship {
  readonly source: Operand;
  readonly target: Operand;
  readonly parameter: 'before' | 'notify';
}

export function lowerRelationship(
  node: RelationshipExpression,
  context: LowerContext,
  lower: Lower,
): Evaluate {
  const left = lower(node.left, context);
  const right = lower(node.right, context);
  const parameter = node.operator.includes('~') ? 'notify' : 'before';
  const isReversed = node.operator.startsWith('<');
  const evaluate: Evaluate = (frame) => {
    const { compiler } = frame.scope;
    const leftValue = left(frame);
    const rightValue = right(frame);
    const leftOperands = operandsOf(leftValue, node, context, compiler);
    const rightOperands = operandsOf(rightValue, node, context, compiler);
    const [sources, targets] = isReversed ? [rightOperands, leftOperands] : [leftOperands, rightOperands];
    for (const source of sources) {
      for (const target of targets) {
        compiler.relationships.push({ source: toOperand(source), target: toOperand(target), parameter });
      }
    }
    if (rightOperands.length === 0) return leftOperands;
    const [only] = rightOperands;
    if (rightOperands.length === 1 && only instanceof Collector) only.emptyAlternative = leftOperands;
    return rightOperands;
  };
  return guarded(evaluate, node, context);
}

function toOperand(value: Value): Operand {
  if (value instanceof Collector) return value;
  // A type without a title only turns out to be nothing when the catalog is asked for it.
  if (value instanceof ResourceType && value.typeName !== undefined && value.title === undefined) {
    return `${canonicalTypeName(value.typeName.toLowerCase())}[]`;
  }
  const { type, title } = requireReference(value);
  return `${type}[${title}]`;
}

function operandsOf(
  value: Value,
  node: RelationshipExpression,
  context: LowerContext,
  compiler: Compiler,
): readonly Value[] {
  const found = new Map<string, Value>();
  const add = (item: Value): void => {
    if (isArray(item)) for (const inner of item) add(inner);
    else {
      const operand = catalogEntry(item, node, context, compiler);
      found.set(
        operand instanceof Collector ? `c${collectorNumber(operand, found)}` : String(operand),
        operand,
      );
    }
  };
  add(value);
  return [...found.values()];
}

/** Collectors are told apart by identity. */
function collectorNumber(collector: Collector, found: ReadonlyMap<string, Value>): number {
  const known = [...found.values()].indexOf(collector);
  return known === -1 ? found.size : known;
}

function catalogEntry(
  value: Value,
  node: RelationshipExpression,
  context: LowerContext,
  compiler: Compiler,
): Value {
  if (value instanceof Collector) return value;
  const type = typeof value === 'string' ? parseType(value, compiler.lookups.typeResolver) : value;
  if (!(type instanceof PuppetType)) {
    return fail(
      'illegal_relationship_operand_type',
      `Illegal relationship operand, can not form a relationship with ${aAn(labelOfValue(value))}. A Catalog type is required.`,
      node,
      context,
    );
  }
  if (!isCatalogType(type)) {
    return fail(
      'not_catalog_type',
      `Illegal relationship operand, can not form a relationship with something of type ${type}. A Catalog type is required.`,
      node,
      context,
    );
  }
  return type;
}

function isCatalogType(type: PuppetType): boolean {
  const inner = type instanceof TypeType ? type.type : type;
  return inner instanceof ResourceType || inner instanceof ClassType || inner?.kind === 'CatalogEntry';
}

/**
 * Writes all relationships into the resources on their left. Resources that were given a list by the same attribute (of
 * one resource expression with several titles, or of a resource default) have it in common, as in the reference: what
 * is added to the list of one is in those of all.
 */
export function applyRelationships(compiler: Compiler): void {
  const lists: ExtendedLists = new Map();
  writeRelationships(compiler, lists);
  if (lists.size > 0) for (const resource of compiler.resources) shareLists(resource, lists);
}

/** Lists to which relationships were added, by the attributes that they were and are the values of. */
type ExtendedLists = Map<ResourceParameter, Value[]>;

function shareLists(resource: CompiledResource, lists: ExtendedLists): void {
  for (const name of ['before', 'notify']) {
    const parameter = resource.parameters.get(name);
    const value = parameter === undefined ? undefined : lists.get(parameter);
    if (parameter !== undefined && value !== undefined && value !== parameter.value)
      resource.setParameter({ ...parameter, value });
  }
}

function writeRelationships(compiler: Compiler, lists: ExtendedLists): void {
  for (const { source, target, parameter } of compiler.relationships) {
    const targets = targetsOf(target);
    const [firstTarget] = targets;
    if (firstTarget === undefined) continue;
    let areKnown = false;
    for (const { reference: from, shown } of sourcesOf(source)) {
      const resource = compiler.catalog.findReference(from);
      if (resource === undefined)
        throw failure(`Could not find resource '${shown}' for relationship on '${firstTarget}'`);
      if (!areKnown) checkTargets(compiler, from, targets);
      areKnown = true;
      append(resource, parameter, targets, lists);
    }
  }
}

function checkTargets(compiler: Compiler, from: string, targets: readonly string[]): void {
  for (const to of targets) {
    if (compiler.catalog.findReference(to) !== undefined) continue;
    throw failure(`Could not find resource '${to}' for relationship from '${from}'`);
  }
}

interface Source {
  readonly reference: string;
  /** How messages write it. */
  readonly shown: string;
}

function sourcesOf(operand: Operand): readonly Source[] {
  if (typeof operand === 'string' || operand.collected.size > 0) return targetsOf(operand).map(asItIs);
  return (operand.emptyAlternative ?? []).flatMap((value) => {
    const alternative = toOperand(value);
    const isOnlyCollector = operand.emptyAlternative?.length === 1;
    // The reference still has the type there, not yet its text.
    if (typeof alternative === 'string') return [{ reference: alternative, shown: plainText(value) }];
    return isOnlyCollector ? sourcesOf(alternative) : targetsOf(alternative).map(asItIs);
  });
}

function asItIs(reference: string): Source {
  return { reference, shown: reference };
}

function targetsOf(operand: Operand): readonly string[] {
  return typeof operand === 'string' ? [operand] : [...operand.collected.keys()];
}

/** All at once: two sets of resources have as many relationships as the product of their sizes. */
function append(
  resource: CompiledResource,
  name: string,
  references: readonly string[],
  lists: ExtendedLists,
): void {
  const current = resource.parameters.get(name);
  const known = current === undefined ? undefined : lists.get(current);
  if (known !== undefined) {
    for (const reference of references) known.push(reference);
    return;
  }
  const value = current?.value ?? null;
  const isList = current !== undefined && isArray(value);
  const items = isList ? [...value, ...references] : [...(value === null ? [] : [value]), ...references];
  if (current !== undefined && isList) lists.set(current, items);
  const parameter = isList ? { ...current, value: items } : { name, value: items, source: resource.source };
  lists.set(parameter, items);
  resource.setParameter(parameter);
}
