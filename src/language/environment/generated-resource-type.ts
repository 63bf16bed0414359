/**
 * Resource types that `puppet generate types` wrote down in the Puppet language: `.resource_types/NAME.pp` of an
 * environment. Such a file is one call of `Puppet::Resource::ResourceType3.new`, with literals alone.
 */

import type { ResourceTypeInfo, TitlePattern } from '../catalog/index.ts';
import { type Expression, type Program, PuppetError } from '../syntax/index.ts';

const CLASS = 'Puppet::Resource::ResourceType3';

const EVERYTHING = { source: '(.*)', multiline: true };

interface Attribute {
  readonly name: string;
  readonly isNamevar: boolean;
}

/** @throws PuppetError when the file holds something else, or a type of another name */
export function readGeneratedType(program: Program, name: string): ResourceTypeInfo {
  const { file } = program.source;
  const args = argumentsOf(program, name);
  const [typeName, properties, parameters, patterns, isomorphic] = args;
  const actual = literal(typeName);
  if (actual !== name) {
    throw mistake(
      `The code loaded from ${file} produced resource type with the wrong name, expected '${name}', actual '${String(actual)}'`,
    );
  }
  const propertyList = attributesOf(properties, file);
  const parameterList = attributesOf(parameters, file);
  const namevars = [...propertyList, ...parameterList].filter(({ isNamevar }) => isNamevar);
  return {
    name,
    properties: new Set(propertyList.map((attribute) => attribute.name)),
    parameters: new Set(parameterList.map((attribute) => attribute.name)),
    namevars: namevars.map((attribute) => attribute.name),
    titlePatterns: patternsOf(
      patterns,
      namevars.map((attribute) => attribute.name),
      file,
    ),
    isIsomorphic: literal(isomorphic) !== false,
  };
}

/** What the call is given. */
function argumentsOf(program: Program, name: string): readonly Expression[] {
  const { body, source } = program;
  const all = body.kind === 'BlockExpression' ? body.statements : [body];
  const statements = all.filter(({ kind }) => kind !== 'Nop');
  const code = `The code loaded from ${source.file}`;
  if (statements.length === 0) {
    throw mistake(`${code} does not create the resource type '${name}' - it is empty`);
  }
  const call = statements.find(isCreation);
  if (call === undefined) {
    throw mistake(`${code} does not create the resource type '${name}' - no call to ${CLASS}.new found.`);
  }
  if (statements.length > 1) {
    throw mistake(
      `${code} must contain only the creation of resource type '${name}' - it has additional logic.`,
    );
  }
  return call.kind === 'CallMethodExpression' ? call.args : [];
}

function isCreation(expression: Expression): boolean {
  if (expression.kind !== 'CallMethodExpression') return false;
  const { left, right } = expression.functorExpr;
  return (
    left.kind === 'QualifiedReference' &&
    left.value === CLASS &&
    right.kind === 'QualifiedName' &&
    right.value === 'new'
  );
}

function attributesOf(list: Expression | undefined, file: string): readonly Attribute[] {
  if (list === undefined) return [];
  if (list.kind !== 'LiteralList') throw notLiteral(file);
  return list.values.map((value) => {
    if (value.kind !== 'CallNamedFunctionExpression') throw notLiteral(file);
    const [, name, isNamevar] = value.args;
    const text = literal(name);
    if (typeof text !== 'string') throw notLiteral(file);
    return { name: text, isNamevar: literal(isNamevar) === true };
  });
}

function patternsOf(
  hash: Expression | undefined,
  namevars: readonly string[],
  file: string,
): readonly TitlePattern[] {
  const [only, second] = namevars;
  // Without key attributes the reference forgets the patterns: the title is the name.
  if (only === undefined) return [{ ...EVERYTHING, attributes: ['name'] }];
  if (hash === undefined || hash.kind === 'LiteralUndef') {
    return second === undefined ? [{ ...EVERYTHING, attributes: [only] }] : [];
  }
  if (hash.kind !== 'LiteralHash') throw notLiteral(file);
  return hash.entries.map(({ key, value }) => {
    if (key.kind !== 'LiteralRegularExpression' || value.kind !== 'LiteralList') throw notLiteral(file);
    const attributes = value.values.map(literal);
    if (!attributes.every((attribute) => typeof attribute === 'string')) throw notLiteral(file);
    return { ...unwrapped(key.source), attributes };
  });
}

/** The usual pattern as the types in Ruby have it: options are written as a group here. */
function unwrapped(source: string): { readonly source: string; readonly multiline: boolean } {
  return source === '(?m-ix:(.*))' ? EVERYTHING : { source, multiline: false };
}

function literal(expression: Expression | undefined): string | boolean | undefined {
  if (expression?.kind === 'LiteralString' || expression?.kind === 'LiteralBoolean') return expression.value;
  return undefined;
}

function notLiteral(file: string): PuppetError {
  return mistake(`The code loaded from ${file} must describe a resource type with literals alone`);
}

function mistake(message: string): PuppetError {
  return new PuppetError({ code: 'runtime_error', severity: 'error', message });
}
