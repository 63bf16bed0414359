/** Runs a Puppetfile: the part of Ruby that Puppetfiles are written in. */

import {
  isRubyNode,
  type RubyNode,
  type RubyNodeOf,
  type RubyProgram,
} from '../../../lib/ruby-syntax/index.ts';
import { callMethod } from './method-calls.ts';
import {
  asText,
  isArray,
  isEqual,
  isHash,
  isTruthy,
  NotUnderstood,
  PuppetfileError,
  type RubyHash,
  type RubyValue,
} from './ruby-value.ts';

/** What a Puppetfile declares, in its order. */
export interface PuppetfileContent {
  readonly forge: string | undefined;
  /** Each module with the directory that `moduledir` said last before it. */
  readonly modules: readonly DeclaredModule[];
}

export interface DeclaredModule {
  readonly title: string;
  readonly args: RubyHash | string | symbol | null;
  /** As `moduledir` said; `undefined` when it did not. */
  readonly moduleDirectory: string | undefined;
  /** Where it is declared; bytes from the beginning. */
  readonly offset: number;
}

const mostSteps = 100_000;

/**
 * @param environment - what `ENV` has
 * @throws NotUnderstood for what only real Ruby knows
 * @throws PuppetfileError for what is wrong in Ruby, too
 */
export function evaluatePuppetfile(
  program: RubyProgram,
  environment: Readonly<Record<string, string | undefined>>,
): PuppetfileContent {
  if (program.error !== undefined) throw new PuppetfileError(program.error.message, program.error.offset);
  const run = new PuppetfileRun(environment);
  run.evaluate(program.root, new Scope());
  return { forge: run.forge, modules: run.modules };
}

/** Local variables; blocks see those around them. */
class Scope {
  private readonly variables = new Map<string, RubyValue>();
  private readonly outer: Scope | undefined;

  constructor(outer?: Scope) {
    this.outer = outer;
  }

  get(name: string): RubyValue {
    return this.variables.get(name) ?? this.outer?.get(name) ?? null;
  }

  set(name: string, value: RubyValue): void {
    if (this.outer?.has(name) === true && !this.variables.has(name)) this.outer.set(name, value);
    else this.variables.set(name, value);
  }

  /** A parameter of a block: never one of the variables around it. */
  declare(name: string, value: RubyValue): void {
    this.variables.set(name, value);
  }

  private has(name: string): boolean {
    return this.variables.has(name) || this.outer?.has(name) === true;
  }
}

type Evaluators = {
  readonly [kind: string]: ((run: PuppetfileRun, node: RubyNode, scope: Scope) => RubyValue) | undefined;
};

class PuppetfileRun {
  readonly modules: DeclaredModule[] = [];
  readonly constants = new Map<string, RubyValue>();
  readonly environment: Readonly<Record<string, string | undefined>>;
  forge: string | undefined;
  private moduleDirectory: string | undefined;
  private steps = 0;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.environment = environment;
  }

  evaluate(node: RubyNode | null, scope: Scope): RubyValue {
    if (node === null) return null;
    this.steps += 1;
    if (this.steps > mostSteps) throw new NotUnderstood('code that runs for long', node.offset);
    const evaluator = evaluators[node.kind];
    if (evaluator === undefined) throw new NotUnderstood(`the construct ${node.kind}`, node.offset);
    return evaluator(this, node, scope);
  }

  /** `forge`, `moduledir` and `mod`. */
  declare(name: string, args: readonly RubyValue[], offset: number): RubyValue {
    const [first] = args;
    switch (name) {
      case 'forge':
        this.forge = this.textOf(name, first, offset);
        return null;
      case 'moduledir':
        this.moduleDirectory = this.textOf(name, first, offset);
        return null;
      case 'mod':
        this.modules.push({
          title: this.textOf(name, first, offset),
          args: moduleArguments(args, offset),
          moduleDirectory: this.moduleDirectory,
          offset,
        });
        return null;
      default:
        throw new PuppetfileError(`unrecognized declaration '${name}'`, offset);
    }
  }

  block(node: RubyNodeOf<'BlockNode'>, args: readonly RubyValue[], scope: Scope): RubyValue {
    const inner = new Scope(scope);
    for (const [index, name] of parameterNames(node).entries()) inner.declare(name, args[index] ?? null);
    return this.evaluate(node.body, inner);
  }

  private textOf(what: string, value: RubyValue | undefined, offset: number): string {
    if (typeof value === 'string') return value;
    throw new NotUnderstood(`${what} with something that is no string`, offset);
  }
}

function moduleArguments(args: readonly RubyValue[], offset: number): DeclaredModule['args'] {
  if (args.length > 2)
    throw new PuppetfileError(`wrong number of arguments (given ${args.length}, expected 1..2)`, offset);
  const value = args[1] ?? null;
  if (value === null || typeof value === 'string' || typeof value === 'symbol' || isHash(value)) return value;
  throw new NotUnderstood('a module whose arguments are neither a hash nor a version', offset);
}

function parameterNames(node: RubyNodeOf<'BlockNode'>): readonly string[] {
  const { parameters } = node;
  if (parameters === null) return [];
  if (!isRubyNode(parameters, 'BlockParametersNode') || !isRubyNode(parameters.parameters, 'ParametersNode'))
    throw new NotUnderstood('parameters of a block', node.offset);
  const { requireds, optionals, rest, posts, keywords } = parameters.parameters;
  if (rest !== null || [optionals, posts, keywords].some((others) => others.length > 0))
    throw new NotUnderstood('parameters of a block', node.offset);
  return requireds.map((required) => {
    if (isRubyNode(required, 'RequiredParameterNode')) return required.name;
    throw new NotUnderstood('parameters of a block', node.offset);
  });
}

/** Gives each kind of node its own fields. */
function kind<Kind extends Parameters<typeof isRubyNode>[1]>(
  name: Kind,
  evaluator: (run: PuppetfileRun, node: RubyNodeOf<Kind>, scope: Scope) => RubyValue,
): Evaluators {
  return {
    [name]: (run, node, scope) => {
      if (!isRubyNode(node, name)) throw new NotUnderstood(`the construct ${node.kind}`, node.offset);
      return evaluator(run, node, scope);
    },
  };
}

const evaluators: Evaluators = {
  ...kind('ProgramNode', (run, { statements }, scope) => run.evaluate(statements, scope)),
  ...kind('StatementsNode', (run, { body }, scope) =>
    body.reduce<RubyValue>((_, statement) => run.evaluate(statement, scope), null),
  ),
  ...kind('ParenthesesNode', (run, { body }, scope) => run.evaluate(body, scope)),
  ...kind('EmbeddedStatementsNode', (run, { statements }, scope) => run.evaluate(statements, scope)),
  ...kind('NilNode', () => null),
  ...kind('TrueNode', () => true),
  ...kind('FalseNode', () => false),
  ...kind('IntegerNode', (_run, { value }) => Number(value)),
  ...kind('FloatNode', (_run, { value }) => value),
  ...kind('StringNode', (_run, { unescaped }) => unescaped),
  ...kind('SymbolNode', (_run, { unescaped }) => Symbol.for(unescaped)),
  ...kind('InterpolatedStringNode', (run, { parts }, scope) =>
    parts.map((part) => asText(run.evaluate(part, scope))).join(''),
  ),
  ...kind('InterpolatedSymbolNode', (run, { parts }, scope) =>
    Symbol.for(parts.map((part) => asText(run.evaluate(part, scope))).join('')),
  ),
  ...kind('ArrayNode', (run, { elements }, scope) => elements.map((element) => run.evaluate(element, scope))),
  ...kind('HashNode', (run, { elements }, scope) => hashOf(run, elements, scope)),
  ...kind('KeywordHashNode', (run, { elements }, scope) => hashOf(run, elements, scope)),
  ...kind('ImplicitNode', (run, { value }, scope) => run.evaluate(value, scope)),
  ...kind('LocalVariableReadNode', (_run, { name }, scope) => scope.get(name)),
  ...kind('LocalVariableWriteNode', (run, { name, value }, scope) => {
    const result = run.evaluate(value, scope);
    scope.set(name, result);
    return result;
  }),
  ...kind('LocalVariableOrWriteNode', (run, { name, value }, scope) => {
    const before = scope.get(name);
    if (isTruthy(before)) return before;
    const result = run.evaluate(value, scope);
    scope.set(name, result);
    return result;
  }),
  ...kind('ConstantWriteNode', (run, { name, value }, scope) => {
    const result = run.evaluate(value, scope);
    run.constants.set(name, result);
    return result;
  }),
  ...kind('ConstantReadNode', (run, node) => {
    if (node.name === 'ENV') return new Map(environmentEntries(run.environment));
    const value = run.constants.get(node.name);
    if (value === undefined) throw new NotUnderstood(`the constant ${node.name}`, node.offset);
    return value;
  }),
  ...kind('AndNode', (run, { left, right }, scope) => {
    const value = run.evaluate(left, scope);
    return isTruthy(value) ? run.evaluate(right, scope) : value;
  }),
  ...kind('OrNode', (run, { left, right }, scope) => {
    const value = run.evaluate(left, scope);
    return isTruthy(value) ? value : run.evaluate(right, scope);
  }),
  ...kind('IfNode', (run, { predicate, statements, subsequent }, scope) =>
    run.evaluate(isTruthy(run.evaluate(predicate, scope)) ? statements : subsequent, scope),
  ),
  ...kind('UnlessNode', (run, { predicate, statements, elseClause }, scope) =>
    run.evaluate(isTruthy(run.evaluate(predicate, scope)) ? elseClause : statements, scope),
  ),
  ...kind('ElseNode', (run, { statements }, scope) => run.evaluate(statements, scope)),
  ...kind('CaseNode', evaluateCase),
  ...kind('CallNode', evaluateCall),
};

function hashOf(run: PuppetfileRun, elements: readonly RubyNode[], scope: Scope): RubyHash {
  const hash = new Map<RubyValue, RubyValue>();
  for (const element of elements) {
    if (isRubyNode(element, 'AssocNode'))
      hash.set(run.evaluate(element.key, scope), run.evaluate(element.value, scope));
    else if (isRubyNode(element, 'AssocSplatNode')) {
      const value = run.evaluate(element.value, scope);
      if (!isHash(value)) throw new NotUnderstood('two asterisks before what is no hash', element.offset);
      for (const [key, item] of value) hash.set(key, item);
    } else throw new NotUnderstood(`the construct ${element.kind}`, element.offset);
  }
  return hash;
}

function environmentEntries(
  environment: Readonly<Record<string, string | undefined>>,
): (readonly [string, string])[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

function evaluateCase(run: PuppetfileRun, node: RubyNodeOf<'CaseNode'>, scope: Scope): RubyValue {
  if (node.predicate === null) throw new NotUnderstood('a case without a value', node.offset);
  const value = run.evaluate(node.predicate, scope);
  for (const condition of node.conditions) {
    if (!isRubyNode(condition, 'WhenNode'))
      throw new NotUnderstood(`the construct ${condition.kind}`, condition.offset);
    if (condition.conditions.some((candidate) => isEqual(run.evaluate(candidate, scope), value)))
      return run.evaluate(condition.statements, scope);
  }
  return run.evaluate(node.elseClause, scope);
}

function evaluateCall(run: PuppetfileRun, node: RubyNodeOf<'CallNode'>, scope: Scope): RubyValue {
  const { receiver, name, block, offset } = node;
  if (block !== null && !isRubyNode(block, 'BlockNode'))
    throw new NotUnderstood('an argument that is a block', offset);
  const args = isRubyNode(node.arguments, 'ArgumentsNode')
    ? node.arguments.arguments.map((argument) => run.evaluate(argument, scope))
    : [];
  if (receiver === null) {
    if (block !== null) throw new NotUnderstood(`${name} with a block`, offset);
    return callOnNothing(run, name, args, offset);
  }
  const value = run.evaluate(receiver, scope);
  // `&.`
  if (value === null && (node.flags & 4) !== 0) return null;
  if (block !== null) return iterate(run, { value, name, block, offset }, scope);
  const result = callMethod(value, name, args);
  if (result === undefined) throw new NotUnderstood(`the method ${name}`, offset);
  return result;
}

/** What is called without a receiver: declarations, and methods that every object has. */
function callOnNothing(
  run: PuppetfileRun,
  name: string,
  args: readonly RubyValue[],
  offset: number,
): RubyValue {
  if (['puts', 'warn', 'p', 'print'].includes(name)) return null;
  // Methods of Ruby's Kernel would be found before it is said that the declaration is not known.
  if (
    /^(require|require_relative|load|eval|instance_eval|raise|fail|abort|exit|system|exec|open|lambda|proc|loop|format|sprintf|rand|sleep|`|binding|caller|send|public_send|method|define_method|basedir|basename|Array|String|Integer|Hash|Float|__dir__)$/.test(
      name,
    )
  )
    throw new NotUnderstood(`the method ${name}`, offset);
  return run.declare(name, args, offset);
}

interface Iteration {
  readonly value: RubyValue;
  readonly name: string;
  readonly block: RubyNodeOf<'BlockNode'>;
  readonly offset: number;
}

/** `each`, `map` and the like with a block. */
function iterate(run: PuppetfileRun, { value, name, block, offset }: Iteration, scope: Scope): RubyValue {
  const items: (readonly RubyValue[])[] | undefined = isHash(value)
    ? Array.from(value, ([key, item]) => [key, item])
    : isArray(value)
      ? value.map((item) => (isArray(item) && parameterNames(block).length > 1 ? item : [item]))
      : undefined;
  if (items === undefined) throw new NotUnderstood(`the method ${name} with a block`, offset);
  const call = (args: readonly RubyValue[]) => run.block(block, args, scope);
  switch (name) {
    case 'each':
    case 'each_pair':
      for (const item of items) call(item);
      return value;
    case 'map':
    case 'collect':
      return items.map(call);
    case 'each_with_index':
      if (!isArray(value)) break;
      for (const [index, item] of value.entries()) call([item, index]);
      return value;
    case 'select':
    case 'filter':
    case 'reject':
      if (!isArray(value)) break;
      return value.filter((item) => isTruthy(call([item])) !== (name === 'reject'));
    default:
  }
  throw new NotUnderstood(`the method ${name} with a block`, offset);
}
