import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import type { RegexpValue, Value } from '../../pcore/index.ts';
import { array, text } from '../arguments.ts';
import { callLegacy, callMethod, invoke, methodsNamed } from '../methods/index.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { TEXT_CALL } from '../templates/erb-source.ts';
import { ChangedString, type RubyHash, RubyScope, UNUSABLE } from '../values/ruby-values.ts';
import { toText } from '../values/text.ts';
import { lowerBlock } from './blocks.ts';
import { constructors } from './constructors.ts';
import { catching } from './controls.ts';
import { kernelFunctions } from './kernel-functions.ts';
import { lowerHash, lowerItems, patternFrom } from './literals.ts';
import type { Lowerer } from './lowerers.ts';
import type { Lowering } from './lowering.ts';
import { lowerMethod } from './methods.ts';
import { list } from './node.ts';
import { OUTPUT, outputArgument, outputExpression } from './output.ts';
import { lowerProc, procCall } from './procs.ts';
import { isHarmlessRequire } from './requires.ts';
import { isFreshString } from './string-ownership.ts';
import { local } from './variables.ts';

const SAFE_NAVIGATION = 4;

type Arguments = (run: Run) => Value[];
type CallNode = RubyNodeOf<'CallNode'>;

export const calls: Readonly<Record<string, Lowerer>> = {
  CallNode: (node, lowering) => (isRubyNode(node, 'CallNode') ? call(node, lowering) : giveUp('a call')),
  DefNode: (node, lowering) => (isRubyNode(node, 'DefNode') ? definition(node, lowering) : giveUp('def')),
  LambdaNode: (node, lowering) =>
    isRubyNode(node, 'LambdaNode') ? lowerProc(node, true, lowering) : giveUp('a lambda'),
};

function call(node: CallNode, lowering: Lowering): Code {
  const written = output(node, lowering) ?? appended(node, lowering);
  if (written !== undefined) return written;
  if (node.receiver === null) return functionCall(node, lowering);
  const made = procCall(node, lowering) ?? constructors(node, lowering) ?? redispatch(node, lowering);
  return made ?? methodCall(node, node.receiver, lowering);
}

/** `<%= expression %>` and whatever else is appended to the output. */
function output(node: CallNode, lowering: Lowering): Code | undefined {
  const expression = outputExpression(node);
  if (expression !== undefined) {
    const code = lowering.lower(expression);
    return (run) => {
      run.out += toText(code(run));
      return CHANGED;
    };
  }
  const argument = outputArgument(node);
  if (argument === undefined) return undefined;
  const code = lowering.lower(argument);
  return (run) => {
    run.out += text(code(run));
    return CHANGED;
  };
}

const CHANGED = new ChangedString();

/** `text << more << more`, with a string that is not seen elsewhere. */
function appended(node: CallNode, lowering: Lowering): Code | undefined {
  if (node.name !== '<<') return undefined;
  const parts: RubyNode[] = [];
  let base: RubyNode | null = node;
  while (isRubyNode(base, 'CallNode') && base.name === '<<') {
    const [part] = base.arguments === null ? [] : list(base.arguments, 'arguments');
    if (part === undefined) return undefined;
    parts.unshift(part);
    base = base.receiver;
  }
  if (base !== null && isFreshString(base)) return joined(base, parts, lowering);
  if (!isRubyNode(base, 'LocalVariableReadNode') || !lowering.ownedStrings.has(base.name)) return undefined;
  if (base.name === OUTPUT) return undefined;
  const { read, write } = local(base, lowering);
  const codes = parts.map((part) => lowering.lower(part));
  return (run) => {
    for (const code of codes) {
      const more = code(run);
      const known = read(run);
      if (typeof known !== 'string') callMethod(known, '<<', [more], run);
      else write(run, known + text(more));
    }
    return CHANGED;
  };
}

/** `"#{text}\n" << more`: only the result is seen. */
function joined(base: RubyNode, parts: readonly RubyNode[], lowering: Lowering): Code {
  const first = lowering.lower(base);
  const codes = parts.map((part) => lowering.lower(part));
  return (run) => {
    let known = first(run);
    for (const code of codes) {
      const more = code(run);
      known = typeof known === 'string' ? known + text(more) : callMethod(known, '<<', [more], run);
    }
    return known;
  };
}

/** `self.class.dispatcher.dispatch(self, scope, arguments)`: a function that changes its arguments first. */
function redispatch(node: CallNode, lowering: Lowering): Code | undefined {
  const { receiver } = node;
  if (lowering.profile.isDispatched !== true || node.name !== 'dispatch' || !isRubyNode(receiver, 'CallNode'))
    return undefined;
  const owner = receiver.receiver;
  const isDispatcher =
    receiver.name === 'dispatcher' &&
    isRubyNode(owner, 'CallNode') &&
    owner.name === 'class' &&
    isRubyNode(owner.receiver, 'SelfNode');
  const [self, scope, given, ...more] = node.arguments === null ? [] : list(node.arguments, 'arguments');
  if (!isDispatcher || !isRubyNode(self, 'SelfNode') || scope === undefined || given === undefined)
    return undefined;
  if (more.length > 0 || node.block !== null) return undefined;
  const args = lowering.lower(given);
  const before = lowering.lower(scope);
  return (run) => {
    before(run);
    return run.redispatch(array(args(run)));
  };
}

function methodCall(node: CallNode, receiverNode: RubyNode, lowering: Lowering): Code {
  const receiver = lowering.lower(receiverNode);
  const { name, offset } = node;
  const args = argumentsOf(node, lowering, { takesHash: TAKE_HASH.has(name) });
  const methods = methodsNamed(name);
  const legacy = /^function_(\w+)$/.exec(name)?.[1];
  const isSafe = (node.flags & SAFE_NAVIGATION) !== 0;
  if (methods === undefined && legacy === undefined) return giveUp(`the method ${name}`);
  const block = node.block === null ? undefined : lowerBlock(node.block, lowering);
  const found = methods ?? new Map();
  const patterns = name === 'match' || name === 'match?' ? new Map<string, RegexpValue>() : undefined;
  const perform: Code = (run) => {
    const self = receiver(run);
    if (isSafe && self === null) return null;
    const written = args(run);
    const given = patterns !== undefined && typeof self === 'string' ? compiled(written, patterns) : written;
    run.offset = offset;
    if (legacy !== undefined)
      return self instanceof RubyScope ? callLegacy(legacy, given, run) : giveUp(name);
    return invoke(found, self, { name, args: given, run, block: block?.make(run) });
  };
  return block?.hasBreak === true ? catching('break', perform) : perform;
}

const MAX_PATTERNS = 100;

/** `text.match('pattern')`: text as the only argument is a pattern, as for `Regexp.new`. */
function compiled(args: Value[], known: Map<string, RegexpValue>): Value[] {
  const [source, ...more] = args;
  if (typeof source !== 'string' || more.length > 0) return args;
  const pattern = known.get(source) ?? patternFrom(source);
  if (known.size < MAX_PATTERNS) known.set(source, pattern);
  return [pattern];
}

/** Calls without a receiver: texts of the template, functions of Kernel and of `self`. */
function functionCall(node: CallNode, lowering: Lowering): Code {
  const { name, offset } = node;
  if (name === TEXT_CALL) return textOutput(node, lowering);
  const proc = lowering.definedMethods.has(name) ? undefined : procCall(node, lowering);
  if (proc !== undefined) return proc;
  if (name === 'require' && isHarmlessRequire(node)) return () => UNUSABLE;
  const isRaise = name === 'raise' || name === 'fail';
  // Who calls a function leaves its errors to Ruby.
  if (isRaise && lowering.profile.canRaise !== true) return () => giveUp('an exception');
  const own = lowering.definedMethods.has(name);
  const known = lowering.profile.find(name);
  const args = argumentsOf(node, lowering, { isRaise, takesHash: own || known !== undefined });
  if (node.block !== null) return giveUp(`${name} with a block`);
  if (own) return ownCall(name, args, offset);
  const method = known ?? kernelFunctions.get(name) ?? lowering.profile.missing?.(name);
  if (method === undefined) return giveUp(`the method ${name}`);
  return (run) => {
    const given = args(run);
    run.offset = offset;
    return method(given, run);
  };
}

function textOutput(node: CallNode, lowering: Lowering): Code {
  const [index] = node.arguments === null ? [] : list(node.arguments, 'arguments');
  const written = isRubyNode(index, 'IntegerNode') ? lowering.texts[Number(index.value)] : undefined;
  if (written === undefined) return giveUp(TEXT_CALL);
  return (run) => {
    run.out += written;
    return CHANGED;
  };
}

const NONE: Value[] = [];

/** Methods of Ruby's classes that have no keywords: what is written as such is a hash. */
const TAKE_HASH: ReadonlySet<string> = new Set(['append', 'merge', 'merge!', 'push', 'unshift', 'update']);

interface ArgumentKinds {
  /** A class that comes first is dropped: only the message is shown. */
  readonly isRaise?: boolean;
  /** Whether keywords are a hash, as for methods without keywords. */
  readonly takesHash?: boolean;
}

function argumentsOf(node: CallNode, lowering: Lowering, kinds: ArgumentKinds = {}): Arguments {
  const all = node.arguments === null ? [] : list(node.arguments, 'arguments');
  const nodes = kinds.isRaise === true ? messageOf(all) : all;
  if (nodes.length === 0) return () => NONE;
  const last = nodes.at(-1);
  if (kinds.takesHash === true && isRubyNode(last, 'KeywordHashNode'))
    return withHash(lowerItems(nodes.slice(0, -1), lowering), lowerHash(last, lowering));
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined && only.kind !== 'SplatNode') {
    const code = lowering.lower(only);
    return (run) => [code(run)];
  }
  return lowerItems(nodes, lowering);
}

function withHash(items: Arguments, keywords: (run: Run) => RubyHash): Arguments {
  return (run) => {
    const given = items(run);
    const hash = keywords(run);
    // `**hash` of an empty hash is no argument.
    return hash.size === 0 ? given : [...given, hash];
  };
}

/** Classes whose exceptions show the message as it is. */
const EXCEPTIONS: ReadonlySet<string> = new Set([
  'ArgumentError',
  'RuntimeError',
  'StandardError',
  'TypeError',
]);

function messageOf(nodes: readonly RubyNode[]): readonly RubyNode[] {
  const [first, ...rest] = nodes;
  if (nodes.length === 1 && (isRubyNode(first, 'StringNode') || isRubyNode(first, 'InterpolatedStringNode')))
    return nodes;
  if (rest.length === 1 && isRubyNode(first, 'ConstantReadNode') && EXCEPTIONS.has(first.name)) return rest;
  const isPuppets =
    isRubyNode(first, 'ConstantPathNode') &&
    isRubyNode(first.parent, 'ConstantReadNode') &&
    first.parent.name === 'Puppet' &&
    (first.name === 'ParseError' || first.name === 'Error');
  return rest.length === 1 && isPuppets ? rest : giveUp('such an exception');
}

/** `def name(parameters)`: known from then on, to this template. */
function definition(node: RubyNodeOf<'DefNode'>, lowering: Lowering): Code {
  if (node.receiver !== null || lowering.profile.hasMethods !== true) return giveUp('such a method');
  const perform = lowerMethod(node, lowering);
  return (run) => {
    run.methods.set(node.name, perform);
    return null;
  };
}

function ownCall(name: string, args: Arguments, offset: number): Code {
  return (run) => {
    const given = args(run);
    run.offset = offset;
    const method = run.methods.get(name);
    return method === undefined ? giveUp(`the method ${name} before it is defined`) : method(run, given);
  };
}
