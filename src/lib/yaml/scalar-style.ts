/** Which way of writing a string Ruby's Psych and libyaml choose. */

import { plainScalar } from './scalar.ts';
import { YamlError } from './yaml-error.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** Where a scalar stands. */
export interface ScalarPlace {
  /** A key that is written as `key: value`. */
  readonly isSimpleKey: boolean;
}

/** What Ruby asks for: it knows what a reader would take for something else than a string. */
export function wantedStyle(text: string): ScalarStyle {
  if (hasInnerBreak(text)) return 'literal';
  if (text === 'y' || text === 'n') return 'double';
  if (STARTS_A_LINE_WITH_NO_WORD.test(text)) return 'double';
  return isReadAsString(text) && !/^0[0-7]*[89]/.test(text) ? 'plain' : 'single';
}

/** What libyaml makes of that: the first style in the order of preference that can hold the text. */
export function possibleStyle(text: string, wanted: ScalarStyle, { isSimpleKey }: ScalarPlace): ScalarStyle {
  const allowed = analyse(text);
  if (isSimpleKey && allowed.isMultiline) return 'double';
  if (wanted === 'literal') return allowed.literal && !isSimpleKey ? 'literal' : 'double';
  if (wanted === 'double') return 'double';
  const isPlain = wanted === 'plain' && allowed.plain && !(text === '' && isSimpleKey);
  if (isPlain) return 'plain';
  return allowed.single ? 'single' : 'double';
}

/** A line that begins with neither letter nor digit, and no quotation mark until the end of some line. */
const STARTS_A_LINE_WITH_NO_WORD = /(?<=^|\n)[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}][^"]*(?=\n|$)/u;

/** A line break that is not the last one of the text. */
function hasInnerBreak(text: string): boolean {
  return /\n(?!\n?$)/.test(text);
}

function isReadAsString(text: string): boolean {
  try {
    return typeof plainScalar(text) === 'string';
  } catch (error) {
    if (error instanceof YamlError) return false;
    throw error;
  }
}

interface Analysis {
  readonly isMultiline: boolean;
  readonly plain: boolean;
  readonly single: boolean;
  readonly literal: boolean;
}

/** What libyaml can write without quotes at all, in single quotes, or as a block. */
function analyse(text: string): Analysis {
  if (text === '') return { isMultiline: false, plain: true, single: true, literal: false };
  const hasBreaks = BREAK.test(text);
  const isSpecial = !isPrintable(text) || /[ ][\n\r\u0085\u2028\u2029]/.test(text);
  const hasBreakBeforeSpace = /[\n\r\u0085\u2028\u2029][ ]/.test(text);
  const isPadded = /^[ \n\r\u0085\u2028\u2029]|[ \n\r\u0085\u2028\u2029]$/.test(text);
  return {
    isMultiline: hasBreaks,
    plain: !isSpecial && !hasBreaks && !isPadded && !hasIndicators(text),
    single: !isSpecial && !hasBreakBeforeSpace,
    literal: !isSpecial && !text.endsWith(' '),
  };
}

export const BREAK: RegExp = /[\n\r\u0085\u2028\u2029]/;

/** What means something else at its place, outside of `[]` and `{}`. */
function hasIndicators(text: string): boolean {
  return (
    /^(?:---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[-?:](?=[ \t\n\r\u0085\u2028\u2029]|$)/.test(text) ||
    /:(?=[ \t\n\r\u0085\u2028\u2029]|$)/.test(text.slice(1)) ||
    /[ \t\n\r\u0085\u2028\u2029]#/.test(text)
  );
}

/** As libyaml has it: no tabs, nothing beyond the first 65,536 characters. */
export function isPrintable(text: string): boolean {
  return !/[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text);
}
