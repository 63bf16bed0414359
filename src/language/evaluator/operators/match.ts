/** `=~`, `in`, and what `case` and selectors do: all of them may set match variables. */

import {
  ByteString,
  DEFAULT,
  includes,
  isArray,
  isText,
  matches,
  PuppetHash,
  PuppetType,
  RegexpValue,
  SemVerRangeValue,
  subjectOf,
  textOf,
  type Value,
} from '../../pcore/index.ts';
import type { InExpression, MatchExpression } from '../../syntax/index.ts';
import { aAn, PuppetError } from '../../syntax/index.ts';
import { fail } from '../evaluation-error.ts';
import { labelOfValue } from '../labels.ts';
import { guarded } from '../lower/guarded.ts';
import type { Evaluate, Lower, LowerContext } from '../lower/lower-context.ts';
import type { Frame } from '../runtime/frame.ts';

/** Whether a regular expression matches; sets the match variables when it does. */
function matchRegexp(pattern: RegexpValue, text: string | ByteString, frame: Frame): boolean {
  const match = pattern.exec(typeof text === 'string' ? text : subjectOf(text, pattern.source));
  if (match === null) return false;
  frame.match = typeof text === 'string' ? match : match.map(asBytes);
  return true;
}

function asBytes(group: string | undefined): ByteString | undefined {
  return group === undefined ? undefined : new ByteString(group);
}

/** Whether `tested` is what the option of a `case` or selector stands for. */
export function matchesOption(tested: Value, option: Value, frame: Frame): boolean {
  if (option instanceof RegexpValue) return isText(tested) && matchRegexp(option, tested, frame);
  if (option === DEFAULT) return true;
  if (isArray(option)) {
    return (
      isArray(tested) &&
      tested.length === option.length &&
      option.every((item, index) => matchesOption(tested[index] ?? null, item, frame))
    );
  }
  if (option instanceof PuppetHash) {
    if (!(tested instanceof PuppetHash)) return false;
    return [...option].every(([key, item]) => matchesOption(tested.get(key) ?? null, item, frame));
  }
  return matches(tested, option);
}

export function lowerMatch(node: MatchExpression, context: LowerContext, lower: Lower): Evaluate {
  const left = lower(node.left, context);
  const right = lower(node.right, context);
  const isPositive = node.operator === '=~';
  const evaluate: Evaluate = (frame) => {
    const value = left(frame);
    const pattern = right(frame);
    if (pattern instanceof PuppetType) return pattern.isInstance(value) === isPositive;
    if (pattern instanceof SemVerRangeValue) return matches(value, pattern) === isPositive;
    const regexp = toRegexp(pattern, node, context);
    if (isText(value)) return matchRegexp(regexp, value, frame) === isPositive;
    return fail(
      'match_not_string',
      `Left match operand must result in a String value. Got ${aAn(labelOfValue(value))}.`,
      node.left,
      context,
    );
  };
  return guarded(evaluate, node, context);
}

function toRegexp(pattern: Value, node: MatchExpression, context: LowerContext): RegexpValue {
  if (pattern instanceof RegexpValue) return pattern;
  const notRegexp = (detail: string): never =>
    fail(
      'match_not_regexp',
      `Can not convert right match operand to a regular expression. Caused by '${detail}'.`,
      node.right,
      context,
    );
  const source = textOf(pattern);
  if (source === undefined)
    return notRegexp(`no implicit conversion of ${rubyClassName(pattern)} into String`);
  try {
    return compiled(new RegexpValue(source));
  } catch (error) {
    if (error instanceof PuppetError) return notRegexp(error.diagnostic.message);
    throw error;
  }
}

function rubyClassName(value: Value): string {
  return value === null ? 'nil' : labelOfValue(value);
}

export function lowerIn(node: InExpression, context: LowerContext, lower: Lower): Evaluate {
  const left = lower(node.left, context);
  const right = lower(node.right, context);
  return guarded((frame) => isIn(left(frame), right(frame), frame), node, context);
}

function isIn(value: Value, container: Value, frame: Frame): boolean {
  if (!(value instanceof RegexpValue)) return includes(container, value);
  if (isText(container)) return matchRegexp(value, container, frame);
  const items = container instanceof PuppetHash ? [...container.keys()] : isArray(container) ? container : [];
  return items.some((item) => isText(item) && matchRegexp(value, item, frame));
}

/** Fails now when the source is no regular expression. */
function compiled(pattern: RegexpValue): RegexpValue {
  pattern.compile();
  return pattern;
}
