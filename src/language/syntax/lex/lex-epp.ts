/** Templates: text with `<% code %>`, `<%= expression %>` and `<%# comment %>` in it. */

import type { Lexer } from './lexer.ts';
import { Token } from './token.ts';

/** The text before a tag, and what the tag opens. */
interface Segment {
  readonly text: string | undefined;
  readonly mode: 'text' | 'epp' | 'expr';
}

/**
 * Leaves code for text: at the start of a template (`closedBy` is empty), or at `%>` or `-%>`. Reads the text up
 * to the next tag, and, at the start, everything that follows.
 */
export function lexEpp(lexer: Lexer, closedBy: '' | '%>' | '-%>'): void {
  if (closedBy === '') {
    lexer.push(Token.eppStart, 0, 0, '');
    lexText(lexer, false);
    lexer.run();
    if (lexer.eppMode !== 'text') throw lexer.error('epp_unbalanced_tag', {});
    return;
  }
  const kind = closedBy === '%>' ? Token.eppEnd : Token.eppEndTrim;
  if (lexer.eppMode === 'expr') lexer.push(kind, lexer.pos, closedBy.length, closedBy);
  lexer.pos += closedBy.length;
  lexText(lexer, closedBy === '-%>');
}

function lexText(lexer: Lexer, trimsStart: boolean): void {
  const start = lexer.pos;
  const { text, mode } = scanText(lexer, trimsStart);
  // Empty text would come before the parameters and keep them from being recognised.
  if (text !== undefined && (text !== '' || mode === 'text')) {
    lexer.push(Token.renderString, start, lexer.pos - start, text);
  }
  if (mode === 'expr') lexer.push(Token.renderExpr, start, 0, '');
  lexer.eppMode = mode;
}

/** Reads text up to a tag that opens code, or to the end. `<%%` and `%%>` stand for themselves without the `%`. */
function scanText(lexer: Lexer, trimsStart: boolean): Segment {
  const { text } = lexer;
  let collected = '';
  let trims = trimsStart;
  while (lexer.pos < text.length) {
    const open = text.indexOf('<%', lexer.pos);
    const part = text.slice(lexer.pos, open === -1 ? text.length : open);
    collected += (trims ? part.replace(/^[ \t]*\r?\n?/, '') : part).replaceAll('%%>', '%>');
    trims = false;
    if (open === -1) {
      lexer.pos = text.length;
      return { text: collected, mode: 'text' };
    }
    lexer.pos = open + 2;
    switch (text[lexer.pos]) {
      case undefined:
        throw lexer.error('epp_unbalanced_expression', {});
      case '-':
        lexer.pos++;
        return { text: trimBlankEnd(collected), mode: 'epp' };
      case '%':
        lexer.pos++;
        collected += '<%';
        break;
      case '=':
        lexer.pos++;
        return { text: collected, mode: 'expr' };
      case '#': {
        const comment = skipComment(lexer);
        if (comment.trimsBefore) collected = trimBlankEnd(collected);
        trims = comment.trimsAfter;
        break;
      }
      default:
        return { text: collected, mode: 'epp' };
    }
  }
  // A template that ends with a comment or `<%%` loses the text before it: so it is in the reference.
  return { text: undefined, mode: 'text' };
}

function trimBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(0, end);
}

/** Skips to behind the `%>` that is not part of `%%>`; here stands the `#`. */
function skipComment(lexer: Lexer): { readonly trimsBefore: boolean; readonly trimsAfter: boolean } {
  const { text } = lexer;
  const start = lexer.pos;
  let end = text.indexOf('%>', start + 1);
  while (end !== -1 && text[end - 1] === '%') end = text.indexOf('%>', end + 1);
  if (end === -1) throw lexer.error('epp_unbalanced_comment', {});
  lexer.pos = end + 2;
  return { trimsBefore: text[start + 1] === '-', trimsAfter: text[end - 1] === '-' };
}
