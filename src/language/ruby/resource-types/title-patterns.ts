/** `title_patterns`: what a type's method returns, as data. */

import { isRubyNode } from '../../../lib/ruby-syntax/index.ts';
import type { TitleConversion, TitlePattern } from '../../catalog/index.ts';
import type { Interpreter } from './interpreter.ts';
import type { TypeClass } from './ruby-module.ts';
import { keyAttributes } from './type-calls.ts';
import { Unmodelled } from './unmodelled.ts';
import {
  nameOf,
  REGEXP_EXTENDED,
  REGEXP_IGNORE_CASE,
  REGEXP_MULTILINE,
  RubyRegexp,
  RubySymbol,
  type Value,
  WrittenProc,
} from './values.ts';

/** Captures that a conversion is tried with, to know in time that it is modelled. */
const SAMPLES = ['', 'a', '/', '/A/b/', 'x:y z'];

export function titlePatternsOf(type: TypeClass, interpreter: Interpreter): readonly TitlePattern[] {
  const method = type.findSingletonMethod('title_patterns');
  if (method !== undefined) return decode(interpreter.invoke(method, type, [], undefined), interpreter);
  if (type.isResourceApi) return decode(type.instanceVariables.get('@title_patterns') ?? null, interpreter);
  const [namevar, second] = keyAttributes(type);
  if (namevar === undefined || second !== undefined) return [];
  return [{ source: '(.*)', multiline: true, attributes: [namevar] }];
}

function decode(value: Value, interpreter: Interpreter): readonly TitlePattern[] {
  return listOf(value, interpreter).map((item) => {
    const [regexp = null, attributes = null] = listOf(item, interpreter);
    if (!(regexp instanceof RubyRegexp))
      throw new Unmodelled('a title pattern that is no regular expression');
    return pattern(regexp, listOf(attributes, interpreter), interpreter);
  });
}

function pattern(
  { written, options }: RubyRegexp,
  items: readonly Value[],
  interpreter: Interpreter,
): TitlePattern {
  const parts = items.map((item) => listOf(item, interpreter));
  const conversions = parts.map(([, proc = null]) => conversionOf(proc, interpreter));
  return {
    source: written,
    multiline: (options & REGEXP_MULTILINE) !== 0,
    ...((options & REGEXP_IGNORE_CASE) === 0 ? {} : { ignoreCase: true }),
    ...((options & REGEXP_EXTENDED) === 0 ? {} : { extended: true }),
    attributes: parts.map(([name = null]) => nameOf(name)),
    ...(conversions.every((conversion) => conversion === undefined) ? {} : { conversions }),
  };
}

function listOf(value: Value, interpreter: Interpreter): readonly Value[] {
  if (!Array.isArray(value)) throw new Unmodelled('a title pattern that is no array');
  interpreter.requireUntainted(value);
  return value;
}

function conversionOf(proc: Value, interpreter: Interpreter): TitleConversion | undefined {
  if (proc === null) return undefined;
  if (!(proc instanceof WrittenProc)) throw new Unmodelled('a title pattern with something else than a proc');
  if (isIdentity(proc)) return undefined;
  const convert: TitleConversion = (capture) => {
    const result = interpreter.callProc(proc, [capture]);
    if (result instanceof RubySymbol) return result.name;
    if (typeof result !== 'string' && result !== null) throw new Unmodelled('what a title becomes');
    return result;
  };
  for (const sample of SAMPLES) convert(sample);
  return convert;
}

/** `lambda { |x| x }` */
function isIdentity({ parameters, body }: WrittenProc): boolean {
  const inner = isRubyNode(parameters, 'BlockParametersNode') ? parameters.parameters : parameters;
  const parameter = isRubyNode(inner, 'ParametersNode') ? inner.requireds[0] : undefined;
  const statement = isRubyNode(body, 'StatementsNode') && body.body.length === 1 ? body.body[0] : undefined;
  return (
    isRubyNode(parameter, 'RequiredParameterNode') &&
    isRubyNode(statement, 'LocalVariableReadNode') &&
    parameter.name === statement.name
  );
}
