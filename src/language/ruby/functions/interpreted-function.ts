/** A function of a module that was written in Ruby, run without Ruby as far as what it does is modelled. */

import { NO_SUCH_KEY } from '../../hiera/index.ts';
import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import { Lowering } from '../lower/lowering.ts';
import { lowerLegacyBlock, lowerMethod, type RubyMethod } from '../lower/methods.ts';
import { ownedStrings } from '../lower/string-ownership.ts';
import { legacyFunction, newerFunction } from '../profiles/functions.ts';
import { type FunctionPlace, Run } from '../run.ts';
import { GiveUp, giveUp, RubyFailure } from '../signals.ts';
import { lineAt, type ParseRuby } from '../templates/compiled-template.ts';
import { kindOf } from '../values/kinds.ts';
import { RubyResource, RubySymbol } from '../values/ruby-values.ts';
import { functionSource, type LegacySource, type NewerSource } from './function-source.ts';

export type Outcome =
  | { readonly kind: 'returned'; readonly value: Value }
  /** Nothing has been done: real Ruby has to run the function. */
  | { readonly kind: 'given-up'; readonly reason: string };

export interface InterpretedFunction {
  /**
   * @param method - of a function of the newer kind: the method behind the signature that was chosen
   * @throws what the language throws that is no error: the function ends with it
   */
  call(args: readonly Value[], place: FunctionPlace, method?: string): Outcome;
}

type Interpret = (args: readonly Value[], place: FunctionPlace, method: string | undefined) => Value;

/** Never throws: a file that is not modelled gives up whenever it is called. */
export function interpretedFunction(text: string, name: string, parse: ParseRuby): InterpretedFunction {
  let interpret: Interpret;
  try {
    interpret = lowered(text, name, parse);
  } catch (error) {
    if (!(error instanceof GiveUp)) throw error;
    interpret = () => giveUp(error.reason);
  }
  return { call: (args, place, method) => outcome(() => interpret(args, place, method)) };
}

/** Errors are left to Ruby, too: it knows best what to say. */
function outcome(run: () => Value): Outcome {
  try {
    return { kind: 'returned', value: run() };
  } catch (error) {
    if (error instanceof GiveUp) return { kind: 'given-up', reason: error.reason };
    if (error instanceof RubyFailure || error instanceof PuppetError || error instanceof RangeError)
      return { kind: 'given-up', reason: error.message };
    throw error;
  }
}

const MAGIC_COMMENT = /^#.*coding\s*[=:]\s*(?!utf-?8\b)/im;

function lowered(text: string, name: string, parse: ParseRuby): Interpret {
  if (MAGIC_COMMENT.test(text)) giveUp('a magic comment');
  if (text.includes('\ufffd')) giveUp('bytes that are no characters');
  const { error, root } = parse(text);
  if (error !== undefined) giveUp(`a syntax error: ${error.message}`);
  const source = functionSource(root);
  if (source.name !== name) giveUp('a file that defines another function');
  return source.api === '3.x' ? legacy(source, text) : newer(source, text);
}

const NONE: ReadonlySet<string> = new Set();

function legacy({ arity, block, isRvalue }: LegacySource, text: string): Interpret {
  const lowering = new Lowering({
    texts: [],
    ownedStrings: ownedStrings(block, text),
    definedMethods: NONE,
    profile: legacyFunction,
  });
  const perform = lowerLegacyBlock(block, lowering);
  return (args, place) => {
    if (arity >= 0 ? args.length !== arity : args.length < -arity - 1) giveUp('the number of arguments');
    const run = new Run(place.caller, place);
    const result = perform(run, [run.own([...args])]);
    return isRvalue ? resultOf(result, run) : null;
  };
}

function newer({ methods }: NewerSource, text: string): Interpret {
  const known: ReadonlySet<string> = new Set(methods.keys());
  const lowered = new Map<string, RubyMethod>();
  for (const [name, node] of methods) {
    const lowering = new Lowering({
      texts: [],
      ownedStrings: ownedStrings(node, text),
      definedMethods: known,
      profile: newerFunction,
      placeOf: (offset) => `${lineAt(text, offset)}:in \`${name}'`,
    });
    lowered.set(
      name,
      methodOrNothing(() => lowerMethod(node, lowering)),
    );
  }
  return (args, place, method = '') => {
    const perform = lowered.get(method) ?? giveUp(`the method ${method}`);
    const run = new Run(place.caller, place, lowered);
    return resultOf(perform(run, args), run);
  };
}

/** Methods that are never called may be whatever they are. */
function methodOrNothing(lower: () => RubyMethod): RubyMethod {
  try {
    return lower();
  } catch (error) {
    if (!(error instanceof GiveUp)) throw error;
    return () => giveUp(error.reason);
  }
}

/** What a function returns, as the language knows it. What the function could not have changed is as it was. */
function resultOf(value: Value, run: Run): Value {
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) return itemsOf(value, run);
  if (value.constructor === PuppetHash || value === NO_SUCH_KEY) return value;
  if (value instanceof PuppetHash)
    return new PuppetHash(
      Array.from(value, ([key, item]) => [resultOf(key, run), resultOf(item, run)] as const),
    );
  if (value instanceof RubyResource) return value.written ?? giveUp('a resource as a result');
  if (value instanceof RubySymbol) return value.name === 'undef' ? null : giveUp('a symbol as a result');
  return RETURNED.has(kindOf(value)) ? value : giveUp(`a ${kindOf(value)} as a result`);
}

function itemsOf(items: readonly Value[], run: Run): readonly Value[] {
  const made = items.map((item) => resultOf(item, run));
  return !run.owns(items) && made.every((item, index) => item === items[index]) ? items : made;
}

const RETURNED: ReadonlySet<string> = new Set(['Float', 'Sensitive']);
