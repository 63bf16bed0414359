/** Methods that are everywhere: `require`, `lambda`, `raise` and their like. */

import type { Call } from './calls.ts';
import { methodIn } from './method-table.ts';
import { RubyModule } from './ruby-module.ts';
import { directoryName, resolvePath } from './ruby-paths.ts';
import { RubyRaise, Unmodelled } from './unmodelled.ts';
import { RubyPath, RubyProc, textOf, Unknown, type Value } from './values.ts';

const kernel: Readonly<Record<string, (call: Call) => Value>> = {
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
  format: () => new Unknown('format'),
  sprintf: () => new Unknown('sprintf'),
  Array: ({ args: [value = null] }) => (Array.isArray(value) ? value : value === null ? [] : [value]),
  String: ({ args }) => textOf(args[0] ?? null),
  Pathname: ({ args }) => new RubyPath(textOf(args[0] ?? null)),
  binding: () => new Unknown('binding'),
  freeze: ({ frame }) => frame.self ?? null,
};

export function isKernelCall(name: string): boolean {
  return methodIn(kernel, name) !== undefined;
}

export function callKernel(call: Call): Value {
  const method = methodIn(kernel, call.name);
  if (method === undefined) throw new Unmodelled(`the method ${call.name}`);
  return method(call);
}

function procOf({ block }: Call, isLambda: boolean): RubyProc {
  if (block === undefined) throw new Unmodelled('a lambda without a block');
  return new RubyProc(block.parameters, block.body, block.frame, isLambda);
}

function messageOf(args: readonly Value[]): string {
  const text = args.find((arg) => typeof arg === 'string');
  return typeof text === 'string' ? text : 'unhandled exception';
}

function ruby(path: string): string {
  return path.endsWith('.rb') ? path : `${path}.rb`;
}
