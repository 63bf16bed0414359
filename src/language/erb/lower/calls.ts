import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import type { Value } from '../../pcore/index.ts';
import { text } from '../arguments.ts';
import { TEXT_CALL } from '../erb-source.ts';
import { callLegacy, callMethod, invoke, methodsNamed } from '../methods/index.ts';
import { ChangedString, RubyScope } from '../ruby-values.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { toText } from '../text.ts';
import { lowerBlock, methodParameters } from './blocks.ts';
import { constructors } from './constructors.ts';
import { catching } from './controls.ts';
import { kernelFunctions } from './kernel-functions.ts';
import { lowerItems } from './literals.ts';
import type { Lowerer } from './lowerers.ts';
import type { Lowering } from './lowering.ts';
import { list } from './node.ts';
import { OUTPUT, outputArgument, outputExpression } from './output.ts';
import { local } from './variables.ts';

const SAFE_NAVIGATION = 4;
const MAX_DEPTH = 200;

type Arguments = (run: Run) => Value[];
type CallNode = RubyNodeOf<'CallNode'>;

export const calls: Readonly<Record<string, Lowerer>> = {
  CallNode: (node, lowering) => (isRubyNode(node, 'CallNode') ? call(node, lowering) : giveUp('a call')),
  DefNode: (node, lowering) => (isRubyNode(node, 'DefNode') ? definition(node, lowering) : giveUp('def')),
};

function call(node: CallNode, lowering: Lowering): Code {
  const written = output(node, lowering) ?? appended(node, lowering);
  if (written !== undefined) return written;
  if (node.receiver === null) return functionCall(node, lowering);
  const made = constructors(node, lowering);
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

/** `text << more << more`, with a string that nobody else sees. */
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

function methodCall(node: CallNode, receiverNode: RubyNode, lowering: Lowering): Code {
  const receiver = lowering.lower(receiverNode);
  const args = argumentsOf(node, lowering);
  const { name, offset } = node;
  const methods = methodsNamed(name);
  const legacy = /^function_(\w+)$/.exec(name)?.[1];
  const isSafe = (node.flags & SAFE_NAVIGATION) !== 0;
  if (methods === undefined && legacy === undefined) return giveUp(`the method ${name}`);
  const block = node.block === null ? undefined : lowerBlock(node.block, lowering);
  const found = methods ?? new Map();
  const perform: Code = (run) => {
    const self = receiver(run);
    if (isSafe && self === null) return null;
    const given = args(run);
    run.offset = offset;
    if (legacy !== undefined)
      return self instanceof RubyScope ? callLegacy(legacy, given, run) : giveUp(name);
    return invoke(found, self, { name, args: given, run, block: block?.make(run) });
  };
  return block?.hasBreak === true ? catching('break', perform) : perform;
}

/** Calls without a receiver: texts of the template, functions of Kernel and of the template's wrapper. */
function functionCall(node: CallNode, lowering: Lowering): Code {
  const { name, offset } = node;
  if (name === TEXT_CALL) return textOutput(node, lowering);
  const args = argumentsOf(node, lowering, name === 'raise' || name === 'fail');
  if (node.block !== null) return giveUp(`${name} with a block`);
  if (lowering.definedMethods.has(name)) return ownCall(name, args, offset);
  const known = kernelFunctions.get(name);
  if (known === undefined) return giveUp(`the method ${name}`);
  return (run) => {
    const given = args(run);
    run.offset = offset;
    return known(given, run);
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

/** @param isRaise - a class that comes first is dropped: only the message is shown */
function argumentsOf(node: CallNode, lowering: Lowering, isRaise = false): Arguments {
  const all = node.arguments === null ? [] : list(node.arguments, 'arguments');
  const nodes = isRaise ? messageOf(all) : all;
  if (nodes.length === 0) return () => NONE;
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined && only.kind !== 'SplatNode') {
    const code = lowering.lower(only);
    return (run) => [code(run)];
  }
  return lowerItems(nodes, lowering);
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
  if (node.receiver !== null) return giveUp('def of an object');
  const { result, slots } = lowering.inMethod(node, () => {
    const parameters = node.parameters === null ? undefined : methodParameters(node.parameters, lowering);
    return { parameters, body: lowering.targeted('method', () => lowering.lowerOptional(node.body)) };
  });
  const { body, parameters } = result;
  const code = body.target.uses.has('return') ? catching('return', body.result) : body.result;
  const perform = (run: Run, args: readonly Value[]): Value => {
    if (args.length !== (parameters?.count ?? 0)) return giveUp(`${node.name} with ${args.length} arguments`);
    const outer = run.locals;
    run.locals = slots.map(() => null);
    run.depth += 1;
    if (run.depth > MAX_DEPTH) giveUp('deep recursion');
    parameters?.bind(run, args);
    try {
      return code(run);
    } finally {
      run.depth -= 1;
      run.locals = outer;
    }
  };
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
