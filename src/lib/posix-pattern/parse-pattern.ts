/**
 * Parses PostgreSQL's advanced regular expressions.
 *
 * Look-around constraints and back references are refused: they cannot be matched in linear time.
 *
 * @see https://www.postgresql.org/docs/current/functions-matching.html#POSIX-SYNTAX-DETAILS
 */

import { PatternError } from './pattern-error.ts';
import type { Assertion, ParsedPattern, PatternNode } from './pattern-node.ts';
import { PatternReader } from './pattern-reader.ts';
import { readBrackets } from './read-brackets.ts';
import { readEscape } from './read-escape.ts';

/** The largest number in `{m,n}`, as in PostgreSQL. */
const maxRepetitions = 255;
/** Groups within groups. */
const maxDepth = 200;

interface Options {
  readonly ignoresCase: boolean;
  /** White space and comments are skipped. */
  readonly isExpanded: boolean;
  /** `.` and negated brackets don't match the end of a line. */
  readonly dotStopsAtLines: boolean;
  /** `^` and `$` match at the ends of lines. */
  readonly anchorsAtLines: boolean;
}

const defaultOptions: Options = {
  ignoresCase: false,
  isExpanded: false,
  dotStopsAtLines: false,
  anchorsAtLines: false,
};

/** @throws PatternError in PostgreSQL's words */
export function parsePattern(pattern: string): ParsedPattern {
  if (pattern.startsWith('***=')) return { root: literal(pattern.slice(4)), ignoresCase: false };
  const body = pattern.startsWith('***:') ? pattern.slice(4) : pattern;
  const [prefix, letters] = /^\(\?([a-z]+)\)/.exec(body) ?? ['', ''];
  const rest = body.slice(prefix.length);
  const options = readOptions(letters);
  if (letters.includes('q')) return { root: literal(rest), ignoresCase: options.ignoresCase };
  return { root: new Parser(new PatternReader(rest), options).parse(), ignoresCase: options.ignoresCase };
}

/** `(?i)` at the start. */
function readOptions(letters: string): Options {
  let options = defaultOptions;
  for (const letter of letters) options = { ...options, ...optionOf(letter) };
  return options;
}

function optionOf(letter: string): Partial<Options> {
  switch (letter) {
    case 'i':
      return { ignoresCase: true };
    case 'c':
      return { ignoresCase: false };
    case 'x':
      return { isExpanded: true };
    case 't':
      return { isExpanded: false };
    case 'n':
    case 'm':
      return { dotStopsAtLines: true, anchorsAtLines: true };
    case 'p':
      return { dotStopsAtLines: true, anchorsAtLines: false };
    case 'w':
      return { dotStopsAtLines: false, anchorsAtLines: true };
    case 's':
      return { dotStopsAtLines: false, anchorsAtLines: false };
    case 'e':
    case 'q':
      return {};
    default:
      throw new PatternError('invalid embedded option');
  }
}

function literal(text: string): PatternNode {
  return sequenceOf(Array.from(text, (character) => one(character.codePointAt(0) ?? 0)));
}

function one(code: number): PatternNode {
  return { kind: 'set', set: { ranges: [[code, code]], isNegated: false } };
}

function sequenceOf(nodes: readonly PatternNode[]): PatternNode {
  return { kind: 'sequence', nodes };
}

class Parser {
  private readonly reader: PatternReader;
  private readonly options: Options;
  private depth = 0;

  constructor(reader: PatternReader, options: Options) {
    this.reader = reader;
    this.options = options;
  }

  parse(): PatternNode {
    const root = this.choice();
    if (!this.reader.isAtEnd) throw unbalancedGroup();
    return root;
  }

  /** Stops before a closing parenthesis, or at the end. */
  private choice(): PatternNode {
    const branches = [this.branch()];
    while (this.reader.takes('|')) branches.push(this.branch());
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: 'choice', branches };
  }

  private branch(): PatternNode {
    const nodes: PatternNode[] = [];
    for (;;) {
      this.skipIgnored();
      const next = this.reader.peek();
      if (next === '' || next === '|' || next === ')') return sequenceOf(nodes);
      nodes.push(this.quantified());
    }
  }

  private quantified(): PatternNode {
    const node = this.atom();
    if (node.kind === 'assertion') return node;
    this.skipIgnored();
    const count = this.quantifier();
    if (count === undefined) return node;
    // Whether few or many are preferred makes no difference to whether there is a match.
    this.reader.takes('?');
    return { kind: 'repeat', node, ...count };
  }

  private quantifier(): { readonly min: number; readonly max: number } | undefined {
    const reader = this.reader;
    if (reader.takes('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (reader.takes('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (reader.takes('?')) return { min: 0, max: 1 };
    if (reader.peek() !== '{' || !/\d/.test(reader.peek(1))) return undefined;
    reader.next();
    const min = Number(reader.takeWhile(/\d/));
    let max = min;
    if (reader.takes(',')) {
      const digits = reader.takeWhile(/\d/);
      max = digits === '' ? Number.POSITIVE_INFINITY : Number(digits);
    }
    if (reader.isAtEnd) throw new PatternError('braces {} not balanced');
    const isTooMany = min > maxRepetitions || (Number.isFinite(max) && max > maxRepetitions);
    if (!reader.takes('}') || isTooMany || min > max) throw new PatternError('invalid repetition count(s)');
    return { min, max };
  }

  private atom(): PatternNode {
    const reader = this.reader;
    const { anchorsAtLines, dotStopsAtLines } = this.options;
    const character = reader.next();
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return this.brackets();
      case '.':
        return { kind: 'set', set: { ranges: dotStopsAtLines ? [[0x0a, 0x0a]] : [], isNegated: true } };
      case '^':
        return assertion(anchorsAtLines ? 'line-start' : 'start');
      case '$':
        return assertion(anchorsAtLines ? 'line-end' : 'end');
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw new PatternError('quantifier operand invalid');
      default:
        if (character === '{' && /\d/.test(reader.peek()))
          throw new PatternError('quantifier operand invalid');
        return one(character.codePointAt(0) ?? 0);
    }
  }

  private group(): PatternNode {
    const reader = this.reader;
    if (reader.peek() === '?' && !reader.takes('?:')) throw refusedGroup(reader);
    this.depth++;
    if (this.depth > maxDepth) throw new PatternError('regular expression is too complex');
    const inner = this.choice();
    this.depth--;
    if (!reader.takes(')')) throw unbalancedGroup();
    return inner;
  }

  private brackets(): PatternNode {
    if (this.reader.takes('[:<:]]')) return assertion('word-start');
    if (this.reader.takes('[:>:]]')) return assertion('word-end');
    const set = readBrackets(this.reader);
    if (!set.isNegated || !this.options.dotStopsAtLines) return { kind: 'set', set };
    return { kind: 'set', set: { isNegated: true, ranges: [...set.ranges, [0x0a, 0x0a]] } };
  }

  private escape(): PatternNode {
    const escape = readEscape(this.reader);
    switch (escape.kind) {
      case 'assertion':
        return assertion(escape.assertion);
      case 'character':
        return one(escape.code);
      case 'ranges':
        return { kind: 'set', set: { ranges: escape.ranges, isNegated: false } };
      default:
        return escape satisfies never;
    }
  }

  private skipIgnored(): void {
    const reader = this.reader;
    for (;;) {
      if (reader.takes('(?#')) {
        reader.takeWhile(/[^)]/);
        if (!reader.takes(')')) throw unbalancedGroup();
      } else if (this.options.isExpanded && /[\s#]/.test(reader.peek())) {
        if (reader.next() === '#') reader.takeWhile(/[^\n]/);
      } else {
        return;
      }
    }
  }
}

function assertion(name: Assertion): PatternNode {
  return { kind: 'assertion', assertion: name };
}

function refusedGroup(reader: PatternReader): PatternError {
  const isLookAround = ['?=', '?!', '?<=', '?<!'].some((start) => reader.takes(start));
  return new PatternError(
    isLookAround ? 'look-around constraints are not supported' : 'quantifier operand invalid',
  );
}

function unbalancedGroup(): PatternError {
  return new PatternError('parentheses () not balanced');
}
