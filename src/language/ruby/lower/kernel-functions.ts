/** Methods of Kernel, which are called without a receiver. */

import { Float, integer, isArray, isInteger, PuppetHash, type Value } from '../../pcore/index.ts';
import { at, text } from '../arguments.ts';
import { formatTemplate } from '../methods/index.ts';
import { counted, type SelfFunction } from '../profiles/profile.ts';
import type { Run } from '../run.ts';
import { giveUp, raise } from '../signals.ts';
import { RubySymbol } from '../values/ruby-values.ts';
import { toText } from '../values/text.ts';

export const kernelFunctions: ReadonlyMap<string, SelfFunction> = new Map<string, SelfFunction>([
  ['Array', counted(1, (args, run) => arrayOf(at(args, 0), run))],
  ['String', counted(1, (args) => toText(at(args, 0)))],
  ['Integer', counted(1, (args) => integerOf(at(args, 0)))],
  ['Float', counted(1, (args) => floatOf(at(args, 0)))],
  ['format', (args) => formatTemplate(text(at(args, 0)), args.slice(1))],
  ['sprintf', (args) => formatTemplate(text(at(args, 0)), args.slice(1))],
  ['raise', counted(1, (args) => raise(text(at(args, 0))))],
  ['fail', counted(1, (args) => raise(text(at(args, 0))))],
]);

function arrayOf(value: Value, run: Run): Value {
  if (value === null) return run.own([]);
  if (isArray(value)) return value;
  if (value instanceof PuppetHash) return run.own(Array.from(value, (pair) => run.own([...pair])));
  const isPlain = typeof value !== 'object' || value instanceof Float || value instanceof RubySymbol;
  return isPlain ? run.own([value]) : giveUp('Array() of an object');
}

function integerOf(value: Value): Value {
  if (isInteger(value)) return value;
  if (value instanceof Float && Number.isFinite(value.value)) return integer(BigInt(Math.trunc(value.value)));
  if (value === null) return raise("can't convert nil into Integer");
  return typeof value === 'string' && /^[-+]?(?:0|[1-9]\d*)$/.test(value)
    ? integer(BigInt(value.replace('+', '')))
    : giveUp('such an integer');
}

function floatOf(value: Value): Value {
  if (value instanceof Float) return value;
  if (isInteger(value)) return new Float(Number(value));
  if (value === null) return raise("can't convert nil into Float");
  return typeof value === 'string' && /^[-+]?\d+(?:\.\d+)?$/.test(value)
    ? new Float(Number(value))
    : giveUp('such a float');
}
