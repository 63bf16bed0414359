/** Methods that are everywhere: `require`, `lambda`, `raise` and their like. */

import { kernelFunctions } from '../lower/kernel-functions.ts';
import { GiveUp } from '../signals.ts';
import { directoryName, resolvePath } from '../values/file-names.ts';
import type { RubyProc } from '../values/ruby-values.ts';
import type { Call } from './calls.ts';
import { RubyModule } from './ruby-module.ts';
import { RubyRaise, Unmodelled } from './unmodelled.ts';
import { RubyPath, textOf, Unknown, type Value, WrittenProc } from './values.ts';

const kernel: ReadonlyMap<string, (call: Call) => Value> = new Map(
  Object.entries<(call: Call) => Value>({
    require: ({ args, interpreter }) => {
      const [feature] = args;
      if (feature instanceof Unknown) throw new Unmodelled(`a file to require from ${feature.what}`);
      const name = textOf(feature ?? null);
      const path = name.startsWith('/') ? ruby(name) : interpreter.files.find(ruby(name));
      return path === undefined ? true : interpreter.load(path);
    },
    require_relative: ({ args, frame, interpreter }) =>
      interpreter.load(ruby(resolvePath(`${frame.file}/..`, textOf(args[0] ?? null)))),
    __dir__: ({ frame }) => directoryName(frame.file),
    load: ({ args, interpreter }) => interpreter.load(textOf(args[0] ?? null)),
    lambda: (call) => procOf(call, true),
    proc: (call) => procOf(call, false),
    raise: ({ args }) => {
      throw new RubyRaise(args[0] instanceof RubyModule ? args[0].path : 'RuntimeError', messageOf(args));
    },
    fail: ({ args }) => {
      throw new RubyRaise('RuntimeError', messageOf(args));
    },
    'block_given?': ({ frame }) => frame.block !== undefined,
    puts: () => null,
    print: () => null,
    p: () => null,
    warn: () => null,
    _: ({ args }) => args[0] ?? null,
    format: formatted,
    sprintf: formatted,
    Array: ofRuby('Array'),
    String: ofRuby('String'),
    Integer: ofRuby('Integer'),
    Pathname: ({ args }) => new RubyPath(textOf(args[0] ?? null)),
    binding: () => new Unknown('binding'),
    freeze: ({ frame }) => frame.self ?? null,
  }),
);

export function isKernelCall(name: string): boolean {
  return kernel.has(name);
}

export function callKernel(call: Call): Value {
  const method = kernel.get(call.name);
  if (method === undefined) throw new Unmodelled(`the method ${call.name}`);
  return method(call);
}

function ofRuby(name: string): (call: Call) => Value {
  return ({ args, interpreter }) => {
    const unknown = args.find((arg) => arg instanceof Unknown);
    if (unknown !== undefined) throw new Unmodelled(`${name} of ${unknown.what}`);
    return kernelFunctions.get(name)?.(args, interpreter.run) ?? null;
  };
}

/** Most of them are messages. */
function formatted(call: Call): Value {
  try {
    return ofRuby('format')(call);
  } catch (error) {
    if (error instanceof GiveUp || error instanceof Unmodelled) return new Unknown('format');
    throw error;
  }
}

function procOf({ block, interpreter }: Call, isLambda: boolean): RubyProc {
  if (!(block instanceof WrittenProc)) throw new Unmodelled('a lambda without a block');
  return new WrittenProc(block, isLambda, block.frame, interpreter);
}

function messageOf(args: readonly Value[]): string {
  const text = args.find((arg) => typeof arg === 'string');
  return typeof text === 'string' ? text : 'unhandled exception';
}

function ruby(path: string): string {
  return path.endsWith('.rb') ? path : `${path}.rb`;
}
