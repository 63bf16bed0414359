/** Values that only the files of resource types have. */

import type { RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { OpaqueValue, RegexpValue, type Value } from '../../pcore/index.ts';
import { giveUp } from '../signals.ts';
import { RubyHash, RubyProc, RubySymbol, Unknown } from '../values/ruby-values.ts';
import { toText } from '../values/text.ts';
import type { Frame } from './frame.ts';
import type { Interpreter } from './interpreter.ts';

export { nameOf } from '../arguments.ts';
export { RubyHash, RubySymbol, Unknown, type Value };

export const REGEXP_IGNORE_CASE = 1;
export const REGEXP_EXTENDED = 2;
export const REGEXP_MULTILINE = 4;

/** A regular expression that keeps its options apart, as title patterns have them. */
export class RubyRegexp extends RegexpValue {
  readonly written: string;
  /** Ruby's bits. */
  readonly options: number;

  constructor(written: string, options: number) {
    const letters = `${flag(options, REGEXP_MULTILINE, 'm')}${flag(options, REGEXP_IGNORE_CASE, 'i')}${flag(options, REGEXP_EXTENDED, 'x')}`;
    super(letters === '' ? written : `(?${letters}:${written}${letters.includes('x') ? '\n' : ''})`);
    this.written = written;
    this.options = options;
  }

  /** As in `Regexp#to_s`: a group that carries its options. */
  embedded(): string {
    const { options, written } = this;
    const on = `${flag(options, REGEXP_MULTILINE, 'm')}${flag(options, REGEXP_IGNORE_CASE, 'i')}${flag(options, REGEXP_EXTENDED, 'x')}`;
    const off = Array.from('mix').filter((letter) => !on.includes(letter));
    // Ruby unwraps a pattern that is such a group already.
    if (/^\(\?[^]*\)$/.test(written) || /[^\x20-\x7e\s]/.test(written))
      return giveUp('the text of a regular expression that Ruby rewrites');
    const source = written.replace(/\\[^]|\//g, (part) => (part === '/' ? '\\/' : part));
    return `(?${on}${off.length === 0 ? '' : `-${off.join('')}`}:${source})`;
  }
}

function flag(options: number, bit: number, letter: string): string {
  return (options & bit) === 0 ? '' : letter;
}

/** A block, proc or lambda as it is written, with what it closes over. */
export class WrittenProc extends RubyProc {
  readonly parameters: RubyNode | null;
  readonly body: RubyNode | null;
  readonly frame: Frame;

  constructor(
    { body, parameters }: { readonly parameters: RubyNode | null; readonly body: RubyNode | null },
    isLambda: boolean,
    frame: Frame,
    interpreter: Interpreter,
  ) {
    const yieldAll = (values: readonly Value[]): Value => interpreter.callProc(this, values);
    super(isLambda, { takesOne: isLambda, yieldAll, yield: (value) => yieldAll([value]) });
    this.parameters = parameters;
    this.body = body;
    this.frame = frame;
  }
}

/** `Gem::Version` of a release: numbers alone. */
export class GemVersion extends OpaqueValue {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  /** Below 0 when it is the older one. */
  compare(other: GemVersion): number {
    const [left, right] = [this.text.split('.').map(Number), other.text.split('.').map(Number)];
    for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
      const difference = (left[index] ?? 0) - (right[index] ?? 0);
      if (difference !== 0) return Math.sign(difference);
    }
    return 0;
  }

  equalityKey(): string {
    return `GemVersion:${this.text}`;
  }
}

/** `Pathname` */
export class RubyPath extends OpaqueValue {
  readonly path: string;

  constructor(path: string) {
    super();
    this.path = path;
  }

  equalityKey(): string {
    return `RubyPath:${this.path}`;
  }
}

/** `to_s` for what is interpolated. @throws GiveUp for what has no text here */
export function textOf(value: Value): string {
  if (value instanceof RubyRegexp) return value.embedded();
  if (value instanceof RubyPath) return value.path;
  return value instanceof Unknown ? giveUp(`a text that depends on ${value.what}`) : toText(value);
}

/** The value that a hash has for a symbol. */
export function option(hash: RubyHash, name: string): Value {
  return hash.get(new RubySymbol(name)) ?? null;
}
