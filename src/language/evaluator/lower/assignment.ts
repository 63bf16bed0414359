/** `$x = 1`, `[$a, $b] = ...` */

import { failure } from '../../catalog/index.ts';
import { ClassType, isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import type { AssignmentExpression, Expression } from '../../syntax/index.ts';
import { fail } from '../evaluation-error.ts';
import type { Frame } from '../runtime/frame.ts';
import { guarded } from './guarded.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';

/** Names to set, in the shape of the left side. */
type Target = string | { readonly number: string } | readonly Target[];

interface Site {
  readonly node: AssignmentExpression;
  readonly context: LowerContext;
}

export function lowerAssignment(node: AssignmentExpression, context: LowerContext, lower: Lower): Evaluate {
  if (node.operator !== '=') {
    const text = `The operator '${node.operator}' is not supported.`;
    return () => fail('unsupported_operator', text, node, context);
  }
  const site = { node, context };
  const target = targetOf(node.left);
  const right = lower(node.right, context);
  if (context.isDefault && typeof target === 'string') {
    return guarded(
      () => {
        throw failure(`Attempt to assign variable ${target} when evaluating parameters`);
      },
      node,
      context,
    );
  }
  const evaluate: Evaluate = (frame) => {
    const value = right(frame);
    assign(target, value, frame, site);
    return value;
  };
  return guarded(evaluate, node, context);
}

function targetOf(left: Expression): Target {
  if (left.kind === 'LiteralList') return left.values.map(targetOf);
  if (left.kind === 'VariableExpression' && left.expr.kind === 'QualifiedName') return left.expr.value;
  if (left.kind === 'VariableExpression' && left.expr.kind === 'LiteralInteger')
    return { number: String(left.expr.value) };
  // Validation refuses everything else.
  return [];
}

function assign(target: Target, value: Value, frame: Frame, site: Site): void {
  if (typeof target === 'string') setVariable(target, value, frame, site);
  else if (isTargetList(target)) assignAll(target, value, frame, site);
  else {
    const text = `Illegal attempt to assign to the numeric match result variable '$${target.number}'. Numeric variables are not assignable`;
    fail('illegal_numeric_assignment', text, site.node.left, site.context);
  }
}

function isTargetList(target: Target): target is readonly Target[] {
  return Array.isArray(target);
}

function assignAll(targets: readonly Target[], value: Value, frame: Frame, site: Site): void {
  if (value instanceof PuppetHash) assignFromHash(targets, value, frame, site);
  else if (value instanceof ClassType) assignFromClass(targets, value, frame, site);
  else {
    const values = isArray(value) ? value : [value];
    if (values.length !== targets.length) {
      const text = `Mismatched number of assignable entries and values, expected ${targets.length}, got ${values.length}`;
      fail('illegal_multi_assignment_size', text, site.node, site.context);
    }
    for (const [index, target] of targets.entries()) assign(target, values[index] ?? null, frame, site);
  }
}

function assignFromHash(targets: readonly Target[], hash: PuppetHash, frame: Frame, site: Site): void {
  for (const target of targets) {
    const item = typeof target === 'string' ? hash.get(target) : undefined;
    if (item === undefined) {
      const text = `No value for required key '${String(target)}' in assignment to variables from hash`;
      fail('missing_multi_assignment_key', text, site.node, site.context);
    }
    assign(target, item, frame, site);
  }
}

function assignFromClass(targets: readonly Target[], type: ClassType, frame: Frame, site: Site): void {
  const { compiler } = frame.scope;
  const name = type.className ?? '';
  if (compiler.catalog.find('Class', name) === undefined) {
    const text = `Resource not found: Class['${name}']`;
    fail('unknown_resource', text, site.node.right, site.context);
  }
  for (const [index, target] of targets.entries()) {
    const item = compiler.findClassVariable(name, String(target));
    if (item === undefined) {
      const text = `No value for required variable '$${name.toLowerCase()}::${String(target)}' in assignment to variables from class reference`;
      const { left } = site.node;
      const blamed = left.kind === 'LiteralList' ? left.values[index] : undefined;
      fail('missing_multi_assignment_variable', text, blamed ?? left, site.context);
    }
    assign(target, item, frame, site);
  }
}

const RESERVED: ReadonlySet<string> = new Set(['trusted', 'facts']);
const BUILT_IN: ReadonlySet<string> = new Set(['name', 'title']);

function setVariable(name: string, value: Value, frame: Frame, { node, context }: Site): void {
  if (name.includes('::')) {
    const text = `Illegal attempt to assign to '${name}'. Cannot assign to variables in other namespaces`;
    fail('cross_scope_assignment', text, node.left, context);
  }
  const isBound = frame.hasLocal(name);
  if (name === 'server_facts' || (isBound && RESERVED.has(name))) {
    fail(
      'illegal_reserved_assignment',
      `Attempt to assign to a reserved variable name: '$${name}'`,
      node,
      context,
    );
  }
  if (isBound) {
    const text = BUILT_IN.has(name)
      ? `Cannot reassign built in (or already assigned) variable '$${name}'`
      : `Cannot reassign variable '$${name}'`;
    fail('illegal_reassignment', text, node, context);
  }
  if (RESERVED.has(name)) throw failure(`Attempt to assign to a reserved variable name: '${name}'`);
  frame.setLocal(name, value);
}
