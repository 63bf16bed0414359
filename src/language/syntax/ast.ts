/**
 * The syntax tree. Node kinds carry the names of the reference model (`Puppet::Pops::Model`), so that
 * who knows one knows the other. Trees are immutable and shared between environments.
 */

import type { Diagnostic } from './diagnostic.ts';

/**
 * Where a node stands in its file, in UTF-16 code units; a `Locator` turns it into line and column.
 *
 * These are the places that the reference reports errors at, which is not always where the text begins: a binary
 * expression stands at its operator, a method call at its `(`, a selector at its operand.
 */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

interface Node<K extends string> extends Span {
  readonly kind: K;
}

// --- literals

export interface LiteralInteger extends Node<'LiteralInteger'> {
  readonly value: number | bigint;
  readonly radix: 8 | 10 | 16;
}
export interface LiteralFloat extends Node<'LiteralFloat'> {
  readonly value: number;
}
export interface LiteralString extends Node<'LiteralString'> {
  readonly value: string;
}
export interface LiteralBoolean extends Node<'LiteralBoolean'> {
  readonly value: boolean;
}
export type LiteralUndef = Node<'LiteralUndef'>;
export type LiteralDefault = Node<'LiteralDefault'>;
/** `/source/`: the source is Ruby's dialect, unescaped only for `\/`. */
export interface LiteralRegularExpression extends Node<'LiteralRegularExpression'> {
  readonly source: string;
}
export interface LiteralList extends Node<'LiteralList'> {
  readonly values: readonly Expression[];
}
export interface KeyedEntry extends Node<'KeyedEntry'> {
  readonly key: Expression;
  readonly value: Expression;
}
export interface LiteralHash extends Node<'LiteralHash'> {
  readonly entries: readonly KeyedEntry[];
}
/** A double-quoted string or heredoc with interpolation: literal strings and `TextExpression`s in turn. */
export interface ConcatenatedString extends Node<'ConcatenatedString'> {
  readonly segments: readonly Expression[];
}
/** `${...}` or `$name` inside a string. */
export interface TextExpression extends Node<'TextExpression'> {
  readonly expr: Expression;
}
export interface HeredocExpression extends Node<'HeredocExpression'> {
  readonly syntax: string;
  readonly textExpr: Expression;
}

// --- names and access

/** A lower-case bare word: `foo`, `foo::bar`, `::foo`. */
export interface QualifiedName extends Node<'QualifiedName'> {
  readonly value: string;
}
/** An upper-case bare word, as written: `Foo::Bar`. Compare by lower case. */
export interface QualifiedReference extends Node<'QualifiedReference'> {
  readonly value: string;
}
/** Words that mean nothing yet are reserved: `private`, `attr`, `type` where it does not belong. */
export interface ReservedWord extends Node<'ReservedWord'> {
  readonly word: string;
  readonly future: boolean;
}
/** `$name`; `expr` is a `QualifiedName`, or a `LiteralInteger` for match variables such as `$1`. */
export interface VariableExpression extends Node<'VariableExpression'> {
  readonly expr: Expression;
}
/** `left[keys]` */
export interface AccessExpression extends Node<'AccessExpression'> {
  readonly left: Expression;
  readonly keys: readonly Expression[];
}
/** `left.right`, only as the function part of a `CallMethodExpression`. */
export interface NamedAccessExpression extends Node<'NamedAccessExpression'> {
  readonly left: Expression;
  readonly right: Expression;
}

// --- operators

export interface NotExpression extends Node<'NotExpression'> {
  readonly expr: Expression;
}
export interface UnaryMinusExpression extends Node<'UnaryMinusExpression'> {
  readonly expr: Expression;
}
/** `*expr`: splat of an array or hash. */
export interface UnfoldExpression extends Node<'UnfoldExpression'> {
  readonly expr: Expression;
}
export interface ParenthesizedExpression extends Node<'ParenthesizedExpression'> {
  readonly expr: Expression;
}
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '<<' | '>>';
export interface ArithmeticExpression extends Node<'ArithmeticExpression'> {
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
  /** Where the operator itself stands: errors point at it. */
  readonly operatorOffset: number;
}
export type ComparisonOperator = '==' | '!=' | '<' | '>' | '<=' | '>=';
export interface ComparisonExpression extends Node<'ComparisonExpression'> {
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorOffset: number;
}
export interface MatchExpression extends Node<'MatchExpression'> {
  readonly operator: '=~' | '!~';
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorOffset: number;
}
export interface InExpression extends Node<'InExpression'> {
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorOffset: number;
}
export interface AndExpression extends Node<'AndExpression'> {
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorOffset: number;
}
export interface OrExpression extends Node<'OrExpression'> {
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorOffset: number;
}
export interface AssignmentExpression extends Node<'AssignmentExpression'> {
  readonly operator: '=' | '+=' | '-=';
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorOffset: number;
}
export type RelationshipOperator = '->' | '<-' | '~>' | '<~';
export interface RelationshipExpression extends Node<'RelationshipExpression'> {
  readonly operator: RelationshipOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorOffset: number;
}

// --- control

export interface IfExpression extends Node<'IfExpression'> {
  readonly test: Expression;
  readonly thenExpr: Expression;
  /** `Nop` when there is no `else`. */
  readonly elseExpr: Expression;
}
export interface UnlessExpression extends Node<'UnlessExpression'> {
  readonly test: Expression;
  readonly thenExpr: Expression;
  readonly elseExpr: Expression;
}
export interface CaseOption extends Node<'CaseOption'> {
  readonly values: readonly Expression[];
  readonly thenExpr: Expression;
}
export interface CaseExpression extends Node<'CaseExpression'> {
  readonly test: Expression;
  readonly options: readonly CaseOption[];
}
export interface SelectorEntry extends Node<'SelectorEntry'> {
  readonly matchingExpr: Expression;
  readonly valueExpr: Expression;
}
export interface SelectorExpression extends Node<'SelectorExpression'> {
  readonly leftExpr: Expression;
  readonly selectors: readonly SelectorEntry[];
}
export interface BlockExpression extends Node<'BlockExpression'> {
  readonly statements: readonly Expression[];
}
/** Nothing: an empty block, a missing `else`. Evaluates to undef. */
export type Nop = Node<'Nop'>;

// --- calls

/** `name(args) |params| { }`, or the statement form without parentheses. */
export interface CallNamedFunctionExpression extends Node<'CallNamedFunctionExpression'> {
  /** A `QualifiedName`; a `QualifiedReference` for `Integer(...)`; anything else is a diagnostic. */
  readonly functorExpr: Expression;
  readonly args: readonly Expression[];
  readonly lambda: LambdaExpression | undefined;
  /** False for a statement call such as `notice 'x'`. */
  readonly rvalRequired: boolean;
}
/** `receiver.name(args) |params| { }` */
export interface CallMethodExpression extends Node<'CallMethodExpression'> {
  readonly functorExpr: NamedAccessExpression;
  readonly args: readonly Expression[];
  readonly lambda: LambdaExpression | undefined;
}
export interface LambdaExpression extends Node<'LambdaExpression'> {
  readonly parameters: readonly Parameter[];
  readonly returnType: Expression | undefined;
  readonly body: Expression;
}
export interface Parameter extends Node<'Parameter'> {
  readonly name: string;
  readonly typeExpr: Expression | undefined;
  readonly value: Expression | undefined;
  readonly capturesRest: boolean;
}

// --- catalog expressions

export type ResourceForm = 'regular' | 'virtual' | 'exported';

/** `name => value` or `name +> value` */
export interface AttributeOperation extends Node<'AttributeOperation'> {
  readonly attributeName: string;
  readonly operator: '=>' | '+>';
  readonly valueExpr: Expression;
}
/** `* => hash` */
export interface AttributesOperation extends Node<'AttributesOperation'> {
  readonly expr: Expression;
}
export type Operation = AttributeOperation | AttributesOperation;
export interface ResourceBody extends Node<'ResourceBody'> {
  readonly title: Expression;
  readonly operations: readonly Operation[];
}
/** `file { 'a': ... ; 'b': ... }` */
export interface ResourceExpression extends Node<'ResourceExpression'> {
  readonly form: ResourceForm;
  readonly typeName: Expression;
  readonly bodies: readonly ResourceBody[];
}
/** `File { mode => ... }` */
export interface ResourceDefaultsExpression extends Node<'ResourceDefaultsExpression'> {
  readonly form: ResourceForm;
  readonly typeRef: Expression;
  readonly operations: readonly Operation[];
}
/** `File['a'] { mode => ... }` */
export interface ResourceOverrideExpression extends Node<'ResourceOverrideExpression'> {
  readonly form: ResourceForm;
  readonly resources: Expression;
  readonly operations: readonly Operation[];
}
export interface VirtualQuery extends Node<'VirtualQuery'> {
  readonly expr: Expression; // Nop when empty
}
export interface ExportedQuery extends Node<'ExportedQuery'> {
  readonly expr: Expression; // Nop when empty
}
/** `File <| query |> { ... }`, `File <<| query |>>` */
export interface CollectExpression extends Node<'CollectExpression'> {
  readonly typeExpr: Expression;
  readonly query: VirtualQuery | ExportedQuery;
  readonly operations: readonly Operation[];
}

// --- definitions

export interface HostClassDefinition extends Node<'HostClassDefinition'> {
  /** Fully qualified, lower case, without leading `::`. */
  readonly name: string;
  /** Fully qualified, as written: what messages and dumps show. */
  readonly writtenName: string;
  readonly parameters: readonly Parameter[];
  readonly parentClass: string | undefined;
  readonly body: Expression;
}
export interface ResourceTypeDefinition extends Node<'ResourceTypeDefinition'> {
  readonly name: string;
  readonly writtenName: string;
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}
export interface NodeDefinition extends Node<'NodeDefinition'> {
  /** `LiteralString`, `QualifiedName`-like bare words as `LiteralString`, `LiteralRegularExpression`, `LiteralDefault`. */
  readonly hostMatches: readonly Expression[];
  readonly parent: Expression | undefined;
  readonly body: Expression;
}
export interface FunctionDefinition extends Node<'FunctionDefinition'> {
  readonly name: string;
  readonly writtenName: string;
  readonly parameters: readonly Parameter[];
  readonly returnType: Expression | undefined;
  readonly body: Expression;
}
export interface PlanDefinition extends Node<'PlanDefinition'> {
  readonly name: string;
  readonly writtenName: string;
  readonly parameters: readonly Parameter[];
  readonly returnType: Expression | undefined;
  readonly body: Expression;
}
/** `type Name = Expression` */
export interface TypeAlias extends Node<'TypeAlias'> {
  /** As written: `My::Type`. */
  readonly name: string;
  readonly typeExpr: Expression;
}
/** `type Name { ... }` or `type Name inherits Parent { ... }` (an Object type). */
export interface TypeDefinition extends Node<'TypeDefinition'> {
  readonly name: string;
  readonly parent: string | undefined;
  readonly body: Expression;
}
/** `type Callable[...] = Name`: accepted by the grammar, refused by validation. */
export interface TypeMapping extends Node<'TypeMapping'> {
  readonly typeExpr: Expression;
  readonly mappingExpr: Expression;
}
/** `application`/`site`/`produces` were removed from the language; the words stay reserved. */

export type Definition =
  | HostClassDefinition
  | ResourceTypeDefinition
  | NodeDefinition
  | FunctionDefinition
  | PlanDefinition
  | TypeAlias
  | TypeDefinition
  | TypeMapping;

// --- EPP

export interface EppExpression extends Node<'EppExpression'> {
  readonly parametersSpecified: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}
/** Text between tags, appended to the output as it is. */
export interface RenderStringExpression extends Node<'RenderStringExpression'> {
  readonly value: string;
}
/** `<%= expr %>` */
export interface RenderExpression extends Node<'RenderExpression'> {
  readonly expr: Expression;
}

// --- roots

/**
 * A whole file. `definitions` lists every definition in it in the order in which they end, nested ones before
 * those around them.
 */
export interface Program extends Node<'Program'> {
  readonly body: Expression;
  readonly definitions: readonly Definition[];
  readonly source: SourceText;
  /** What the lexer warns of, such as unknown escapes; to be reported before anything else. */
  readonly warnings: readonly Diagnostic[];
}

/** The text that a tree came from; `file` is the name used in messages, `''` for a snippet. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

export type Expression =
  | LiteralInteger
  | LiteralFloat
  | LiteralString
  | LiteralBoolean
  | LiteralUndef
  | LiteralDefault
  | LiteralRegularExpression
  | LiteralList
  | LiteralHash
  | ConcatenatedString
  | TextExpression
  | HeredocExpression
  | QualifiedName
  | QualifiedReference
  | ReservedWord
  | VariableExpression
  | AccessExpression
  | NamedAccessExpression
  | NotExpression
  | UnaryMinusExpression
  | UnfoldExpression
  | ParenthesizedExpression
  | ArithmeticExpression
  | ComparisonExpression
  | MatchExpression
  | InExpression
  | AndExpression
  | OrExpression
  | AssignmentExpression
  | RelationshipExpression
  | IfExpression
  | UnlessExpression
  | CaseExpression
  | SelectorExpression
  | BlockExpression
  | Nop
  | CallNamedFunctionExpression
  | CallMethodExpression
  | LambdaExpression
  | ResourceExpression
  | ResourceDefaultsExpression
  | ResourceOverrideExpression
  | CollectExpression
  | EppExpression
  | RenderStringExpression
  | RenderExpression
  | Definition;

/** Every kind of node, expressions and their parts. */
export type AstNode =
  | Expression
  | KeyedEntry
  | CaseOption
  | SelectorEntry
  | Parameter
  | AttributeOperation
  | AttributesOperation
  | ResourceBody
  | VirtualQuery
  | ExportedQuery
  | Program;
