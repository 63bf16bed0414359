/** Arrays and hashes as text, on one line or several. */

import { isArray, PuppetHash, type Value } from '../value.ts';
import { characterCount } from '../values/character-count.ts';
import { delimitersOf, type FormatMap, illegalFormat, type StringFormat } from './string-format.ts';

export interface Indentation {
  readonly level: number;
  /** Nothing has been written at this level yet. */
  readonly isFirst: boolean;
  readonly isIndenting: boolean;
}

export interface CollectionContext {
  readonly format: StringFormat;
  /** The formats of scalars inside. */
  readonly inner: FormatMap;
  readonly indentation: Indentation;
  readonly formatInner: (item: Value, inner: FormatMap, indentation: Indentation) => string;
}

function padding({ level }: Indentation): string {
  return '  '.repeat(level);
}

/** A collection inside another begins on a line of its own, but for the first. */
function opening({ level, isFirst, isIndenting }: Indentation): string {
  return isIndenting && level > 0 && !isFirst ? `\n${'  '.repeat(level)}` : '';
}

function isCollection(value: Value | undefined): boolean {
  return value !== undefined && (isArray(value) || value instanceof PuppetHash);
}

export function formatArray(items: readonly Value[], context: CollectionContext): string {
  const { format, inner } = context;
  if (!'asp'.includes(format.letter)) throw illegalFormat('Array', format, 'asp');
  const isIndenting = format.isAlternate || context.indentation.isIndenting;
  const indentation = { ...context.indentation, isIndenting };
  const [open, close] = delimitersOf(format, ['[', ']']);
  const child: Indentation = {
    level: indentation.level + 1,
    isFirst: false,
    isIndenting: format.isAlternate,
  };
  const texts = items.map((item) => context.formatInner(item, inner, child));
  const isBroken = format.isAlternate && format.width !== undefined && widest(items, texts) > format.width;
  const start = opening(indentation) + open;
  return joinItems(start, { items, texts, format, child, isBroken }) + close;
}

/** The longest run of scalars between collections. */
function widest(items: readonly Value[], texts: readonly string[]): number {
  let most = 0;
  let run = 0;
  for (const [index, item] of items.entries()) {
    run = isCollection(item) ? 0 : run + characterCount(texts[index] ?? '');
    most = Math.max(most, run);
  }
  return most;
}

interface Items {
  readonly items: readonly Value[];
  readonly texts: readonly string[];
  readonly format: StringFormat;
  readonly child: Indentation;
  readonly isBroken: boolean;
}

function joinItems(start: string, { items, texts, format, child, isBroken }: Items): string {
  const separator = format.separator ?? ', ';
  let out = start;
  for (const [index, item] of items.entries()) {
    const isScalar = !isCollection(item);
    if (index === 0) out += isBroken && isScalar ? ' ' : '';
    else {
      out += separator;
      if (isScalar && (isBroken || (format.isAlternate && isCollection(items[index - 1])))) {
        out = `${out.endsWith('\n') ? out : out.trimEnd()}\n${padding(child)}`;
      }
    }
    const text = texts[index] ?? '';
    out = (out.endsWith(' ') && text.startsWith('\n') ? out.trimEnd() : out) + text;
  }
  return out;
}

export function formatHash(hash: PuppetHash, context: CollectionContext): string {
  const { format, inner } = context;
  if (!'hsp'.includes(format.letter)) throw illegalFormat('Hash', format, 'hasp');
  const isIndenting = format.isAlternate || context.indentation.isIndenting;
  const indentation = { ...context.indentation, isIndenting };
  const child: Indentation = { level: indentation.level + 1, isFirst: true, isIndenting: false };
  const [open, close] = delimitersOf(format, ['{', '}']);
  const association = format.separator2 ?? ' => ';
  const start = format.isAlternate ? padding(child) : '';
  const entries = [...hash].map(([key, value]) => {
    const [left, right] = [key, value].map((item) => context.formatInner(item, inner, child));
    return `${start}${left}${association}${right}`;
  });
  const lineBreak = format.isAlternate ? '\n' : '';
  const end = format.isAlternate ? `\n${padding(indentation)}` : '';
  return opening(indentation) + open + lineBreak + entries.join(hashSeparator(format)) + end + close;
}

function hashSeparator(format: StringFormat): string {
  const separator = format.separator ?? ', ';
  if (!format.isAlternate) return separator;
  return `${separator.endsWith('\n') ? separator : separator.trimEnd()}\n`;
}
