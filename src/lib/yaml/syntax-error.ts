/** libyaml's words for the mistakes that the parser reports in its own. */

import type { YAMLException } from 'js-yaml';
import { YamlError } from './yaml-error.ts';

interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Users know libyaml's messages from Ruby: the common mistakes are told in its words, at its places; what has
 * no counterpart keeps the parser's.
 */
export function syntaxError(error: YAMLException, text: string): YamlError {
  const at = error.mark?.position ?? 0;
  const { reason } = error;
  if (/quoted scalar|flow collection|deficient indentation/.test(reason)) return unclosed(text);
  if (reason === 'unknown escape sequence') {
    return told(
      'found unknown escape character while parsing a quoted scalar',
      text,
      text.lastIndexOf('"', at),
    );
  }
  if (reason.includes('expected the node content')) {
    return noFlowContent(text, at);
  }
  return misplacedCharacter(reason, text, at) ?? brokenBlock(reason, text, at);
}

/** Within brackets libyaml takes a colon for the end of a key, whatever follows it. */
export function noFlowContent(text: string, at: number): YamlError {
  return told('did not find expected node content while parsing a flow node', text, at);
}

function misplacedCharacter(reason: string, text: string, at: number): YamlError | undefined {
  const character = text.charAt(at);
  if (reason.includes('multiline key')) {
    const lineStart = text.lastIndexOf('\n', at - 1) + 1;
    const previous = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart);
    if (!/:(?:\s|$)/.test(previous)) return simpleKey(text, lineStart - previous.length);
  }
  if (character === ':' && /^(?:\s|$)/.test(text.slice(at + 1))) {
    return told('mapping values are not allowed in this context', text, at);
  }
  if (reason.includes('indentation of a mapping entry') && /^(?:\]|\})/.test(character)) {
    return told('did not find expected node content while parsing a block node', text, at);
  }
  if (character === '-' && /^(?:\s|$)/.test(text.slice(at + 1)) && /:[ \t]+$/.test(text.slice(0, at))) {
    return told('block sequence entries are not allowed in this context', text, at);
  }
  const tab = reason.includes('tab') ? text.indexOf('\t', text.lastIndexOf('\n', at - 1) + 1) : -1;
  if (tab !== -1 || '@`%\t'.includes(character || ' ')) {
    const place = tab === -1 ? at : tab;
    return told('found character that cannot start any token while scanning for the next token', text, place);
  }
  return undefined;
}

function brokenBlock(reason: string, text: string, at: number): YamlError {
  const isOutside = reason.startsWith('end of the stream or a document separator');
  if (reason.includes('indentation of a mapping entry')) return expectedKey(text, startOfBlock(text, at));
  if (isOutside && !/[:{}[\]]/.test(lineAt(text, at))) return simpleKey(text, at);
  if (isOutside && !firstContent(text).line.startsWith('-')) return expectedKey(text, firstContent(text).at);
  if (isOutside || reason.includes('indentation of a sequence entry')) {
    const start = isOutside ? firstContent(text).at : startOfBlock(text, at);
    return told("did not find expected '-' indicator while parsing a block collection", text, start);
  }
  return told(reason, text, at);
}

function expectedKey(text: string, at: number): YamlError {
  return told('did not find expected key while parsing a block mapping', text, at);
}

function simpleKey(text: string, at: number): YamlError {
  return told("could not find expected ':' while scanning a simple key", text, at);
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? text.length : end);
}

function firstContent(text: string): { readonly at: number; readonly line: string } {
  const found = /^(?!\s*(?:#|---|%|$)).+$/m.exec(text);
  return { at: found?.index ?? 0, line: found?.[0] ?? '' };
}

function told(message: string, text: string, offset: number): YamlError {
  return new YamlError('syntax', message, placeOf(text, Math.max(0, offset)));
}

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

/** A quoted string, list or map that is never closed. */
function unclosed(text: string): YamlError {
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '#' && /^$|\s/.test(text.charAt(at - 1))) at = endOfLine(text, at);
    else if (isQuoteStart(text, at)) {
      const end = endOfQuoted(text, at);
      if (end === undefined) {
        return told('found unexpected end of stream while scanning a quoted scalar', text, at);
      }
      at = end;
    } else if (character === '[' || character === '{') open.push(at);
    else if (character === ']' || character === '}') open.pop();
  }
  const start = open.at(-1) ?? 0;
  return text.charAt(start) === '{'
    ? told("did not find expected ',' or '}' while parsing a flow mapping", text, start)
    : told("did not find expected ',' or ']' while parsing a flow sequence", text, start);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Quotes inside plain text, as in `it's`, open nothing. */
function isQuoteStart(text: string, at: number): boolean {
  const character = text.charAt(at);
  return (character === '"' || character === "'") && /^$|[\s[{,:]/.test(text.charAt(at - 1));
}

function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote === '"' && character === '\\') at++;
    else if (character === quote) {
      if (quote === '"' || text.charAt(at + 1) !== quote) return at;
      at++;
    }
  }
  return undefined;
}

/** The first line of the block that the line at `offset` breaks: the nearest less indented one and its siblings. */
function startOfBlock(text: string, offset: number): number {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  let limit = indentOf(text, lineStart);
  let start = 0;
  let found = false;
  for (let end = lineStart - 1; end > 0; ) {
    const begin = text.lastIndexOf('\n', end - 1) + 1;
    const indent = indentOf(text, begin);
    const isContent = !/^\s*(?:#|---|$)/m.test(text.slice(begin, end));
    if (isContent) {
      if (found ? indent < limit : indent < limit || limit === 0) {
        if (found) break;
        found = true;
        limit = indent;
      }
      if (found && indent === limit) start = begin + indent;
    }
    end = begin - 1;
  }
  return start;
}

function indentOf(text: string, lineStart: number): number {
  let at = lineStart;
  while (text.charAt(at) === ' ') at++;
  return at - lineStart;
}
