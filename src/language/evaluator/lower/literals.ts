/** Literals, lists, hashes and strings. */

import {
  DEFAULT,
  Float,
  integer,
  PuppetHash,
  RegexpValue,
  stringify,
  type Value,
} from '../../pcore/index.ts';
import type {
  ConcatenatedString,
  Expression,
  HeredocExpression,
  LiteralHash,
  LiteralInteger,
  LiteralRegularExpression,
  TextExpression,
} from '../../syntax/index.ts';
import { lowerSpliced } from './arguments.ts';
import { guarded } from './guarded.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';
import { lowerNamedVariable } from './variables.ts';

export function constant(value: Value): Evaluate {
  return () => value;
}

export function lowerInteger(node: LiteralInteger): Evaluate {
  return constant(integer(node.value));
}

export function lowerFloat(value: number): Evaluate {
  return constant(new Float(value));
}

export const evaluateDefault: Evaluate = constant(DEFAULT);
export const evaluateUndef: Evaluate = constant(null);

/** Compiled when first needed: an expression that Ruby's dialect does not allow fails where it stands. */
export function lowerRegularExpression(node: LiteralRegularExpression, context: LowerContext): Evaluate {
  let value: RegexpValue | undefined;
  return guarded(() => (value ??= new RegexpValue(node.source)), node, context);
}

export function lowerList(values: readonly Expression[], context: LowerContext, lower: Lower): Evaluate {
  const evaluate = lowerSpliced(values, context, lower);
  return (frame) => evaluate(frame);
}

export function lowerHash(node: LiteralHash, context: LowerContext, lower: Lower): Evaluate {
  const entries = node.entries.map(
    (entry) => [lower(entry.key, context), lower(entry.value, context)] as const,
  );
  return (frame) => {
    const hash = new PuppetHash();
    for (const [key, value] of entries) hash.set(key(frame), value(frame));
    return hash;
  };
}

export function lowerConcatenation(node: ConcatenatedString, context: LowerContext, lower: Lower): Evaluate {
  const segments = node.segments.map((segment) => lower(segment, context));
  return (frame) => {
    let text = '';
    for (const segment of segments) {
      const value = segment(frame);
      text += typeof value === 'string' ? value : stringify(value);
    }
    return text;
  };
}

/** `${expr}`; a bare name in it is a variable. */
export function lowerText(node: TextExpression, context: LowerContext, lower: Lower): Evaluate {
  const { expr } = node;
  const evaluate =
    expr.kind === 'QualifiedName' ? lowerNamedVariable(expr.value, node, context) : lower(expr, context);
  return (frame) => {
    const value = evaluate(frame);
    return typeof value === 'string' ? value : stringify(value);
  };
}

export function lowerHeredoc(node: HeredocExpression, context: LowerContext, lower: Lower): Evaluate {
  return lower(node.textExpr, context);
}
