/** Files of functions in Ruby, read without running them: what is not understood completely is given up. */

import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import { definedMethods } from '../lower/methods.ts';
import { constantName, field, list } from '../lower/node.ts';
import { isHarmlessRequire } from '../lower/requires.ts';
import { giveUp } from '../signals.ts';

/** `newfunction(:name) do |args| ... end` */
export interface LegacySource {
  readonly api: '3.x';
  readonly name: string;
  /** The exact number of arguments; `-n - 1` for at least `n`. */
  readonly arity: number;
  readonly isRvalue: boolean;
  readonly block: RubyNodeOf<'BlockNode'>;
}

/** `create_function(:name) do ... end`: its methods; the signatures are left to Ruby, which runs the file. */
export interface NewerSource {
  readonly api: '4.x';
  readonly name: string;
  readonly methods: ReadonlyMap<string, RubyNodeOf<'DefNode'>>;
}

export type FunctionSource = LegacySource | NewerSource;

/** @throws GiveUp */
export function functionSource(root: RubyNode): FunctionSource {
  const statements = statementsOf(field(root, 'statements')).filter((node) => !isHarmlessRequire(node));
  const [only] = statements;
  if (only === undefined || statements.length > 1) return giveUp('a file with more than a function');
  if (isRubyNode(only, 'ModuleNode') && constantName(only.constantPath) === 'Puppet::Parser::Functions') {
    const inner = statementsOf(only.body ?? undefined);
    const [definition] = inner;
    if (inner.length !== 1 || !isRubyNode(definition, 'CallNode') || definition.receiver !== null)
      return giveUp('a module with more than a function');
    return legacySource(definition);
  }
  if (!isRubyNode(only, 'CallNode')) return giveUp('a file that defines no function');
  const receiver = constantName(only.receiver);
  if (receiver === 'Puppet::Parser::Functions') return legacySource(only);
  return receiver === 'Puppet::Functions' ? newerSource(only) : giveUp('a file that defines no function');
}

function statementsOf(node: RubyNode | undefined): readonly RubyNode[] {
  if (node === undefined) return [];
  return isRubyNode(node, 'StatementsNode') ? node.body : [node];
}

function argumentsOf(node: RubyNodeOf<'CallNode'>): readonly RubyNode[] {
  return node.arguments === null ? [] : list(node.arguments, 'arguments');
}

function blockOf(node: RubyNodeOf<'CallNode'>): RubyNodeOf<'BlockNode'> {
  return isRubyNode(node.block, 'BlockNode') ? node.block : giveUp('a function without a block');
}

function nameIn(node: RubyNode | undefined): string {
  if (isRubyNode(node, 'SymbolNode') || isRubyNode(node, 'StringNode')) return node.unescaped;
  return giveUp('a function without a name');
}

function legacySource(node: RubyNodeOf<'CallNode'>): LegacySource {
  const [name, options, ...more] = argumentsOf(node);
  if (node.name !== 'newfunction' || more.length > 0) return giveUp('a file that defines no function');
  const block = blockOf(node);
  assertOneParameter(block);
  if (definedMethods(block).size > 0) return giveUp('a method in such a function');
  return { api: '3.x', name: nameIn(name), arity: -1, isRvalue: false, ...legacyOptions(options), block };
}

function assertOneParameter(block: RubyNodeOf<'BlockNode'>): void {
  const parameters = field(block, 'parameters');
  const inner = parameters === undefined ? undefined : field(parameters, 'parameters');
  const [only, ...more] = inner === undefined ? [] : list(inner, 'requireds');
  if (!isRubyNode(only, 'RequiredParameterNode') || more.length > 0) giveUp('such parameters');
}

function legacyOptions(node: RubyNode | undefined): { readonly arity?: number; readonly isRvalue?: boolean } {
  if (node === undefined) return {};
  const isHash = isRubyNode(node, 'KeywordHashNode') || isRubyNode(node, 'HashNode');
  if (!isHash) return giveUp('options of a function');
  let options: { readonly arity?: number; readonly isRvalue?: boolean } = {};
  for (const element of node.elements) {
    if (!isRubyNode(element, 'AssocNode') || !isRubyNode(element.key, 'SymbolNode'))
      return giveUp('options of a function');
    const { value } = element;
    switch (element.key.unescaped) {
      case 'doc':
        break;
      case 'type':
        options = { ...options, isRvalue: isRvalue(value) };
        break;
      case 'arity':
        options = { ...options, arity: integerIn(value) };
        break;
      default:
        return giveUp('options of a function');
    }
  }
  return options;
}

function isRvalue(node: RubyNode): boolean {
  const type = isRubyNode(node, 'SymbolNode') ? node.unescaped : undefined;
  return type === 'rvalue' || (type !== 'statement' && giveUp('the type of a function'));
}

function integerIn(node: RubyNode): number {
  return isRubyNode(node, 'IntegerNode') && typeof node.value === 'number'
    ? node.value
    : giveUp('the arity of a function');
}

const BASES: ReadonlySet<string | undefined> = new Set([
  'Puppet::Functions::Function',
  'Puppet::Functions::InternalFunction',
]);
/** Declarations that do not affect the methods. */
const DECLARATIONS: ReadonlySet<string> = new Set(['dispatch', 'argument_mismatch', 'local_types']);

function newerSource(node: RubyNodeOf<'CallNode'>): NewerSource {
  const [name, base, ...more] = argumentsOf(node);
  const isKnown = base === undefined || BASES.has(constantName(base));
  if (node.name !== 'create_function' || more.length > 0 || !isKnown) return giveUp('such a class');
  const methods = new Map<string, RubyNodeOf<'DefNode'>>();
  for (const statement of statementsOf(field(blockOf(node), 'body'))) {
    if (isRubyNode(statement, 'DefNode')) {
      if (statement.receiver !== null || methods.has(statement.name)) return giveUp('such a method');
      methods.set(statement.name, statement);
    } else if (!isDeclaration(statement)) return giveUp('a class with more than methods');
  }
  return { api: '4.x', name: nameIn(name), methods };
}

function isDeclaration(node: RubyNode): boolean {
  return isRubyNode(node, 'CallNode') && node.receiver === null && DECLARATIONS.has(node.name);
}
