import { Float, integer, isArray, PuppetHash, RegexpValue, type Value } from '../../pcore/index.ts';
import { array, at, small, text } from '../arguments.ts';
import type { Run } from '../run.ts';
import { giveUp, raise } from '../signals.ts';
import { characterSet, isInSet, translate } from '../values/character-set.ts';
import { compareValues } from '../values/comparison.ts';
import {
  characters,
  isAscii,
  lookupReplacement,
  match,
  matchPosition,
  type Replacement,
  substitute,
  templateReplacement,
} from '../values/matching.ts';
import { type Block, RubyMatch, RubyRange, RubySymbol } from '../values/ruby-values.ts';
import { splitText } from '../values/splitting.ts';
import { successor } from '../values/string-succession.ts';
import { toText } from '../values/text.ts';
import { formatTemplate } from './format-text.ts';
import { type Method, type MethodTable, maybeBlock, plain, withBlock } from './method.ts';
import { rangeOf } from './positions.ts';

const LEADING = /^[\0\t\n\v\f\r ]+/;
const TRAILING = /[\0\t\n\v\f\r ]+$/;

const tests: MethodTable = {
  'empty?': plain(0, 0, (self: string) => self === ''),
  'include?': plain(1, 1, (self: string, [part]) => self.includes(text(part))),
  'start_with?': plain(0, Infinity, (self: string, parts, run) =>
    parts.some((part) =>
      part instanceof RegexpValue ? startsWith(self, part, run) : self.startsWith(text(part)),
    ),
  ),
  'end_with?': plain(0, Infinity, (self: string, parts) => parts.some((part) => self.endsWith(text(part)))),
  '=~': plain(1, 1, (self: string, args, run) => matchPosition(at(args, 0), self, run)),
  'match?': plain(1, 1, (self: string, [pattern]) => patternOf(pattern).test(self)),
  match: plain(1, 1, (self: string, [pattern], run) => match(patternOf(pattern), self, run)),
  'between?': plain(2, 2, (self: string, [low, high]) => order(self, low) >= 0 && order(self, high) <= 0),
  '<': plain(1, 1, (self: string, [other]) => order(self, other) < 0),
  '<=': plain(1, 1, (self: string, [other]) => order(self, other) <= 0),
  '>': plain(1, 1, (self: string, [other]) => order(self, other) > 0),
  '>=': plain(1, 1, (self: string, [other]) => order(self, other) >= 0),
  casecmp: plain(
    1,
    1,
    (self: string, [other]) =>
      compareValues(ascii(self).toLowerCase(), ascii(text(other)).toLowerCase()) ?? null,
  ),
  'casecmp?': plain(
    1,
    1,
    (self: string, [other]) => ascii(self).toLowerCase() === ascii(text(other)).toLowerCase(),
  ),
};

const changes: MethodTable = {
  '+': plain(1, 1, (self: string, [other]) => self + text(other)),
  '*': plain(1, 1, (self: string, [times]) => repeated(self, small(times))),
  '%': plain(1, 1, (self: string, [given = null]) =>
    given instanceof PuppetHash ? giveUp('named arguments of format') : formatTemplate(self, given),
  ),
  '+@': plain(0, 0, (self) => self),
  '-@': plain(0, 0, (self) => self),
  upcase: plain(0, 0, (self: string) => ascii(self).toUpperCase()),
  downcase: plain(0, 0, (self: string) => ascii(self).toLowerCase()),
  capitalize: plain(
    0,
    0,
    (self: string) => ascii(self).charAt(0).toUpperCase() + self.slice(1).toLowerCase(),
  ),
  swapcase: plain(0, 0, (self: string) =>
    ascii(self).replace(/[a-zA-Z]/g, (letter) =>
      letter < 'a' ? letter.toLowerCase() : letter.toUpperCase(),
    ),
  ),
  strip: plain(0, 0, (self: string) => self.replace(LEADING, '').replace(TRAILING, '')),
  lstrip: plain(0, 0, (self: string) => self.replace(LEADING, '')),
  rstrip: plain(0, 0, (self: string) => self.replace(TRAILING, '')),
  chomp: plain(0, 1, (self: string, [end]) => {
    if (end === undefined || end === '\n') return self.replace(/(?:\r\n|\n|\r)$(?![\s\S])/, '');
    const ending = text(end);
    return ending !== '' && self.endsWith(ending)
      ? self.slice(0, -ending.length)
      : ending === ''
        ? giveUp('chomp')
        : self;
  }),
  chop: plain(0, 0, (self: string) => self.replace(/(?:\r\n|[\s\S])$(?![\s\S])/u, '')),
  chr: plain(0, 0, (self: string) => Array.from(self)[0] ?? ''),
  reverse: plain(0, 0, (self: string) => Array.from(self).reverse().join('')),
  ljust: plain(1, 2, (self: string, [width, pad = ' ']) => self + padding(self, width, pad)),
  rjust: plain(1, 2, (self: string, [width, pad = ' ']) => padding(self, width, pad) + self),
  center: plain(1, 2, (self: string, [width, pad = ' ']) => centered(self, small(width), text(pad))),
  tr: plain(2, 2, (self: string, [from, to]) => translate(self, text(from), text(to))),
  delete: plain(1, 1, (self: string, [spec]) => {
    const set = characterSet(text(spec));
    return Array.from(self, (character) => (isInSet(set, character) ? '' : character)).join('');
  }),
  squeeze: plain(0, 1, (self: string, [spec]) => {
    const set = spec === undefined ? undefined : characterSet(text(spec));
    return Array.from(self)
      .filter(
        (character, index, all) =>
          character !== all[index - 1] || !(set === undefined || isInSet(set, character)),
      )
      .join('');
  }),
  delete_prefix: plain(1, 1, (self: string, [part]) =>
    self.startsWith(text(part)) ? self.slice(text(part).length) : self,
  ),
  delete_suffix: plain(1, 1, (self: string, [part]) =>
    text(part) !== '' && self.endsWith(text(part)) ? self.slice(0, -text(part).length) : self,
  ),
  gsub: substitution(true),
  sub: substitution(false),
};

const parts: MethodTable = {
  length: plain(0, 0, (self: string) => characters(self)),
  size: plain(0, 0, (self: string) => characters(self)),
  sum: plain(
    0,
    0,
    (self: string) => new TextEncoder().encode(self).reduce((sum, byte) => sum + byte, 0) % 2 ** 16,
  ),
  bytesize: plain(0, 0, (self: string) => new TextEncoder().encode(self).length),
  chars: plain(0, 0, (self: string, _args, run) => run.own(Array.from(self))),
  lines: plain(0, 0, (self: string, _args, run) => run.own(linesOf(self))),
  each_line: withBlock(0, 0, (self: string, block) => each(self, linesOf(self), block)),
  each_char: withBlock(0, 0, (self: string, block) => each(self, Array.from(self), block)),
  split: plain(0, 2, (self: string, [separator = null, limit = 0], run) => {
    const isKnown = separator === null || typeof separator === 'string' || separator instanceof RegexpValue;
    return isKnown ? run.own(splitText(self, separator, small(limit))) : giveUp('such a separator');
  }),
  scan: maybeBlock(1, 1, (self: string, [pattern], run, block) =>
    scan(self, patternOf(pattern), { run, block }),
  ),
  '[]': plain(1, 2, slice),
  slice: plain(1, 2, slice),
  index: plain(1, 1, (self: string, [part], run) => {
    if (part instanceof RegexpValue) return matchPosition(part, self, run);
    const found = self.indexOf(text(part));
    return found === -1 ? null : characters(self.slice(0, found));
  }),
  rindex: plain(1, 1, (self: string, [part]) => {
    const found = self.lastIndexOf(text(part));
    return found === -1 ? null : characters(self.slice(0, found));
  }),
  count: plain(1, 1, (self: string, [spec]) => {
    const set = characterSet(text(spec));
    return Array.from(self).filter((character) => isInSet(set, character)).length;
  }),
  partition: plain(1, 1, (self: string, [separator], run) => {
    const found = self.indexOf(text(separator));
    if (found === -1) return run.own([self, '', '']);
    return run.own([self.slice(0, found), text(separator), self.slice(found + text(separator).length)]);
  }),
  rpartition: plain(1, 1, (self: string, [separator], run) => {
    const found = self.lastIndexOf(text(separator));
    if (found === -1) return run.own(['', '', self]);
    return run.own([self.slice(0, found), text(separator), self.slice(found + text(separator).length)]);
  }),
};

const conversions: MethodTable = {
  to_str: plain(0, 0, (self) => self),
  succ: plain(0, 0, (self: string) => successor(self)),
  next: plain(0, 0, (self: string) => successor(self)),
  to_sym: plain(0, 0, (self: string) => new RubySymbol(self)),
  intern: plain(0, 0, (self: string) => new RubySymbol(self)),
  to_i: plain(0, 1, (self: string, [radix = 10]) => {
    if (radix !== 10) return giveUp('to_i with a radix');
    const digits = /^\s*([-+]?\d+(?:_\d+)*)/.exec(self)?.[1];
    return digits === undefined ? 0 : integer(BigInt(digits.replace('+', '').replaceAll('_', '')));
  }),
  to_f: plain(0, 0, (self: string) => {
    if (self.includes('_') || /^\s*[-+]?(?:0x|\.)/i.test(self)) return giveUp('such a float');
    return new Float(Number(/^\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)/i.exec(self)?.[1] ?? 0));
  }),
  hex: plain(0, 0, (self: string) => {
    const digits = /^(?:0x)?([0-9a-f]+)$/i.exec(self)?.[1];
    return digits === undefined ? giveUp('such a number') : integer(BigInt(`0x${digits}`));
  }),
  ord: plain(0, 0, (self: string) => self.codePointAt(0) ?? raise('empty string')),
};

export const stringMethods: MethodTable = { ...tests, ...changes, ...parts, ...conversions };

export const patternMethods: MethodTable = {
  '=~': plain(1, 1, (self: RegexpValue, args, run) => matchPosition(self, at(args, 0), run)),
  match: plain(1, 1, (self: RegexpValue, [subject], run) => {
    if (subject !== null) return match(self, text(subject), run);
    run.match = null;
    return null;
  }),
  'match?': plain(1, 1, (self: RegexpValue, [subject]) => subject !== null && self.test(text(subject))),
};

/** Ruby's tables of cases agree with those of JavaScript for ASCII. */
function ascii(value: string): string {
  return isAscii(value) ? value : giveUp('the case of letters that are not ASCII');
}

function order(self: string, other: Value | undefined): number {
  return typeof other === 'string' ? (compareValues(self, other) ?? 0) : giveUp('a comparison of a string');
}

function patternOf(value: Value | undefined): RegexpValue {
  return value instanceof RegexpValue ? value : giveUp('a pattern that is no regular expression');
}

function startsWith(self: string, pattern: RegexpValue, run: Run): boolean {
  const found = pattern.exec(self);
  if (found !== null && found.index !== 0) giveUp('start_with? with a pattern');
  run.match = found === null ? null : new RubyMatch(found);
  return found !== null;
}

function repeated(self: string, times: number): string {
  if (times < 0) return raise('argument must be non-negative');
  return times * self.length > 2 ** 24 ? giveUp('such a long string') : self.repeat(times);
}

function padding(self: string, width: Value | undefined, pad: Value): string {
  const missing = small(width) - characters(self);
  if (text(pad) === '') return raise('zero width padding');
  return missing <= 0 ? '' : padded(text(pad), missing);
}

function padded(pad: string, length: number): string {
  if (!isAscii(pad) || length > 2 ** 20) giveUp('such a padding');
  return pad.repeat(Math.ceil(length / pad.length)).slice(0, length);
}

function centered(self: string, width: number, pad: string): string {
  const missing = width - characters(self);
  if (pad === '') return raise('zero width padding');
  if (missing <= 0) return self;
  const left = Math.floor(missing / 2);
  return padded(pad, left) + self + padded(pad, missing - left);
}

function substitution(isGlobal: boolean): Method {
  return maybeBlock(1, 2, (self: string, [pattern = null, by], run, block) =>
    substitute(self, pattern, replacementOf(by, block), { isGlobal, run }),
  );
}

function replacementOf(by: Value | undefined, block: Block | undefined): Replacement {
  if (by instanceof PuppetHash) return lookupReplacement((key) => by.get(key) ?? null);
  if (by !== undefined) return templateReplacement(text(by));
  if (block === undefined) return giveUp('a substitution without replacement');
  return (_found, whole) => toText(block.yield(whole));
}

function linesOf(value: string): string[] {
  return value.match(/[^\n]*\n|[^\n]+$(?![\s\S])/g) ?? [];
}

function each(self: string, items: readonly string[], block: Block): Value {
  for (const item of items) block.yield(item);
  return self;
}

function scan(
  self: string,
  pattern: RegexpValue,
  { block, run }: { readonly run: Run; readonly block: Block | undefined },
): Value {
  const items: Value[] = [];
  for (const found of pattern.matchAll(self)) {
    run.match = new RubyMatch(found);
    const item = found.length === 1 ? found[0] : run.own(found.slice(1).map((group) => group ?? null));
    if (block === undefined) items.push(item);
    else block.yield(item);
  }
  return block === undefined ? run.own(items) : self;
}

function slice(self: string, args: readonly Value[], run: Run): Value {
  const [first = null, second] = args;
  if (first instanceof RegexpValue) {
    const found = match(first, self, run);
    if (second !== undefined && typeof second !== 'number') return giveUp('a named group');
    return found === null ? null : found.group(second ?? 0);
  }
  if (typeof first === 'string')
    return second === undefined ? (self.includes(first) ? first : null) : giveUp('slice');
  const units = Array.from(self);
  if (first instanceof RubyRange || second !== undefined) {
    const range = rangeOf(array(args), units.length);
    return range === undefined ? null : units.slice(range.start, range.start + range.length).join('');
  }
  const index = small(first);
  if (isArray(first)) return giveUp('slice');
  return units.at(index) ?? null;
}
