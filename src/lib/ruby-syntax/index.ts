/** Ruby's syntax: text to tree, by the official parser. */

export {
  childrenOf,
  descendantsOf,
  isRubyNode,
  type RubyNode,
  type RubyNodeOf,
  type RubyNodes,
} from './node.ts';
export { RubyParser, type RubyProgram } from './parser.ts';
export { prismFiles } from './prism-files.ts';
