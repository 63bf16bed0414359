/**
 * Conditions of rules.
 *
 * `condition: [bool condition+] | ["not" condition] | [operator path value]`, with `path` the name of a field of the
 * node (`"name"`) or `["fact" | "trusted", name, ...]`, and values in text.
 *
 * @see PE, "Groups endpoint", rule condition grammar
 */

import type { Json, JsonObject } from '../../lib/json.ts';
import { LinearPattern } from '../../lib/posix-pattern/index.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { javaPattern } from './java-pattern.ts';

export type Path = string | readonly (string | number)[];

export type Comparison = readonly ['=' | '~' | '<' | '<=' | '>' | '>=', Path, string];

export type Condition = readonly ['not', Condition] | readonly ['and' | 'or', ...Condition[]] | Comparison;

/** What rules look at. */
export interface ClassifiedNode {
  readonly name: string;
  readonly fact: JsonObject;
  readonly trusted: JsonObject;
}

export type Matcher = (node: ClassifiedNode) => boolean;

/** A condition with what became of it. */
export interface ExplainedCondition {
  readonly value: boolean;
  readonly form: readonly unknown[];
}

/** Deeper than anybody writes; a body must not overflow the stack. */
const maxDepth = 200;

/** Pins are conditions. More would keep other requests waiting each time that the rule is read. */
const mostConditions = 20_000;

/** @throws ServiceError `bad-request` saying what is wrong with it */
export function decodeCondition(value: unknown): Condition {
  return decodeWithin(value, 0, { left: mostConditions });
}

function decodeWithin(value: unknown, depth: number, conditions: { left: number }): Condition {
  if (depth > maxDepth) throw malformed('it is nested too deeply', value);
  conditions.left -= 1;
  if (conditions.left < 0) throw malformed(`it has more than ${mostConditions} conditions`, value);
  if (!Array.isArray(value)) throw malformed('a condition is an array', value);
  const [operator, ...rest] = value as readonly unknown[];
  const decodeAll = () => rest.map((item) => decodeWithin(item, depth + 1, conditions));
  switch (operator) {
    case 'and':
    case 'or':
      if (rest.length === 0) throw malformed(`"${operator}" needs a condition`, value);
      return [operator, ...decodeAll()];
    case 'not':
      if (rest.length !== 1) throw malformed('"not" takes one condition', value);
      return ['not', decodeWithin(rest[0], depth + 1, conditions)];
    case '=':
    case '~':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return decodeComparison(operator, rest);
    default:
      throw malformed(`there is no operator ${JSON.stringify(operator)}`, value);
  }
}

/** @throws ServiceError `bad-request` for an invalid pattern */
export function compileCondition(condition: Condition, patterns: Patterns = new Map()): Matcher {
  if (condition[0] === 'not') {
    const inner = compileCondition(condition[1], patterns);
    return (node) => !inner(node);
  }
  if (condition[0] === 'and' || condition[0] === 'or') {
    const inner = (condition.slice(1) as readonly Condition[]).map((each) =>
      compileCondition(each, patterns),
    );
    return condition[0] === 'and'
      ? (node) => inner.every((each) => each(node))
      : (node) => inner.some((each) => each(node));
  }
  const [, path] = condition as Comparison;
  const test = compileTest(condition as Comparison, patterns);
  return (node) => test(valueAt(node, path));
}

/** The facts that a condition looks at, without what follows within them. */
export function factsIn(condition: Condition): readonly string[] {
  if (condition[0] === 'not' || condition[0] === 'and' || condition[0] === 'or')
    return (condition.slice(1) as readonly Condition[]).flatMap(factsIn);
  const [, path] = condition as Comparison;
  return typeof path !== 'string' && path[0] === 'fact' ? [String(path[1])] : [];
}

export function explainCondition(condition: Condition, node: ClassifiedNode): ExplainedCondition {
  const value = compileCondition(condition)(node);
  if (condition[0] === 'not' || condition[0] === 'and' || condition[0] === 'or') {
    const [operator, ...inner] = condition as readonly [string, ...(readonly Condition[])];
    return { value, form: [operator, ...inner.map((each) => explainCondition(each, node))] };
  }
  const [operator, path, target] = condition as Comparison;
  return { value, form: [operator, { path, value: valueAt(node, path) ?? null }, target] };
}

function decodeComparison(operator: Comparison[0], rest: readonly unknown[]): Comparison {
  const [path, target] = rest;
  if (rest.length !== 2) throw malformed(`"${operator}" takes a path and a value`, [operator, ...rest]);
  if (!isPath(path)) throw malformed('a path is a name, or a list of names and numbers', path);
  if (typeof target !== 'string') throw malformed('the value of a comparison is a string', target);
  const comparison: Comparison = [operator, path, target];
  const patterns: Patterns = new Map();
  compileTest(comparison, patterns);
  // What was stored before this was checked is matched within a limit of time.
  if (mayBeTooComplex(target) && patterns.get(target)?.isTooComplex === true)
    throw malformed('the pattern is too complex to be matched in little time', target);
  return comparison;
}

/** Without counted repetitions a short pattern is simple enough, which costs nothing to say. */
function mayBeTooComplex(pattern: string): boolean {
  return pattern.includes('{') || pattern.length > 1000;
}

function isPath(value: unknown): value is Path {
  if (typeof value === 'string') return true;
  if (!Array.isArray(value) || value.length < 2) return false;
  const [kind, name, ...rest] = value as readonly unknown[];
  if (typeof kind !== 'string' || typeof name !== 'string') return false;
  return rest.every((item) => typeof item === 'string' || Number.isInteger(item));
}

/** Those of one rule, each once: they are costly to make. */
export type Patterns = Map<string, LinearPattern>;

/** Whether all of them come to an end in little time, whatever the text is. */
export function areQuick(patterns: Patterns): boolean {
  return [...patterns].every(
    ([source, { isLinear }]) => source.length <= 200 && !source.includes('{') && isLinear,
  );
}

function compileTest(
  [operator, , target]: Comparison,
  patterns: Patterns,
): (value: Json | undefined) => boolean {
  if (operator === '=') return (value) => textOf(value) === target;
  if (operator === '~') {
    const linear = patterns.get(target) ?? linearPatternOf(target);
    patterns.set(target, linear);
    return (value) => {
      const text = textOf(value);
      return text !== undefined && linear.test(text);
    };
  }
  const limit = numberOf(target);
  if (limit === undefined) return () => false;
  const compare = comparisons[operator];
  return (value) => {
    const number = numberOf(value);
    return number !== undefined && compare(number, limit);
  };
}

function linearPatternOf(target: string): LinearPattern {
  const pattern = javaPattern(target);
  if (pattern === undefined) throw malformed('the pattern is no regular expression', target);
  return new LinearPattern(pattern);
}

const comparisons: Readonly<Record<'<' | '<=' | '>' | '>=', (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function valueAt(node: ClassifiedNode, path: Path): Json | undefined {
  let value: unknown = node;
  for (const step of typeof path === 'string' ? [path] : path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    // Lists have other properties besides their items.
    if (Array.isArray(value) && typeof step !== 'number') return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value as Json;
}

/** Structures have none. */
function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : undefined;
}

function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value.trim())
    ? Number(value)
    : undefined;
}

function malformed(problem: string, submitted: unknown): ServiceError {
  const message = `The object you submitted does not conform to the schema. The problem is: in the rule, ${problem}`;
  return new ServiceError('bad-request', message, {
    kind: 'schema-violation',
    details: { submitted, error: problem },
  });
}
