/** Methods of classes that templates call: `Hash.new`, `File.basename`, ... */

import { isRubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import type { Value } from '../../pcore/index.ts';
import { at, text } from '../arguments.ts';
import { RubyHash } from '../ruby-values.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { lowerItems } from './literals.ts';
import type { Lowering } from './lowering.ts';
import { list } from './node.ts';

type Construct = (args: readonly Value[], run: Run) => Value;

const KNOWN: ReadonlyMap<string, Construct> = new Map<string, Construct>([
  ['Hash.new', (args) => newHash(args)],
  ['Array.new', (args, run) => (args.length === 0 ? run.own([]) : giveUp('Array.new'))],
  ['File.basename', (args) => baseName(plainPath(args, 1))],
  ['File.dirname', (args) => directoryName(plainPath(args, 1))],
  ['File.join', (args) => args.map((part) => text(part)).reduce(joined)],
  ['Regexp.escape', (args) => (args.length === 1 ? escaped(text(at(args, 0))) : giveUp('Regexp.escape'))],
]);

/** `undefined` when the call is none of a constant. */
export function constructors(node: RubyNodeOf<'CallNode'>, lowering: Lowering): Code | undefined {
  const { receiver } = node;
  if (!isRubyNode(receiver, 'ConstantReadNode')) return undefined;
  const construct = KNOWN.get(`${receiver.name}.${node.name}`);
  if (construct === undefined) return undefined;
  if (node.block !== null) return giveUp(`${node.name} with a block`);
  const nodes = node.arguments === null ? [] : list(node.arguments, 'arguments');
  if (nodes.some(({ kind }) => kind === 'KeywordHashNode')) return giveUp(`${node.name} with keywords`);
  const args = lowerItems(nodes, lowering);
  return (run) => construct(args(run), run);
}

function newHash(args: readonly Value[]): Value {
  const hash = new RubyHash();
  if (args.length > 1) return giveUp('Hash.new');
  hash.defaultValue = at(args, 0);
  return hash;
}

function plainPath(args: readonly Value[], count: number): string {
  const path = text(at(args, 0));
  const isPlain = path !== '' && !path.endsWith('/') && !path.includes('//') && args.length === count;
  return isPlain ? path : giveUp('such a path');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
  ' ': '\\ ',
};

function escaped(value: string): string {
  return value.replace(
    /[-\\*.?[\](){}^$+|# \n\t\r\f\v]/g,
    (character) => ESCAPES[character] ?? `\\${character}`,
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function directoryName(path: string): string {
  const end = path.lastIndexOf('/');
  if (end === -1) return '.';
  return end === 0 ? '/' : path.slice(0, end);
}

function joined(left: string, right: string): string {
  if (left.endsWith('//') || right.startsWith('//')) giveUp('such a path');
  return `${left.replace(/\/$/, '')}/${right.replace(/^\//, '')}`;
}
