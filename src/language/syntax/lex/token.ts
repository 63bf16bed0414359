/** The kinds of tokens, and the text of those that always look the same. */

/** Kinds of tokens; the numbers have no meaning. */
export const Token = {
  end: 0,
  /** Text that can't be tokenised; the value of the token stream holds the error. */
  error: 1,
  /** A character that starts no token. */
  other: 2,
  tilde: 3,
  string: 4,
  /** A bare word that is no name: it has a dash, or a segment begins with an underscore. */
  word: 5,
  name: 6,
  classRef: 7,
  variable: 8,
  number: 9,
  regex: 10,
  dqPre: 11,
  dqMid: 12,
  dqPost: 13,
  heredoc: 14,
  lBrack: 15,
  /** A `[` after white space: it can only start an array. */
  listStart: 16,
  rBrack: 17,
  lBrace: 18,
  /** The `{` after `?`. */
  selBrace: 19,
  rBrace: 20,
  lParen: 21,
  /** A `(` that is first on its line: it can't start the arguments of a call. */
  wsLParen: 22,
  rParen: 23,
  equals: 24,
  appends: 25,
  deletes: 26,
  isEqual: 27,
  notEqual: 28,
  match: 29,
  noMatch: 30,
  greaterEqual: 31,
  greaterThan: 32,
  lessEqual: 33,
  lessThan: 34,
  fArrow: 35,
  pArrow: 36,
  lShift: 37,
  llCollect: 38,
  lCollect: 39,
  rShift: 40,
  rrCollect: 41,
  rCollect: 42,
  plus: 43,
  minus: 44,
  div: 45,
  times: 46,
  modulo: 47,
  not: 48,
  dot: 49,
  pipe: 50,
  at: 51,
  atAt: 52,
  colon: 53,
  comma: 54,
  semic: 55,
  qMark: 56,
  inEdge: 57,
  inEdgeSub: 58,
  outEdge: 59,
  outEdgeSub: 60,
  eppStart: 61,
  eppEnd: 62,
  eppEndTrim: 63,
  renderString: 64,
  renderExpr: 65,
  // Keywords come last: `isKeyword` relies on it.
  case: 70,
  class: 71,
  default: 72,
  define: 73,
  if: 74,
  elsif: 75,
  else: 76,
  inherits: 77,
  node: 78,
  and: 79,
  or: 80,
  undef: 81,
  boolean: 82,
  in: 83,
  unless: 84,
  function: 85,
  type: 86,
  attr: 87,
  private: 88,
  plan: 89,
  apply: 90,
} as const;

/** One of the values of `Token`. */
export type TokenKind = (typeof Token)[keyof typeof Token];

/** Words with a kind of their own. */
export const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['case', Token.case],
  ['class', Token.class],
  ['default', Token.default],
  ['define', Token.define],
  ['if', Token.if],
  ['elsif', Token.elsif],
  ['else', Token.else],
  ['inherits', Token.inherits],
  ['node', Token.node],
  ['and', Token.and],
  ['or', Token.or],
  ['undef', Token.undef],
  ['false', Token.boolean],
  ['true', Token.boolean],
  ['in', Token.in],
  ['unless', Token.unless],
  ['function', Token.function],
  ['type', Token.type],
  ['attr', Token.attr],
  ['private', Token.private],
]);

/** Words that are keywords in plans only. */
export const PLAN_KEYWORDS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['plan', Token.plan],
  ['apply', Token.apply],
]);

/** The length of the longest keyword, in characters. */
export const LONGEST_KEYWORD = 8;

/** Is the kind a keyword, `true` and `false` included? */
export function isKeyword(kind: number): boolean {
  return kind >= Token.case;
}
