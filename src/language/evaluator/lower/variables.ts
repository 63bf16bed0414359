/** `$name`, `$class::name`, `$1`. */

import type { Value } from '../../pcore/index.ts';
import type { Expression, VariableExpression } from '../../syntax/index.ts';
import { aAnUpper, label } from '../../syntax/index.ts';
import { fail, positionOf } from '../evaluation-error.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Evaluate, LowerContext } from './lower-context.ts';

export function lowerVariable(node: VariableExpression, context: LowerContext): Evaluate {
  const { expr } = node;
  if (expr.kind === 'LiteralInteger') return lowerMatchGroup(Number(expr.value));
  if (expr.kind === 'QualifiedName') return lowerNamedVariable(expr.value, node, context);
  const text = `Illegal variable expression. ${aAnUpper(label(expr))} did not produce a variable name (String or Numeric).`;
  return () => fail('illegal_variable_expression', text, expr, context);
}

function lowerMatchGroup(group: number): Evaluate {
  return (frame) => (frame.match ?? frame.scope.outsideMatch)?.[group] ?? null;
}

/** Also for `${name}` in strings, where `node` is the name itself. */
export function lowerNamedVariable(name: string, node: Expression, context: LowerContext): Evaluate {
  if (/^\d+$/.test(name)) return lowerMatchGroup(Number(name));
  if (name.includes('::')) return lowerQualifiedVariable(name, node, context);
  const missing = (frame: Frame): Value => unknownVariable(name, frame, node, context);
  const slot = context.layout.slotOf(name);
  if (slot === undefined) return lowerOuterVariable(name, context, missing);
  return (frame) => {
    let value = frame.slots[slot];
    if (value !== undefined) return value;
    value = frame.read(name);
    return value === undefined ? missing(frame) : value;
  };
}

/** Not set here: the lambda's surroundings, then whatever encloses the scope. */
function lowerOuterVariable(name: string, context: LowerContext, missing: (frame: Frame) => Value): Evaluate {
  let hops = 0;
  let slot: number | undefined;
  for (let outer = context.outer; outer !== undefined && slot === undefined; outer = outer.outer) {
    hops += 1;
    slot = outer.layout.slotOf(name);
  }
  if (slot !== undefined) {
    const found = slot;
    return (frame) => {
      let holder: Frame | undefined = frame;
      for (let i = 0; i < hops; i++) holder = holder?.outer;
      let value = holder?.slots[found];
      if (value === undefined) value = frame.read(name);
      return value === undefined ? missing(frame) : value;
    };
  }
  return (frame) => {
    const value = frame.read(name);
    return value === undefined ? missing(frame) : value;
  };
}

function lowerQualifiedVariable(written: string, node: Expression, context: LowerContext): Evaluate {
  const name = written.startsWith('::') ? written.slice(2) : written;
  const separator = name.lastIndexOf('::');
  if (separator === -1) {
    return (frame) => {
      const value = frame.scope.compiler.topScope.frame.getLocal(name);
      return value === undefined ? unknownVariable(written, frame, node, context) : value;
    };
  }
  const className = name.slice(0, separator);
  const leaf = name.slice(separator + 2);
  return (frame) => {
    const value = frame.scope.compiler.findClassVariable(className, leaf);
    return value === undefined ? unknownVariable(written, frame, node, context) : value;
  };
}

const SILENTLY_UNDEF: ReadonlySet<string> = new Set(['module_name', 'caller_module_name']);

/** Undef, with the error or warning that the settings ask for. */
function unknownVariable(name: string, frame: Frame, node: Expression, context: LowerContext): null {
  if (SILENTLY_UNDEF.has(name)) return null;
  const { compiler } = frame.scope;
  const { strict, strictVariables } = compiler.settings;
  const message = `Unknown variable: '${name}'.`;
  if (strictVariables || strict === 'error') fail('unknown_variable', message, node, context);
  if (strict === 'warning') compiler.log('warning', message, positionOf(node, context.unit));
  return null;
}
