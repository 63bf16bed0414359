/** Syntax trees of Ruby as plain data: the kinds of nodes that something reads, by prism's names. */

/** Any node. Those that are not in `RubyNodes` have their fields, too, but no code relies on them. */
export interface RubyNode {
  readonly kind: string;
  /** Where it begins in the file, in bytes. */
  readonly offset: number;
}

/** Fields are those of prism; strings are plain, `flags` are prism's bits. */
export interface RubyNodes {
  AliasMethodNode: { readonly newName: RubyNode; readonly oldName: RubyNode };
  AndNode: Binary;
  ArgumentsNode: { readonly arguments: readonly RubyNode[] };
  ArrayNode: { readonly elements: readonly RubyNode[] };
  AssocNode: { readonly key: RubyNode; readonly value: RubyNode };
  AssocSplatNode: { readonly value: RubyNode | null };
  BeginNode: {
    readonly statements: RubyNode | null;
    readonly rescueClause: RubyNode | null;
    readonly elseClause: RubyNode | null;
    readonly ensureClause: RubyNode | null;
  };
  BlockArgumentNode: { readonly expression: RubyNode | null };
  BlockNode: Body & { readonly parameters: RubyNode | null };
  BlockLocalVariableNode: { readonly name: string };
  BlockParametersNode: { readonly parameters: RubyNode | null; readonly locals: readonly RubyNode[] };
  BreakNode: Jump;
  CallNode: {
    readonly flags: number;
    readonly receiver: RubyNode | null;
    readonly name: string;
    readonly arguments: RubyNode | null;
    readonly block: RubyNode | null;
  };
  CaseNode: {
    readonly predicate: RubyNode | null;
    readonly conditions: readonly RubyNode[];
    readonly elseClause: RubyNode | null;
  };
  ClassNode: Body & { readonly constantPath: RubyNode; readonly superclass: RubyNode | null };
  ConstantOrWriteNode: Write;
  ConstantPathNode: { readonly parent: RubyNode | null; readonly name: string };
  ConstantReadNode: { readonly name: string };
  ConstantWriteNode: Write;
  DefNode: Body & {
    readonly name: string;
    readonly receiver: RubyNode | null;
    readonly parameters: RubyNode | null;
  };
  DefinedNode: { readonly value: RubyNode };
  ElseNode: { readonly statements: RubyNode | null };
  EmbeddedStatementsNode: { readonly statements: RubyNode | null };
  EnsureNode: { readonly statements: RubyNode | null };
  FalseNode: Empty;
  FloatNode: { readonly value: number };
  GlobalVariableReadNode: { readonly name: string };
  HashNode: { readonly elements: readonly RubyNode[] };
  IfNode: {
    readonly predicate: RubyNode;
    readonly statements: RubyNode | null;
    readonly subsequent: RubyNode | null;
  };
  ImplicitNode: { readonly value: RubyNode };
  InstanceVariableOrWriteNode: Write;
  InstanceVariableReadNode: { readonly name: string };
  InstanceVariableWriteNode: Write;
  IntegerNode: { readonly value: number | bigint };
  InterpolatedRegularExpressionNode: Parts & { readonly flags: number };
  InterpolatedStringNode: Parts;
  InterpolatedSymbolNode: Parts;
  KeywordHashNode: { readonly elements: readonly RubyNode[] };
  LambdaNode: Body & { readonly parameters: RubyNode | null };
  LocalVariableOperatorWriteNode: Write & { readonly binaryOperator: string };
  LocalVariableOrWriteNode: Write;
  LocalVariableReadNode: { readonly name: string };
  LocalVariableTargetNode: { readonly name: string };
  LocalVariableWriteNode: Write;
  ModuleNode: Body & { readonly constantPath: RubyNode };
  MultiTargetNode: Targets;
  MultiWriteNode: Targets & { readonly value: RubyNode };
  NextNode: Jump;
  NilNode: Empty;
  OptionalKeywordParameterNode: Write;
  OptionalParameterNode: Write;
  OrNode: Binary;
  ParametersNode: {
    readonly requireds: readonly RubyNode[];
    readonly optionals: readonly RubyNode[];
    readonly rest: RubyNode | null;
    readonly posts: readonly RubyNode[];
    readonly keywords: readonly RubyNode[];
    readonly keywordRest: RubyNode | null;
    readonly block: RubyNode | null;
  };
  BlockParameterNode: { readonly name: string | null };
  ParenthesesNode: { readonly body: RubyNode | null };
  ProgramNode: { readonly statements: RubyNode };
  RangeNode: { readonly flags: number; readonly left: RubyNode | null; readonly right: RubyNode | null };
  RegularExpressionNode: { readonly flags: number; readonly unescaped: string };
  RequiredKeywordParameterNode: { readonly name: string };
  RequiredParameterNode: { readonly name: string };
  RescueModifierNode: { readonly expression: RubyNode; readonly rescueExpression: RubyNode };
  RescueNode: {
    readonly exceptions: readonly RubyNode[];
    readonly reference: RubyNode | null;
    readonly statements: RubyNode | null;
    readonly subsequent: RubyNode | null;
  };
  RestParameterNode: { readonly name: string | null };
  ReturnNode: Jump;
  SelfNode: Empty;
  SingletonClassNode: Body & { readonly expression: RubyNode };
  SourceFileNode: Empty;
  SplatNode: { readonly expression: RubyNode | null };
  StatementsNode: { readonly body: readonly RubyNode[] };
  StringNode: { readonly unescaped: string };
  SymbolNode: { readonly unescaped: string };
  TrueNode: Empty;
  UnlessNode: {
    readonly predicate: RubyNode;
    readonly statements: RubyNode | null;
    readonly elseClause: RubyNode | null;
  };
  WhenNode: { readonly conditions: readonly RubyNode[]; readonly statements: RubyNode | null };
  YieldNode: Jump;
}

interface Body {
  readonly body: RubyNode | null;
}
interface Binary {
  readonly left: RubyNode;
  readonly right: RubyNode;
}
interface Write {
  readonly name: string;
  readonly value: RubyNode;
}
interface Parts {
  readonly parts: readonly RubyNode[];
}
interface Jump {
  readonly arguments: RubyNode | null;
}
interface Targets {
  readonly lefts: readonly RubyNode[];
  readonly rest: RubyNode | null;
  readonly rights: readonly RubyNode[];
}
type Empty = Readonly<Record<never, never>>;

export type RubyNodeOf<Kind extends keyof RubyNodes> = RubyNode & { readonly kind: Kind } & RubyNodes[Kind];

export function isRubyNode<Kind extends keyof RubyNodes>(
  node: RubyNode | null | undefined,
  kind: Kind,
): node is RubyNodeOf<Kind> {
  return node?.kind === kind;
}

/** The nodes right below a node, in the order of prism's fields. */
export function* childrenOf(node: RubyNode): Iterable<RubyNode> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) if (isNode(item)) yield item;
    if (isNode(value)) yield value;
  }
}

/** A node and everything below it. */
export function* descendantsOf(node: RubyNode): Iterable<RubyNode> {
  yield node;
  for (const child of childrenOf(node)) yield* descendantsOf(child);
}

function isNode(value: unknown): value is RubyNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
