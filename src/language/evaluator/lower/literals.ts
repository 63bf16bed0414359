/** Literals, lists, hashes and strings. */

import {
  ByteString,
  DEFAULT,
  Float,
  integer,
  isText,
  joinTexts,
  PuppetHash,
  RegexpValue,
  stringify,
  textWithBytes,
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
import type { Frame } from '../runtime/frame.ts';
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
    for (let index = 0; index < segments.length; index += 1) {
      const value = segments[index]?.(frame) ?? null;
      if (value instanceof ByteString) {
        const rest = segments.slice(index + 1);
        const before = text;
        return guarded((inner) => continueWithBytes(before, value, rest, inner), node, context)(frame);
      }
      text += typeof value === 'string' ? value : stringify(value);
    }
    return text;
  };
}

/** Once a segment is bytes, each step decides what the whole is. */
function continueWithBytes(
  before: string,
  bytes: ByteString,
  rest: readonly Evaluate[],
  frame: Frame,
): string | ByteString {
  let text: string | ByteString = before === '' ? bytes : joinTexts(before, bytes);
  for (const segment of rest) {
    const value = segment(frame);
    text = joinTexts(text, value instanceof ByteString ? value : stringify(value));
  }
  return text;
}

/** `${expr}`; a bare name in it is a variable. */
export function lowerText(node: TextExpression, context: LowerContext, lower: Lower): Evaluate {
  const { expr } = node;
  const evaluate =
    expr.kind === 'QualifiedName' ? lowerNamedVariable(expr.value, node, context) : lower(expr, context);
  return (frame) => {
    const value = evaluate(frame);
    return isText(value) ? value : textWithBytes(value);
  };
}

export function lowerHeredoc(node: HeredocExpression, context: LowerContext, lower: Lower): Evaluate {
  return lower(node.textExpr, context);
}
