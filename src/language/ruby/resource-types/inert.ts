/** Whether code could matter for a type, told without running it. */

import { childrenOf, isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { HARMLESS_CALLS } from './harmless-calls.ts';

const EFFECTS: ReadonlySet<string> = new Set([
  'SelfNode',
  'DefNode',
  'ClassNode',
  'ModuleNode',
  'SingletonClassNode',
  'YieldNode',
  'SuperNode',
  'ForwardingSuperNode',
  'ReturnNode',
  'BreakNode',
  'MultiWriteNode',
]);

/** True when nothing in it defines, assigns or calls anything by which a type could change. */
export function isInert(node: RubyNode): boolean {
  if (EFFECTS.has(node.kind) || node.kind.endsWith('WriteNode') || node.kind.endsWith('TargetNode'))
    return false;
  if (isRubyNode(node, 'CallNode')) {
    // What such a call is given to run is run later.
    if (node.receiver === null && HARMLESS_CALLS.has(node.name)) return true;
    if (node.receiver === null || isDangerous(node.name)) return false;
  }
  for (const child of childrenOf(node)) if (!isInert(child)) return false;
  return true;
}

/** Methods by which code reaches into what it does not own. */
function isDangerous(name: string): boolean {
  return (
    /^(new(type|param|property|metaparam)|ensurable|isnamevar|register_type|title_patterns)$/.test(name) ||
    /^(send|__send__|public_send|instance_eval|class_eval|module_eval|instance_exec|class_exec)$/.test(
      name,
    ) ||
    /^(define_|instance_variable_set|const_set|remove_|undef_|include$|extend$|prepend$|<<$|.*!$)/.test(name)
  );
}
