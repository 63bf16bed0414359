import {
  Float,
  formatFloat,
  formatInteger,
  formatText,
  isArray,
  isInteger,
  type Value,
} from '../../pcore/index.ts';
import { giveUp, raise } from '../signals.ts';
import { number } from '../values/comparison.ts';
import { inspectValue, toText } from '../values/text.ts';
import { assertNoTie } from './number-methods.ts';

const DIRECTIVE = /%(%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z])|)/g;

/** `format(text, *args)` and `text % args`. Named and numbered arguments are left to Ruby. */
export function formatTemplate(format: string, given: Value): string {
  const args = isArray(given) ? given : [given];
  let next = 0;
  return format.replaceAll(DIRECTIVE, (directive: string, rest: string, letter: string | undefined) => {
    if (rest === '%') return '%';
    if (letter === undefined) return giveUp('a directive of format');
    if (next >= args.length) return raise('too few arguments');
    const value = args[next] ?? null;
    next += 1;
    return formatOne(directive, letter, value);
  });
}

function formatOne(directive: string, letter: string, value: Value): string {
  switch (letter) {
    case 's':
      return formatText(directive, toText(value));
    case 'p':
      return formatText(directive, inspectValue(value));
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'b':
      return formatInteger(directive, wholeOf(value));
    case 'f':
    case 'e':
    case 'g':
      return formatNumber(directive, letter, value);
    default:
      return giveUp(`the directive %${letter}`);
  }
}

function wholeOf(value: Value): number | bigint {
  if (isInteger(value)) return value;
  if (typeof value === 'string' && /^-?[1-9]\d{0,14}$|^0$/.test(value)) return Number(value);
  if (value instanceof Float && Math.abs(value.value) < 2 ** 53) return Math.trunc(value.value);
  return giveUp('such an integer in format');
}

function formatNumber(directive: string, letter: string, value: Value): string {
  const real = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : number(value);
  if (typeof real !== 'number' || !Number.isFinite(real)) return giveUp('such a float in format');
  if (letter !== 'f' && !Number.isInteger(real)) giveUp(`the directive %${letter}`);
  assertNoTie(real, Number(/\.(\d+)/.exec(directive)?.[1] ?? 6));
  return formatFloat(directive, real);
}
