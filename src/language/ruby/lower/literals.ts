import { isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { Float, isArray, PuppetHash, RegexpValue, type Value } from '../../pcore/index.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { MODULES, SENSITIVE } from '../values/kinds.ts';
import { RubyHash, RubyModule, RubyRange, RubySymbol } from '../values/ruby-values.ts';
import { toText } from '../values/text.ts';
import type { Lowerer } from './lowerers.ts';
import type { Lowering } from './lowering.ts';
import { constantName, field, list, needed, numberOf, raw, textOf } from './node.ts';

/** Classes of Puppet that values may have. */
const PUPPETS: ReadonlySet<string> = new Set([SENSITIVE, 'Puppet::Resource']);
const MAX_PATTERNS = 100;

export const literals: Readonly<Record<string, Lowerer>> = {
  NilNode: () => () => null,
  SelfNode: (_node, { profile }) => constant(profile.self ?? giveUp('self')),
  TrueNode: () => () => true,
  FalseNode: () => () => false,
  IntegerNode: (node) => constant(safeInteger(raw(node, 'value'))),
  FloatNode: (node) => constant(new Float(numberOf(node, 'value'))),
  StringNode: (node) => constant(stringOf(node)),
  SymbolNode: (node) => constant(new RubySymbol(textOf(node, 'unescaped'))),
  InterpolatedStringNode: (node, lowering) => interpolated(node, lowering),
  InterpolatedSymbolNode: (node, lowering) => {
    const text = interpolated(node, lowering);
    return (run) => new RubySymbol(text(run));
  },
  EmbeddedStatementsNode: (node, lowering) => lowering.lowerOptional(field(node, 'statements')),
  EmbeddedVariableNode: (node, lowering) => lowering.lower(needed(node, 'variable')),
  RegularExpressionNode: (node) => constant(pattern(textOf(node, 'unescaped'), numberOf(node, 'flags'))),
  InterpolatedRegularExpressionNode: dynamicPattern,
  ArrayNode: (node, lowering) => {
    const items = lowerItems(list(node, 'elements'), lowering);
    return (run) => run.own(items(run));
  },
  HashNode: lowerHash,
  KeywordHashNode: hashArgument,
  RangeNode: (node, lowering) => {
    const first = lowering.lowerOptional(field(node, 'left'));
    const last = lowering.lowerOptional(field(node, 'right'));
    const excludesLast = (numberOf(node, 'flags') & 4) !== 0;
    return (run) => new RubyRange(first(run), last(run), excludesLast);
  },
  ConstantPathNode: (node) => {
    const name = constantName(node) ?? '';
    return PUPPETS.has(name) ? constant(new RubyModule(name)) : giveUp(`the constant ${name}`);
  },
  ConstantReadNode: (node, { profile }) => {
    const name = textOf(node, 'name');
    const known = profile.constants?.get(name) ?? (MODULES.has(name) ? new RubyModule(name) : undefined);
    if (known !== undefined) return constant(known);
    if (profile.hasConstants !== true) return giveUp(`the constant ${name}`);
    return (run) => run.constants?.get(name) ?? giveUp(`the constant ${name}`);
  },
  ConstantWriteNode: (node, lowering) => {
    const name = textOf(node, 'name');
    if (lowering.profile.hasConstants !== true || MODULES.has(name)) return giveUp('a constant');
    const value = lowering.lower(needed(node, 'value'));
    return (run) => {
      const result = value(run);
      run.constants ??= new Map();
      if (run.constants.has(name)) giveUp('a second value of a constant');
      run.constants.set(name, result);
      return result;
    };
  },
  ImplicitNode: (node, lowering) => lowering.lower(needed(node, 'value')),
};

export function lowerHash(node: RubyNode, lowering: Lowering): (run: Run) => RubyHash {
  const elements = list(node, 'elements').map((element) => entryOf(element, lowering));
  return (run) => {
    const hash = new RubyHash();
    for (const add of elements) add(hash, run);
    return hash;
  };
}

/** A hash as last argument, without braces: keywords, if its keys are symbols. */
function hashArgument(node: RubyNode, lowering: Lowering): Code {
  const isPlain = list(node, 'elements').every(
    (element) => isRubyNode(element, 'AssocNode') && !element.key.kind.endsWith('SymbolNode'),
  );
  return isPlain ? lowerHash(node, lowering) : giveUp('keywords');
}

/** Values of a list, with `*splat`. */
export function lowerItems(nodes: readonly RubyNode[], lowering: Lowering): (run: Run) => Value[] {
  const hasSplat = nodes.some(({ kind }) => kind === 'SplatNode');
  const codes = nodes.map((node) =>
    lowering.lower(isRubyNode(node, 'SplatNode') ? needed(node, 'expression') : node),
  );
  if (!hasSplat) return (run) => codes.map((code) => code(run));
  const splats = nodes.map(({ kind }) => kind === 'SplatNode');
  return (run) => codes.flatMap((code, index) => (splats[index] === true ? splat(code(run)) : [code(run)]));
}

function splat(value: Value): readonly Value[] {
  if (value === null) return [];
  if (isArray(value)) return value;
  return typeof value === 'object' ? giveUp('a splat of an object') : [value];
}

function constant(value: Value): Code {
  return () => value;
}

/** Ruby's integers have no end; those of the language do. */
function safeInteger(value: unknown): number {
  return typeof value === 'number' ? value : giveUp('a large number');
}

function stringOf(node: RubyNode): string {
  const text = textOf(node, 'unescaped');
  return text.includes('\ufffd') ? giveUp('bytes that are no characters') : text;
}

/** `key => value` or `**hash` */
function entryOf(element: RubyNode, lowering: Lowering): (hash: RubyHash, run: Run) => void {
  if (isRubyNode(element, 'AssocNode')) {
    const [key, value] = [lowering.lower(element.key), lowering.lower(element.value)];
    return (hash, run) => hash.set(key(run), value(run));
  }
  const others = lowering.lower(needed(element, 'value'));
  return (hash, run) => {
    const given = others(run);
    if (!(given instanceof PuppetHash)) return giveUp('** before a value that is no hash');
    for (const [key, value] of given) hash.set(key, value);
  };
}

export function interpolated(node: RubyNode, lowering: Lowering): (run: Run) => string {
  const parts = list(node, 'parts').map((part) =>
    isRubyNode(part, 'StringNode') ? stringOf(part) : lowering.lower(part),
  );
  return (run) => {
    let text = '';
    for (const part of parts) text += typeof part === 'string' ? part : toText(part(run));
    return text;
  };
}

function dynamicPattern(node: RubyNode, lowering: Lowering): Code {
  const parts = list(node, 'parts').map((part) =>
    isRubyNode(part, 'StringNode') ? constant(stringOf(part)) : lowering.lower(part),
  );
  const flags = numberOf(node, 'flags');
  const known = new Map<string, RegexpValue>();
  return (run) => {
    const source = parts.map((part) => textOfPart(part(run))).join('');
    const found = known.get(source) ?? pattern(source, flags);
    if (known.size < MAX_PATTERNS) known.set(source, found);
    return found;
  };
}

function textOfPart(value: Value): string {
  return value instanceof RegexpValue ? giveUp('a regular expression in another') : toText(value);
}

/** @param flags - prism's */
function pattern(source: string, flags: number): RegexpValue {
  if ((flags & ~(4 | 8 | 16 | 0x1203)) !== 0) giveUp('options of a regular expression');
  const options = `${(flags & 16) === 0 ? '' : 'm'}${(flags & 4) === 0 ? '' : 'i'}${(flags & 8) === 0 ? '' : 'x'}`;
  return patternFrom(options === '' ? source : `(?${options}:${source}${options.includes('x') ? '\n' : ''})`);
}

/** @throws GiveUp for patterns that are not modelled */
export function patternFrom(source: string): RegexpValue {
  const made = new RegexpValue(source);
  try {
    made.compile();
  } catch {
    return giveUp('such a regular expression');
  }
  return made;
}
