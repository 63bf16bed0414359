/** Trees as text: Puppet Notation, as `puppet parser dump` prints it. Kinds and keys are those of its specification. */

import type {
  AstNode,
  CallMethodExpression,
  CallNamedFunctionExpression,
  Expression,
  HostClassDefinition,
  IfExpression,
  NodeDefinition,
  Parameter,
  ResourceForm,
  UnlessExpression,
} from './ast.ts';

/** Renders a tree in one line. */
export function dump(node: AstNode): string {
  return DUMPERS[node.kind](node as never);
}

type Dumpers = { readonly [K in AstNode['kind']]: (node: Extract<AstNode, { kind: K }>) => string };

type Binary = { readonly left: Expression; readonly right: Expression };
type Entry = readonly [key: string, value: string];

const DUMPERS: Dumpers = {
  LiteralInteger: (n) =>
    n.radix === 10
      ? `${n.value}`
      : call(
          'int',
          map([
            ['radix', `${n.radix}`],
            ['value', `${n.value}`],
          ]),
        ),
  LiteralFloat: (n) => float(n.value),
  LiteralString: (n) => quote(n.value),
  LiteralBoolean: (n) => `${n.value}`,
  LiteralUndef: () => 'nil',
  LiteralDefault: () => '(default)',
  LiteralRegularExpression: (n) => call('regexp', quote(regexp(n.source))),
  LiteralList: (n) => call('array', ...n.values.map(dump)),
  KeyedEntry: (n) => call('=>', dump(n.key), dump(n.value)),
  LiteralHash: (n) => call('hash', ...n.entries.map(dump)),
  ConcatenatedString: (n) => call('concat', ...n.segments.map(dump)),
  TextExpression: (n) => call('str', dump(n.expr)),
  HeredocExpression: (n) =>
    call(
      'heredoc',
      map([...optional('syntax', n.syntax === '' ? undefined : quote(n.syntax)), ['text', dump(n.textExpr)]]),
    ),
  QualifiedName: (n) => call('qn', quote(n.value)),
  QualifiedReference: (n) => call('qr', quote(n.value)),
  ReservedWord: (n) => call('reserved', quote(n.word)),
  VariableExpression: (n) => call('var', variableName(n.expr)),
  AccessExpression: (n) => call('access', dump(n.left), ...n.keys.map(dump)),
  NamedAccessExpression: (n) => binary('.', n),
  NotExpression: (n) => call('!', dump(n.expr)),
  UnaryMinusExpression: (n) => minus(n.expr),
  UnfoldExpression: (n) => call('unfold', dump(n.expr)),
  ParenthesizedExpression: (n) => call('paren', dump(n.expr)),
  ArithmeticExpression: (n) => binary(n.operator, n),
  ComparisonExpression: (n) => binary(n.operator, n),
  MatchExpression: (n) => binary(n.operator, n),
  InExpression: (n) => binary('in', n),
  AndExpression: (n) => binary('and', n),
  OrExpression: (n) => binary('or', n),
  AssignmentExpression: (n) => binary(n.operator, n),
  RelationshipExpression: (n) => binary(n.operator, n),
  IfExpression: (n) => condition('if', n),
  UnlessExpression: (n) => condition('unless', n),
  CaseOption: (n) =>
    map([
      ['when', list(n.values)],
      ['then', block(n.thenExpr)],
    ]),
  CaseExpression: (n) => call('case', dump(n.test), list(n.options)),
  SelectorEntry: (n) => call('=>', dump(n.matchingExpr), dump(n.valueExpr)),
  SelectorExpression: (n) => call('?', dump(n.leftExpr), list(n.selectors)),
  BlockExpression: (n) => call('block', ...n.statements.map(dump)),
  Nop: () => '(nop)',
  CallNamedFunctionExpression: (n) => functionCall(n.rvalRequired ? 'call' : 'invoke', n),
  CallMethodExpression: (n) => functionCall('call-method', n),
  LambdaExpression: (n) =>
    call('lambda', map([...parameters(n.parameters), ...returns(n.returnType), ...optionalBody(n.body)])),
  Parameter: (n) => map(parameterEntries(n)),
  AttributeOperation: (n) => call(n.operator, quote(n.attributeName), dump(n.valueExpr)),
  AttributesOperation: (n) => call('splat-hash', dump(n.expr)),
  ResourceBody: (n) =>
    map([
      ['title', dump(n.title)],
      ['ops', list(n.operations)],
    ]),
  ResourceExpression: (n) =>
    call('resource', map([['type', dump(n.typeName)], ['bodies', list(n.bodies)], ...formOf(n.form)])),
  ResourceDefaultsExpression: (n) =>
    call(
      'resource-defaults',
      map([['type', dump(n.typeRef)], ['ops', list(n.operations)], ...formOf(n.form)]),
    ),
  ResourceOverrideExpression: (n) =>
    call(
      'resource-override',
      map([['resources', dump(n.resources)], ['ops', list(n.operations)], ...formOf(n.form)]),
    ),
  VirtualQuery: (n) => query('virtual-query', n.expr),
  ExportedQuery: (n) => query('exported-query', n.expr),
  CollectExpression: (n) =>
    call(
      'collect',
      map([
        ['type', dump(n.typeExpr)],
        ['query', dump(n.query)],
        ...optional('ops', n.operations.length === 0 ? undefined : list(n.operations)),
      ]),
    ),
  HostClassDefinition: (n) => definition('class', n, n.parentClass),
  ResourceTypeDefinition: (n) => definition('define', n),
  NodeDefinition: (n) => node(n),
  FunctionDefinition: (n) => definition('function', n),
  PlanDefinition: (n) => definition('plan', n),
  TypeAlias: (n) => call('type-alias', quote(n.name), dump(n.typeExpr)),
  TypeDefinition: (n) =>
    call('type-definition', quote(n.name), n.parent === undefined ? 'nil' : quote(n.parent), dump(n.body)),
  TypeMapping: (n) => call('type-mapping', dump(n.typeExpr), dump(n.mappingExpr)),
  // A template is a lambda to the reference.
  EppExpression: (n) => call('lambda', map([...parameters(n.parameters), ['body', `[${epp(n.body)}]`]])),
  RenderStringExpression: (n) => call('render-s', quote(n.value)),
  RenderExpression: (n) => call('render', dump(n.expr)),
  Program: (n) => dump(n.body),
};

function call(name: string, ...elements: readonly string[]): string {
  return elements.length === 0 ? `(${name})` : `(${name} ${elements.join(' ')})`;
}

function map(entries: readonly Entry[]): string {
  return `{${entries.map(([key, value]) => `:${key} ${value}`).join(' ')}}`;
}

function list(nodes: readonly AstNode[]): string {
  return `[${nodes.map(dump).join(' ')}]`;
}

function binary(operator: string, { left, right }: Binary): string {
  return call(operator, dump(left), dump(right));
}

function optional(key: string, value: string | undefined): Entry[] {
  return value === undefined ? [] : [[key, value]];
}

/** A block as the list of its statements, anything else as a list of one. */
function block(body: Expression): string {
  return body.kind === 'BlockExpression' ? list(body.statements) : list([body]);
}

function optionalBody(body: Expression): Entry[] {
  return body.kind === 'Nop' ? [] : [['body', block(body)]];
}

function returns(type: Expression | undefined): Entry[] {
  return optional('returns', type === undefined ? undefined : dump(type));
}

function formOf(form: ResourceForm): Entry[] {
  return form === 'regular' ? [] : [['form', quote(form)]];
}

function minus(expr: Expression): string {
  if (expr.kind === 'LiteralInteger') return `${-expr.value}`;
  return expr.kind === 'LiteralFloat' ? float(-expr.value) : call('-', dump(expr));
}

function variableName(expr: Expression): string {
  if (expr.kind === 'QualifiedName') return quote(expr.value);
  return expr.kind === 'LiteralInteger' ? quote(`${expr.value}`) : dump(expr);
}

function query(name: string, expr: Expression): string {
  return expr.kind === 'Nop' ? call(name) : call(name, dump(expr));
}

function condition(name: string, { test, thenExpr, elseExpr }: IfExpression | UnlessExpression): string {
  const thenEntry: Entry[] = thenExpr.kind === 'Nop' ? [] : [['then', block(thenExpr)]];
  const elseEntry: Entry[] = elseExpr.kind === 'Nop' ? [] : [['else', block(elseExpr)]];
  return call(name, map([['test', dump(test)], ...thenEntry, ...elseEntry]));
}

function functionCall(
  name: string,
  { functorExpr, args, lambda }: CallNamedFunctionExpression | CallMethodExpression,
): string {
  const blockEntry = optional('block', lambda === undefined ? undefined : dump(lambda));
  return call(name, map([['functor', dump(functorExpr)], ['args', list(args)], ...blockEntry]));
}

function parameters(all: readonly Parameter[]): Entry[] {
  if (all.length === 0) return [];
  return [['params', map(all.map((parameter): Entry => [parameter.name, map(parameterParts(parameter))]))]];
}

function parameterParts({ typeExpr, capturesRest, value }: Parameter): Entry[] {
  return [
    ...optional('type', typeExpr === undefined ? undefined : dump(typeExpr)),
    ...optional('splat', capturesRest ? 'true' : undefined),
    ...optional('value', value === undefined ? undefined : dump(value)),
  ];
}

function parameterEntries(parameter: Parameter): Entry[] {
  return [['name', quote(parameter.name)], ...parameterParts(parameter)];
}

type Named = Pick<HostClassDefinition, 'writtenName' | 'parameters' | 'body'> & {
  readonly returnType?: Expression | undefined;
};

function definition(type: string, named: Named, parent?: string): string {
  const entries: Entry[] = [
    ['name', quote(named.writtenName)],
    ...optional('parent', parent === undefined ? undefined : quote(parent)),
    ...parameters(named.parameters),
    ...optionalBody(named.body),
    ...returns(named.returnType),
  ];
  return call(type, map(entries));
}

function node({ hostMatches, parent, body }: NodeDefinition): string {
  const parentEntry = optional('parent', parent === undefined ? undefined : dump(parent));
  return call('node', map([['matches', list(hostMatches)], ...parentEntry, ...optionalBody(body)]));
}

function epp(body: Expression): string {
  return body.kind === 'BlockExpression' ? call('epp', ...body.statements.map(dump)) : call('epp');
}

/** One that is not plain ASCII has its encoding as an option, and is shown as a group therefore. */
function regexp(source: string): string {
  return /^[\x00-\x7f]*$/.test(source) ? source : `(?-imx:${source})`;
}

/** A float as Ruby writes it: always with a point, with an exponent from 1e15 on and below 1e-4. */
function float(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e15 || size < 1e-4)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    const digits = exponent.replace(/^[-+]/, '').padStart(2, '0');
    return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${sign}${digits}`;
  }
  const text = Object.is(value, -0) ? '-0' : `${value}`;
  return text.includes('.') ? text : `${text}.0`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

function quote(text: string): string {
  const escaped = text.replace(
    /[\u0000-\u001f"\\]/g,
    (char) => ESCAPES.get(char) ?? `\\o${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}
