/** What each construct of Ruby means. A kind that is missing here is not modelled. */

import {
  isRubyNode,
  type RubyNode,
  type RubyNodeOf,
  type RubyNodes,
} from '../../../lib/ruby-syntax/index.ts';
import { Float } from '../../pcore/index.ts';
import { isTruthy } from '../arguments.ts';
import { giveUp } from '../signals.ts';
import { isCase } from '../values/comparison.ts';
import { RubyMatch, RubyRange } from '../values/ruby-values.ts';
import { type Call, callMethod, className, evaluateCall } from './calls.ts';
import { readConstant, readConstantPath, writeConstant } from './constants.ts';
import {
  aliasMethod,
  evaluateClass,
  evaluateDef,
  evaluateModule,
  evaluateSingletonClass,
} from './definitions.ts';
import type { Frame } from './frame.ts';
import { isInert } from './inert.ts';
import type { Interpreter } from './interpreter.ts';
import { RubyModule } from './ruby-module.ts';
import { BreakSignal, NextSignal, ReturnSignal } from './signals.ts';
import { RubyRaise, Unmodelled } from './unmodelled.ts';
import {
  nameOf,
  REGEXP_EXTENDED,
  REGEXP_IGNORE_CASE,
  REGEXP_MULTILINE,
  RubyHash,
  RubyRegexp,
  RubySymbol,
  textOf,
  Unknown,
  type Value,
  WrittenProc,
} from './values.ts';

type Evaluator<Kind extends keyof RubyNodes> = (
  node: RubyNodeOf<Kind>,
  frame: Frame,
  interpreter: Interpreter,
) => Value;

const table: { readonly [Kind in keyof RubyNodes]?: Evaluator<Kind> } = {
  AliasMethodNode: (node, frame, interpreter) => {
    const [to, from] = [interpreter.evaluate(node.newName, frame), interpreter.evaluate(node.oldName, frame)];
    if (frame.self === undefined) throw new Unmodelled('an alias outside of modules');
    return aliasMethod(frame.self, nameOf(to), nameOf(from), frame);
  },
  AndNode: (node, frame, interpreter) => {
    const left = interpreter.evaluate(node.left, frame);
    if (left instanceof Unknown) return either(left, node.right);
    return isTruthy(left) ? interpreter.evaluate(node.right, frame) : left;
  },
  ArrayNode: (node, frame, interpreter) => evaluateAll(node.elements, frame, interpreter),
  BeginNode: evaluateBegin,
  BreakNode: (node, frame, interpreter) => {
    throw new BreakSignal(jumpValue(node.arguments, frame, interpreter));
  },
  CallNode: evaluateCall,
  CaseNode: evaluateCase,
  ClassNode: evaluateClass,
  ConstantOrWriteNode: (node, frame, interpreter) =>
    frame.modules[0]?.constants.get(node.name) ??
    interpreter.constants.get(node.name) ??
    writeConstant(node.name, interpreter.evaluate(node.value, frame), frame, interpreter),
  ConstantPathNode: readConstantPath,
  ConstantReadNode: (node, frame, interpreter) => readConstant(node.name, frame, interpreter),
  ConstantWriteNode: (node, frame, interpreter) =>
    writeConstant(node.name, interpreter.evaluate(node.value, frame), frame, interpreter),
  DefNode: evaluateDef,
  DefinedNode: () => new Unknown('defined?'),
  ElseNode: (node, frame, interpreter) => interpreter.evaluate(node.statements, frame),
  EmbeddedStatementsNode: (node, frame, interpreter) => interpreter.evaluate(node.statements, frame),
  FalseNode: () => false,
  FloatNode: (node) => new Float(node.value),
  GlobalVariableReadNode: (node) => new Unknown(node.name),
  HashNode: (node, frame, interpreter) => evaluateHash(node.elements, frame, interpreter),
  IfNode: evaluateIf,
  ImplicitNode: (node, frame, interpreter) => interpreter.evaluate(node.value, frame),
  InstanceVariableOrWriteNode: (node, frame, interpreter) => {
    const known = readInstanceVariable(node.name, frame);
    if (known !== null && isTruthy(known)) return known;
    return writeInstanceVariable(node.name, interpreter.evaluate(node.value, frame), frame);
  },
  InstanceVariableReadNode: (node, frame) => readInstanceVariable(node.name, frame),
  InstanceVariableWriteNode: (node, frame, interpreter) =>
    writeInstanceVariable(node.name, interpreter.evaluate(node.value, frame), frame),
  IntegerNode: ({ value }) => (typeof value === 'number' ? value : giveUp('a large number')),
  InterpolatedRegularExpressionNode: (node, frame, interpreter) =>
    new RubyRegexp(regexpText(node.parts, frame, interpreter), regexpOptions(node.flags)),
  InterpolatedStringNode: evaluateInterpolation,
  InterpolatedSymbolNode: (node, frame, interpreter) => {
    const text = evaluateInterpolation(node, frame, interpreter);
    return typeof text === 'string' ? new RubySymbol(text) : text;
  },
  KeywordHashNode: (node, frame, interpreter) => evaluateHash(node.elements, frame, interpreter),
  LambdaNode: (node, frame, interpreter) => new WrittenProc(node, true, frame, interpreter),
  LocalVariableOrWriteNode: (node, frame, interpreter) => {
    const known = frame.locals.get(node.name);
    if (isTruthy(known)) return known;
    return assign(node.name, interpreter.evaluate(node.value, frame), frame);
  },
  LocalVariableOperatorWriteNode: (node, frame, interpreter) => {
    const left = frame.locals.get(node.name);
    const args = [interpreter.evaluate(node.value, frame)];
    const call: Call = { name: node.binaryOperator, args, block: undefined, frame, interpreter };
    return assign(node.name, callMethod(left, call), frame);
  },
  LocalVariableReadNode: (node, frame) => frame.locals.get(node.name),
  LocalVariableWriteNode: (node, frame, interpreter) =>
    assign(node.name, interpreter.evaluate(node.value, frame), frame),
  ModuleNode: evaluateModule,
  MultiWriteNode: evaluateMultiWrite,
  NextNode: (node, frame, interpreter) => {
    throw new NextSignal(jumpValue(node.arguments, frame, interpreter));
  },
  NilNode: () => null,
  OrNode: (node, frame, interpreter) => {
    const left = interpreter.evaluate(node.left, frame);
    if (left instanceof Unknown) return either(left, node.right);
    return isTruthy(left) ? left : interpreter.evaluate(node.right, frame);
  },
  ParenthesesNode: (node, frame, interpreter) => interpreter.evaluate(node.body, frame),
  ProgramNode: (node, frame, interpreter) => interpreter.evaluate(node.statements, frame),
  RangeNode: evaluateRange,
  RegularExpressionNode: (node) => new RubyRegexp(node.unescaped, regexpOptions(node.flags)),
  RescueModifierNode: (node, frame, interpreter) => {
    const value = interpreter.evaluate(node.expression, frame);
    return value instanceof Unknown ? new Unknown(`${value.what}, if it does not fail`) : value;
  },
  ReturnNode: (node, frame, interpreter) => {
    throw new ReturnSignal(jumpValue(node.arguments, frame, interpreter));
  },
  SelfNode: (_node, frame) => frame.self ?? new Unknown('main'),
  SingletonClassNode: evaluateSingletonClass,
  SourceFileNode: (_node, frame) => frame.file,
  StatementsNode: (node, frame, interpreter) => {
    let last: Value = null;
    for (const statement of node.body) last = interpreter.evaluate(statement, frame);
    return last;
  },
  StringNode: (node) => node.unescaped,
  SymbolNode: (node) => new RubySymbol(node.unescaped),
  TrueNode: () => true,
  UnlessNode: (node, frame, interpreter) =>
    decide({ predicate: node.predicate, yes: node.elseClause, no: node.statements }, frame, interpreter),
  YieldNode: (node, frame, interpreter) => {
    if (frame.block === undefined) throw new Unmodelled('yield without a block');
    const args = isRubyNode(node.arguments, 'ArgumentsNode') ? node.arguments.arguments : [];
    return interpreter.callProc(frame.block, evaluateAll(args, frame, interpreter));
  },
};

/** By kind. */
export const evaluators: Readonly<
  Record<string, ((node: RubyNode, frame: Frame, interpreter: Interpreter) => Value) | undefined>
> = table as Readonly<Record<string, (node: RubyNode, frame: Frame, interpreter: Interpreter) => Value>>;

/** Elements or arguments; `*list` adds those of the list. */
export function evaluateAll(nodes: readonly RubyNode[], frame: Frame, interpreter: Interpreter): Value[] {
  const values: Value[] = [];
  for (const node of nodes) {
    if (!isRubyNode(node, 'SplatNode')) {
      values.push(interpreter.evaluate(node, frame));
      continue;
    }
    const list = interpreter.evaluate(node.expression, frame);
    if (!Array.isArray(list)) throw new Unmodelled('a splat of something that is no array');
    values.push(...list);
  }
  return values;
}

function evaluateHash(nodes: readonly RubyNode[], frame: Frame, interpreter: Interpreter): RubyHash {
  const hash = new RubyHash();
  for (const node of nodes) {
    if (isRubyNode(node, 'AssocNode')) {
      hash.set(interpreter.evaluate(node.key, frame), interpreter.evaluate(node.value, frame));
      continue;
    }
    const merged = isRubyNode(node, 'AssocSplatNode') ? interpreter.evaluate(node.value, frame) : null;
    if (!(merged instanceof RubyHash)) throw new Unmodelled('a double splat of something that is no hash');
    for (const [key, value] of merged) hash.set(key, value);
  }
  return hash;
}

function evaluateIf(node: RubyNodeOf<'IfNode'>, frame: Frame, interpreter: Interpreter): Value {
  return decide({ predicate: node.predicate, yes: node.statements, no: node.subsequent }, frame, interpreter);
}

interface Decision {
  readonly predicate: RubyNode;
  readonly yes: RubyNode | null;
  readonly no: RubyNode | null;
}

/** Where the condition is unknown, neither branch may matter. */
function decide({ no, predicate, yes }: Decision, frame: Frame, interpreter: Interpreter): Value {
  const condition = interpreter.evaluate(predicate, frame);
  if (!(condition instanceof Unknown)) return interpreter.evaluate(isTruthy(condition) ? yes : no, frame);
  if ((yes !== null && !isInert(yes)) || (no !== null && !isInert(no))) {
    throw new Unmodelled(`a decision that depends on ${condition.what}`);
  }
  return new Unknown(`a choice that depends on ${condition.what}`);
}

/** `left && right` where it is not known whether the right one is run. */
function either(left: Unknown, right: RubyNode): Unknown {
  if (!isInert(right)) throw new Unmodelled(`a decision that depends on ${left.what}`);
  return left;
}

function evaluateCase(node: RubyNodeOf<'CaseNode'>, frame: Frame, interpreter: Interpreter): Value {
  if (node.predicate === null) throw new Unmodelled('case without a subject');
  const subject = interpreter.evaluate(node.predicate, frame);
  for (const when of node.conditions) {
    if (!isRubyNode(when, 'WhenNode')) throw new Unmodelled(when.kind);
    for (const condition of evaluateAll(when.conditions, frame, interpreter)) {
      const isMatch = isCase(className(condition), subject, (found) => {
        interpreter.run.match = found === null ? null : new RubyMatch(found);
      });
      if (isMatch) return interpreter.evaluate(when.statements, frame);
    }
  }
  return interpreter.evaluate(node.elseClause, frame);
}

/** `rescue` is only known to be taken for what this interpreter raises, which is a file that is not there. */
function evaluateBegin(node: RubyNodeOf<'BeginNode'>, frame: Frame, interpreter: Interpreter): Value {
  try {
    const before = interpreter.unknownCalls;
    const value = interpreter.evaluate(node.statements, frame);
    // Perhaps it fails.
    if (interpreter.unknownCalls > before && isRubyNode(node.rescueClause, 'RescueNode')) {
      const { statements } = node.rescueClause;
      if (statements !== null && !isInert(statements)) throw new Unmodelled('a rescue of something unknown');
      return new Unknown('what may have failed');
    }
    return node.elseClause === null ? value : interpreter.evaluate(node.elseClause, frame);
  } catch (error) {
    const clause = node.rescueClause;
    if (!(error instanceof RubyRaise) || !isRubyNode(clause, 'RescueNode')) throw error;
    if (clause.subsequent !== null) throw new Unmodelled('several rescue clauses');
    return interpreter.evaluate(clause.statements, frame);
  } finally {
    if (isRubyNode(node.ensureClause, 'EnsureNode')) {
      interpreter.evaluate(node.ensureClause.statements, frame);
    }
  }
}

function evaluateRange(node: RubyNodeOf<'RangeNode'>, frame: Frame, interpreter: Interpreter): Value {
  const [from, to] = [interpreter.evaluate(node.left, frame), interpreter.evaluate(node.right, frame)];
  const unknown = [from, to].find((end) => end instanceof Unknown);
  return unknown ?? new RubyRange(from, to, (node.flags & 4) !== 0);
}

function evaluateInterpolation(
  node: { readonly parts: readonly RubyNode[] },
  frame: Frame,
  interpreter: Interpreter,
): Value {
  let text = '';
  for (const part of node.parts) {
    const value = interpreter.evaluate(part, frame);
    if (value instanceof Unknown || value instanceof RubyModule) {
      return new Unknown(value instanceof Unknown ? value.what : value.path);
    }
    text += textOf(value);
  }
  return text;
}

function regexpText(parts: readonly RubyNode[], frame: Frame, interpreter: Interpreter): string {
  return parts.map((part) => textOf(interpreter.evaluate(part, frame))).join('');
}

/** From prism's flags to Ruby's. */
function regexpOptions(flags: number): number {
  return (
    ((flags & 4) === 0 ? 0 : REGEXP_IGNORE_CASE) |
    ((flags & 8) === 0 ? 0 : REGEXP_EXTENDED) |
    ((flags & 16) === 0 ? 0 : REGEXP_MULTILINE)
  );
}

function evaluateMultiWrite(
  node: RubyNodeOf<'MultiWriteNode'>,
  frame: Frame,
  interpreter: Interpreter,
): Value {
  const value = interpreter.evaluate(node.value, frame);
  if (!Array.isArray(value) || node.rest !== null || node.rights.length > 0) {
    throw new Unmodelled('an assignment to several variables');
  }
  for (const [index, target] of node.lefts.entries()) {
    if (!isRubyNode(target, 'LocalVariableTargetNode')) throw new Unmodelled(target.kind);
    frame.locals.set(target.name, value[index] ?? null);
  }
  return value;
}

function assign(name: string, value: Value, frame: Frame): Value {
  frame.locals.set(name, value);
  return value;
}

function readInstanceVariable(name: string, frame: Frame): Value {
  if (frame.self === undefined) return null;
  if (STATE_OF_PUPPET.has(name)) return new Unknown(name);
  return frame.self.instanceVariables.get(name) ?? null;
}

function writeInstanceVariable(name: string, value: Value, frame: Frame): Value {
  if (STATE_OF_PUPPET.has(name)) throw new Unmodelled(`an assignment to ${name}`);
  if (frame.self === undefined) throw new Unmodelled('an instance variable outside of modules');
  frame.self.instanceVariables.set(name, value);
  return value;
}

/** Where Puppet itself keeps what a type is made of. */
const STATE_OF_PUPPET: ReadonlySet<string> = new Set([
  '@parameters',
  '@paramhash',
  '@properties',
  '@validproperties',
  '@validattrs',
  '@attrclasses',
  '@attrtypes',
  '@key_attributes_cache',
  '@key_attribute_parameters',
  '@isnamevar',
  '@name',
]);

function jumpValue(node: RubyNode | null, frame: Frame, interpreter: Interpreter): Value {
  if (!isRubyNode(node, 'ArgumentsNode')) return null;
  const values = evaluateAll(node.arguments, frame, interpreter);
  return values.length === 1 ? (values[0] ?? null) : values;
}
