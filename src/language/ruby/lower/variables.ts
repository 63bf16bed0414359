import { isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { isArray, type Value } from '../../pcore/index.ts';
import { at, isTruthy } from '../arguments.ts';
import { callMethod } from '../methods/index.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { isKnownCall } from './constructors.ts';
import { lowerItems } from './literals.ts';
import type { Lowerer } from './lowerers.ts';
import type { Lowering } from './lowering.ts';
import { field, list, needed, numberOf, textOf } from './node.ts';
import { OUTPUT } from './output.ts';

type Read = (run: Run) => Value;
type Write = (run: Run, value: Value) => void;

export const variables: Readonly<Record<string, Lowerer>> = {
  LocalVariableReadNode: (node, lowering) => local(node, lowering).read,
  LocalVariableWriteNode: (node, lowering) => {
    // The output is made before anything runs.
    if (textOf(node, 'name') === OUTPUT && node.offset === 0) return () => null;
    return assigned(local(node, lowering).write, node, lowering);
  },
  LocalVariableOrWriteNode: (node, lowering) => orAssigned(local(node, lowering), node, lowering),
  LocalVariableAndWriteNode: (node, lowering) => andAssigned(local(node, lowering), node, lowering),
  LocalVariableOperatorWriteNode: (node, lowering) => operated(local(node, lowering), node, lowering),
  InstanceVariableReadNode: (node, lowering) => instance(node, lowering).read,
  InstanceVariableWriteNode: (node, lowering) => assigned(instance(node, lowering).write, node, lowering),
  InstanceVariableOrWriteNode: (node, lowering) => orAssigned(instance(node, lowering), node, lowering),
  InstanceVariableAndWriteNode: (node, lowering) => andAssigned(instance(node, lowering), node, lowering),
  InstanceVariableOperatorWriteNode: (node, lowering) => operated(instance(node, lowering), node, lowering),
  IndexOrWriteNode: (node, lowering) =>
    indexed(node, lowering, (old, value, run) => (isTruthy(old) ? undefined : value(run))),
  IndexOperatorWriteNode: (node, lowering) => {
    const operator = textOf(node, 'binaryOperator');
    if (operator === '<<') return giveUp('<<=');
    return indexed(node, lowering, (old, value, run) => callMethod(old, operator, [value(run)], run));
  },
  MultiWriteNode: (node, lowering) => {
    const value = lowering.lower(needed(node, 'value'));
    const assign = destructuring(node, lowering);
    return (run) => {
      const values = value(run);
      assign(run, values);
      return values;
    };
  },
  NumberedReferenceReadNode: (node) => {
    const index = numberOf(node, 'number');
    return (run) => run.match?.group(index) ?? null;
  },
  DefinedNode: (node, lowering) => {
    const value = needed(node, 'value');
    if (isRubyNode(value, 'InstanceVariableReadNode')) {
      const { read } = instance(value, lowering);
      return (run) => (read(run) === null ? null : 'instance-variable');
    }
    if (isKnownCall(value)) return () => 'method';
    if (!isRubyNode(value, 'LocalVariableReadNode')) return giveUp('defined?');
    local(value, lowering);
    return () => 'local-variable';
  },
};

interface Variable {
  readonly read: Read;
  readonly write: Write;
}

export function local(node: RubyNode, lowering: Lowering): Variable {
  const name = textOf(node, 'name');
  if (name === OUTPUT) return giveUp('the output as a value');
  const slot = lowering.slot(name);
  return {
    read: (run) => run.locals[slot] ?? null,
    write: (run, value) => {
      run.locals[slot] = value;
    },
  };
}

function instance(node: RubyNode, lowering: Lowering): Variable {
  if (lowering.profile.hasInstanceVariables !== true) return giveUp('an instance variable of a function');
  const name = textOf(node, 'name').slice(1);
  if (name.startsWith('__')) return giveUp('the wrapper of the template');
  return {
    read: (run) => run.variable(name),
    write: (run, value) => {
      run.setVariable(name, value);
    },
  };
}

function assigned(write: Write, node: RubyNode, lowering: Lowering): Code {
  const value = lowering.lower(needed(node, 'value'));
  return (run) => {
    const result = value(run);
    write(run, result);
    return result;
  };
}

function orAssigned({ read, write }: Variable, node: RubyNode, lowering: Lowering): Code {
  const assign = assigned(write, node, lowering);
  return (run) => {
    const known = read(run);
    return isTruthy(known) ? known : assign(run);
  };
}

function andAssigned({ read, write }: Variable, node: RubyNode, lowering: Lowering): Code {
  const assign = assigned(write, node, lowering);
  return (run) => {
    const known = read(run);
    return isTruthy(known) ? assign(run) : known;
  };
}

function operated({ read, write }: Variable, node: RubyNode, lowering: Lowering): Code {
  const operator = textOf(node, 'binaryOperator');
  if (operator === '<<') return giveUp('<<=');
  const value = lowering.lower(needed(node, 'value'));
  return (run) => {
    const result = callMethod(read(run), operator, [value(run)], run);
    write(run, result);
    return result;
  };
}

/** `receiver[arguments] OPERATOR= value`. @param decide - `undefined` leaves what is there */
function indexed(
  node: RubyNode,
  lowering: Lowering,
  decide: (old: Value, value: Code, run: Run) => Value | undefined,
): Code {
  const receiver = lowering.lower(needed(node, 'receiver'));
  const given = field(node, 'arguments');
  const args = lowerItems(given === undefined ? [] : list(given, 'arguments'), lowering);
  const value = lowering.lower(needed(node, 'value'));
  return (run) => {
    const [target, keys] = [receiver(run), args(run)];
    const old = callMethod(target, '[]', keys, run);
    const made = decide(old, value, run);
    return made === undefined ? old : callMethod(target, '[]=', [...keys, made], run);
  };
}

/** Spreads a value over the targets of `a, (b, c), *d = ...` or of a parameter in parentheses. */
export function destructuring(node: RubyNode, lowering: Lowering): Write {
  if (list(node, 'rights').length > 0) return giveUp('targets after a splat');
  const targets = list(node, 'lefts').map((target) => targetOf(target, lowering));
  const rest = restOf(field(node, 'rest'), lowering);
  return (run, value) => {
    const items = value !== null && isArray(value) ? value : [value];
    targets.forEach((write, index) => {
      write(run, at(items, index));
    });
    rest?.(run, run.own(items.slice(targets.length)));
  };
}

export function restOf(node: RubyNode | undefined, lowering: Lowering): Write | undefined {
  if (node === undefined || node.kind === 'ImplicitRestNode') return undefined;
  if (isRubyNode(node, 'RestParameterNode'))
    return node.name === null ? undefined : local(node, lowering).write;
  if (isRubyNode(node, 'SplatNode'))
    return node.expression === null ? undefined : targetOf(node.expression, lowering);
  return giveUp(node.kind);
}

export function targetOf(node: RubyNode, lowering: Lowering): Write {
  switch (node.kind) {
    case 'LocalVariableTargetNode':
    case 'RequiredParameterNode':
      return local(node, lowering).write;
    case 'InstanceVariableTargetNode':
      return instance(node, lowering).write;
    case 'MultiTargetNode':
      return destructuring(node, lowering);
    default:
      return giveUp(`${node.kind} as a target`);
  }
}
