import { describe, expect, test } from 'vitest';
import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import { LookupContext, NO_SUCH_KEY } from '../../hiera/index.ts';
import { PuppetHash, type Value } from '../../pcore/index.ts';
import { DeferredEffects } from '../effects.ts';
import type { ErbContext } from '../erb-context.ts';
import { giveUp } from '../signals.ts';
import { interpretedFunction } from './interpreted-function.ts';

const parser = new RubyParser(prismFiles());

function context(called: string[]): ErbContext {
  return {
    file: undefined,
    classes: [],
    tags: [],
    instanceVariable: () => undefined,
    lookupVariable: (name) => `value of ${name}`,
    hasVariable: () => false,
    variables: () => [],
    isFunctionKnown: () => true,
    callFunction: () => null,
    callLegacyFunction: () => null,
    callRevocably: ({ effects, name }) => {
      effects.defer('change', () => called.push(name));
      return null;
    },
    hasFallback: true,
    isRepeatable: () => false,
  };
}

function call(text: string, args: readonly Value[], method?: string, isForKey = false) {
  const called: string[] = [];
  const caller = context(called);
  const effects = new DeferredEffects('change');
  const found = interpretedFunction(text, 'f', (source) => parser.parse(source));
  const outcome = found.call(
    args,
    { caller, top: caller, effects, file: '/f.rb', isForKey, methodFor: () => giveUp('a signature') },
    method,
  );
  if (outcome.kind === 'returned') effects.perform();
  return { outcome, called };
}

const legacy = (body: string, options = 'type: :rvalue') =>
  `module Puppet::Parser::Functions\n  newfunction(:f, ${options}) do |args|\n${body}\n  end\nend`;
const newer = (body: string) => `Puppet::Functions.create_function(:f) do\n${body}\nend`;

describe('a function of the older kind', () => {
  test('returns what its block returns, also from within', () => {
    const text = legacy('args.each { |x| return x if x.is_a?(Integer) }\n nil');

    expect(call(text, ['a', 2, 3]).outcome).toEqual({ kind: 'returned', value: 2 });
  });

  test('may change its list of arguments, but nothing that others see', () => {
    expect(call(legacy("args.delete('')\nargs"), ['', 'a']).outcome).toEqual({
      kind: 'returned',
      value: ['a'],
    });
    expect(call(legacy('args[0] << 1\nargs'), [[0]]).outcome.kind).toBe('given-up');
    expect(call(legacy("args[0]['a'] = 1"), [new PuppetHash()]).outcome.kind).toBe('given-up');
  });

  test('returns nothing where it is a statement, and sees variables of its caller', () => {
    expect(call(legacy('1', 'type: :statement'), []).outcome).toEqual({ kind: 'returned', value: null });
    expect(call(legacy("lookupvar('x')"), []).outcome).toEqual({ kind: 'returned', value: 'value of x' });
  });

  test('leaves errors, and a wrong number of arguments, to Ruby', () => {
    expect(call(legacy("raise(ArgumentError, 'no')"), []).outcome.kind).toBe('given-up');
    expect(call(legacy('1', 'type: :rvalue, arity: 1'), []).outcome.kind).toBe('given-up');
  });

  test('does in the end what it did, or nothing', () => {
    const text = legacy("function_include(['a'])\nargs[0].is_a?(String) ? 1 : args[0].object_id");

    expect(call(text, ['a'])).toEqual({ outcome: { kind: 'returned', value: 1 }, called: ['include'] });
    expect(call(text, [1])).toMatchObject({ outcome: { kind: 'given-up' }, called: [] });
  });

  test('is given up when it asks for something that it may have changed', () => {
    const text = legacy("function_include(['a'])\nlookupvar('x')");

    expect(call(text, [])).toMatchObject({ outcome: { kind: 'given-up' }, called: [] });
  });
});

describe('a function of the newer kind', () => {
  test('has methods with optional and repeated parameters, which call each other', () => {
    const text = newer(
      "def run(a, b = 'b', *rest)\n  join([a, b] + rest)\nend\ndef join(all)\n  all.join('-')\nend",
    );

    expect(call(text, ['1'], 'run').outcome).toEqual({ kind: 'returned', value: '1-b' });
    expect(call(text, ['1', '2', '3', '4'], 'run').outcome).toEqual({ kind: 'returned', value: '1-2-3-4' });
    expect(call(text, [], 'run').outcome.kind).toBe('given-up');
  });

  test('returns a hash that cannot be changed any more', () => {
    const { outcome } = call(newer('def run\n  { 1 => [:undef] }\nend'), [], 'run');

    expect(outcome).toEqual({ kind: 'returned', value: new PuppetHash([[1, [null]]]) });
  });
});

describe('`return` at the end of a branch', () => {
  const text = newer(`def run(a, b)
    return 'none' if a.nil?
    seen = [a]
    return seen unless b
    if a == 1
      return 'one' if b == 1
      seen << b
    elsif a == 2
      return
    else
      seen.each { |x| return [x, b] if x == 3 }
      b == 4 ? (return 'four') : 'other'
    end
  end`);

  test.each([
    [null, 1, 'none'],
    [1, null, [1]],
    [1, 1, 'one'],
    [1, 2, [1, 2]],
    [2, 2, null],
    [3, 2, [3, 2]],
    [4, 4, 'four'],
    [4, 5, 'other'],
  ])('of a method with %j and %j gives %j', (a, b, value) => {
    expect(call(text, [a, b], 'run').outcome).toEqual({ kind: 'returned', value });
  });
});

describe('`not_found` of a backend', () => {
  const backend = newer(`def run(key, context)
    return context.not_found unless key.start_with?('a')
    return other(context) if key == 'ab'
    key
  end
  def other(context)
    context.not_found
  end`);
  // Its parts are for what is not called here.
  const context = new LookupContext({} as ConstructorParameters<typeof LookupContext>[0]);

  test('is an answer at the end of a method that is called for a key', () => {
    const found = call(backend, ['a', context], 'run', true);
    const missing = call(backend, ['b', context], 'run', true);

    expect(found.outcome).toEqual({ kind: 'returned', value: 'a' });
    expect(missing.outcome).toEqual({ kind: 'returned', value: NO_SUCH_KEY });
  });

  test('is thrown through everything else', () => {
    expect(() => call(backend, ['b', context], 'run')).toThrow('no such key');
    expect(() => call(backend, ['ab', context], 'run', true)).toThrow('no such key');
  });
});

describe('a file that is left to Ruby', () => {
  test.each([
    ['defines more than a function', `X = 1\n${newer('def run\n 1\nend')}`],
    ['defines another one', newer('def run\n 1\nend').replace(':f', ':g')],
    ['includes something', newer('include Comparable\ndef run\n 1\nend')],
    ['loads an unknown library', `require 'some_gem'\n${newer('def run\n 1\nend')}`],
    ['keeps something', newer('def run\n @calls = 1\nend')],
    ['takes a block', newer('def run\n yield\nend')],
    ['is no Ruby', newer('def run(')],
  ])('%s', (_what, text) => {
    expect(call(text, [], 'run').outcome.kind).toBe('given-up');
  });

  test('a method in a function of the older kind, which Puppet refuses', () => {
    expect(call(legacy('def x\n 1\nend\n1'), []).outcome.kind).toBe('given-up');
  });
});
