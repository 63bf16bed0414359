/** Definitions of classes, defined types, functions and nodes. */

import type {
  Expression,
  FunctionDefinition,
  HostClassDefinition,
  NodeDefinition,
  PlanDefinition,
  ResourceTypeDefinition,
} from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseParameterList, parseReturnType } from './parse-parameters.ts';
import { parseBody } from './parse-statements.ts';
import { parseHeredoc, parseInterpolated } from './parse-text.ts';
import type { Parser } from './parser.ts';

/** Grammar: `'class' name parameters? ('inherits' (name | 'default'))? '{' statements? '}'`. */
export function parseClass(parser: Parser): HostClassDefinition {
  const offset = parser.expect(Token.class);
  const written = parseName(parser);
  parser.namespace.push(written);
  const parameters = parseParameterList(parser);
  const parentClass = parser.accept(Token.inherits) ? parseParentName(parser) : undefined;
  const body = parseBody(parser, offset);
  parser.namespace.pop();
  const names = namesOf(parser, written);
  const length = parser.previousEnd - offset;
  const definition: HostClassDefinition = {
    kind: 'HostClassDefinition',
    offset,
    length,
    ...names,
    parameters,
    parentClass,
    body,
  };
  parser.definitions.push(definition);
  return definition;
}

/** Grammar: `'define' name parameters? '{' statements? '}'`. */
export function parseDefine(parser: Parser): ResourceTypeDefinition {
  const offset = parser.expect(Token.define);
  const names = namesOf(parser, parseName(parser));
  const parameters = parseParameterList(parser);
  const body = parseBody(parser, offset);
  const length = parser.previousEnd - offset;
  const definition: ResourceTypeDefinition = {
    kind: 'ResourceTypeDefinition',
    offset,
    length,
    ...names,
    parameters,
    body,
  };
  parser.definitions.push(definition);
  return definition;
}

/** Grammar: `'function' name parameters? ('>>' type)? '{' statements? '}'`. Functions don't nest in classes. */
export function parseFunction(parser: Parser): FunctionDefinition {
  const offset = parser.expect(Token.function);
  const writtenName = parseName(parser);
  const parameters = parseParameterList(parser);
  const returnType = parseReturnType(parser);
  const body = parseBody(parser, offset);
  const length = parser.previousEnd - offset;
  const definition: FunctionDefinition = {
    kind: 'FunctionDefinition',
    offset,
    length,
    name: writtenName.replace(/^::/, '').toLowerCase(),
    writtenName,
    parameters,
    returnType,
    body,
  };
  parser.definitions.push(definition);
  return definition;
}

/** Grammar: `'plan' name parameters? '{' statements? '}'`. */
export function parsePlanDefinition(parser: Parser): PlanDefinition {
  const offset = parser.expect(Token.plan);
  const written = parseName(parser);
  parser.namespace.push(written);
  const parameters = parseParameterList(parser);
  const body = parseBody(parser, offset);
  parser.namespace.pop();
  const definition: PlanDefinition = {
    kind: 'PlanDefinition',
    offset,
    length: parser.previousEnd - offset,
    ...namesOf(parser, written),
    parameters,
    returnType: undefined,
    body,
  };
  parser.definitions.push(definition);
  return definition;
}

/** Grammar: `'node' host (',' host)* ','? ('inherits' host)? '{' statements? '}'`. */
export function parseNode(parser: Parser): NodeDefinition {
  const offset = parser.expect(Token.node);
  const hostMatches = [parseHost(parser)];
  while (parser.accept(Token.comma)) {
    if (parser.kind === Token.inherits || parser.kind === Token.lBrace) break;
    hostMatches.push(parseHost(parser));
  }
  const parent = parser.accept(Token.inherits) ? parseHost(parser) : undefined;
  const body = parseBody(parser, offset);
  const length = parser.previousEnd - offset;
  const definition: NodeDefinition = { kind: 'NodeDefinition', offset, length, hostMatches, parent, body };
  parser.definitions.push(definition);
  return definition;
}

function namesOf(parser: Parser, written: string): { readonly name: string; readonly writtenName: string } {
  const writtenName = [...parser.namespace, written].join('::');
  return { name: writtenName.replace(/^::/, '').toLowerCase(), writtenName };
}

/** Grammar: `NAME | WORD | CLASSREF`; whether the name will do is for the validation to say. */
function parseName(parser: Parser): string {
  const { kind, offset, value } = parser;
  if (kind === Token.class) throw parser.error('class_keyword_as_name', {}, offset);
  if (kind === Token.string) throw parser.error('string_as_name', {}, offset);
  if (kind !== Token.name && kind !== Token.word && kind !== Token.classRef) throw parser.syntaxError();
  parser.next();
  return value;
}

function parseParentName(parser: Parser): string {
  return parser.accept(Token.default) ? 'default' : parseName(parser);
}

/** Grammar: `name ('.' name)* | string | 'default' | regex`, where names may be numbers. */
function parseHost(parser: Parser): Expression {
  const { offset, length, value } = parser;
  switch (parser.kind) {
    case Token.name:
    case Token.number:
      return parseDottedName(parser);
    case Token.string:
    case Token.word:
      parser.next();
      return { kind: 'LiteralString', offset, length, value };
    case Token.dqPre:
      return parseInterpolated(parser);
    case Token.heredoc:
      return parseHeredoc(parser);
    case Token.default:
      parser.next();
      return { kind: 'LiteralDefault', offset, length };
    case Token.regex:
      parser.next();
      return { kind: 'LiteralRegularExpression', offset, length, source: value };
    default:
      throw parser.syntaxError();
  }
}

function parseDottedName(parser: Parser): Expression {
  const { offset } = parser;
  let { value } = parser;
  parser.next();
  while (parser.accept(Token.dot)) {
    if (parser.kind !== Token.name && parser.kind !== Token.number) throw parser.syntaxError();
    value += `.${parser.value}`;
    parser.next();
  }
  return { kind: 'LiteralString', offset, length: parser.previousEnd - offset, value };
}
