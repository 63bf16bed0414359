/** Whether a type has providers: then it has a parameter of that name. Told from the files, which are not run. */

import { childrenOf, descendantsOf, isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import type { LibraryFiles } from './library-files.ts';
import { Unmodelled } from './unmodelled.ts';

/** Words by which a provider's file would change the type itself. */
const CHANGES_TYPES = /\b(newparam|newproperty|newmetaparam|isnamevar|title_patterns|ensurable)\b/;

/** @throws Unmodelled where that depends on more than what is written at the top of the files */
export function hasProviders(type: string, files: LibraryFiles): boolean {
  let isProvided = false;
  let doubt: string | undefined;
  for (const path of files.list(`puppet/provider/${type}`)) {
    const text = files.read(path) ?? '';
    if (CHANGES_TYPES.test(text) && changesTypes(files.parse(path)?.root)) {
      throw new Unmodelled(`the provider ${path}, which changes types`);
    }
    if (isProvided || doubt !== undefined) continue;
    if (!/\bprovide\b/.test(text)) {
      doubt = providedElsewhere(type, text, files);
      continue;
    }
    const answer = provides(type, files.parse(path)?.root);
    if (answer === 'yes') isProvided = true;
    if (answer === 'maybe') doubt = path;
  }
  if (!isProvided && doubt !== undefined) throw new Unmodelled(`the provider ${doubt}`);
  return isProvided;
}

function changesTypes(root: RubyNode | undefined): boolean {
  if (root === undefined) return false;
  return [...descendantsOf(root)].some(
    (node) => isRubyNode(node, 'CallNode') && CHANGES_TYPES.test(node.name),
  );
}

/** Files that are loaded by name alone, such as base classes, should not provide anything. */
function providedElsewhere(type: string, text: string, files: LibraryFiles): string | undefined {
  for (const [, feature = ''] of text.matchAll(/\brequire\s*\(?\s*['"]([\w/.-]+)['"]/g)) {
    const path = files.find(feature.endsWith('.rb') ? feature : `${feature}.rb`);
    if (path === undefined) continue;
    const required = files.read(path) ?? '';
    if (new RegExp(`type\\(?\\s*:${type}\\b`).test(required) && /\bprovide\b/.test(required)) return path;
  }
  return undefined;
}

/** Whether the file calls `Puppet::Type.type(:name).provide`: always, perhaps or never. */
function provides(type: string, root: RubyNode | undefined): 'yes' | 'maybe' | 'no' {
  if (root === undefined) return 'no';
  for (const node of unconditional(root)) if (isProvide(node, type)) return 'yes';
  for (const node of descendantsOf(root)) {
    if (!isRubyNode(node, 'CallNode') || node.name !== 'provide') continue;
    if (isProvide(node, type) || !isForAnotherType(node.receiver)) return 'maybe';
  }
  return 'no';
}

const TRANSPARENT: ReadonlySet<string> = new Set([
  'ProgramNode',
  'StatementsNode',
  'ModuleNode',
  'ClassNode',
  'BeginNode',
  'ParenthesesNode',
  'ConstantWriteNode',
  'LocalVariableWriteNode',
]);

/** What is run whenever the file is. */
function* unconditional(node: RubyNode): Iterable<RubyNode> {
  yield node;
  if (!TRANSPARENT.has(node.kind)) return;
  for (const child of childrenOf(node)) if (child.kind !== 'RescueNode') yield* unconditional(child);
}

function isProvide(node: RubyNode, type: string): boolean {
  return isRubyNode(node, 'CallNode') && node.name === 'provide' && typeOf(node.receiver) === type;
}

function isForAnotherType(receiver: RubyNode | null): boolean {
  return typeOf(receiver) !== undefined;
}

/** The name in `Puppet::Type.type(:name)` or `Puppet::Type::Name`. */
function typeOf(node: RubyNode | null): string | undefined {
  if (isRubyNode(node, 'ConstantPathNode')) {
    return isTypeConstant(node.parent) ? node.name.toLowerCase() : undefined;
  }
  if (!isRubyNode(node, 'CallNode') || node.name !== 'type' || !isTypeConstant(node.receiver))
    return undefined;
  const [name] = isRubyNode(node.arguments, 'ArgumentsNode') ? node.arguments.arguments : [];
  if (isRubyNode(name, 'SymbolNode') || isRubyNode(name, 'StringNode')) return name.unescaped.toLowerCase();
  return undefined;
}

function isTypeConstant(node: RubyNode | null): boolean {
  if (isRubyNode(node, 'ConstantReadNode')) return node.name === 'Type';
  if (!isRubyNode(node, 'ConstantPathNode') || node.name !== 'Type') return false;
  return isRubyNode(node.parent, 'ConstantReadNode')
    ? node.parent.name === 'Puppet'
    : isRubyNode(node.parent, 'ConstantPathNode') && node.parent.name === 'Puppet';
}
