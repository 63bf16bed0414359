/** Where definitions may be, what they may be called, how they may end. */

import type {
  AstNode,
  Expression,
  FunctionDefinition,
  HostClassDefinition,
  PlanDefinition,
  ResourceTypeDefinition,
  TypeAlias,
  TypeDefinition,
  TypeMapping,
} from '../ast.ts';
import { label } from '../label.ts';
import { isResourceWithoutTitle } from './check-expression.ts';
import { checkNoCapture, checkReturnType, checkTypeReference, checkUniqueNames } from './check-lambda.ts';
import { isApply } from './check-plan.ts';
import type { FileNamespace } from './file-namespace.ts';
import { pointlessEnd } from './idem.ts';
import { literalKey } from './literal-key.ts';
import type { ValidationContext } from './validation-context.ts';

/** Lower-case words that name types of the language. */
const RESERVED_TYPE_NAMES: ReadonlySet<string> = new Set(
  `type any unit scalar boolean numeric integer float collection array hash tuple struct variant optional enum
   regexp pattern runtime init object sensitive semver semverrange string timestamp timespan typeset`.split(
    /\s+/,
  ),
);

const RESERVED_PARAMETERS: ReadonlySet<string> = new Set(['name', 'title']);

type Named = HostClassDefinition | ResourceTypeDefinition | FunctionDefinition | PlanDefinition;

export function checkClassOrDefine(
  node: HostClassDefinition | ResourceTypeDefinition,
  context: ValidationContext,
  namespace: FileNamespace | undefined,
): void {
  checkNamed(node, context, namespace);
  checkNoCapture(node.parameters, node, context);
  checkUniqueNames(node.parameters, context);
  for (const parameter of node.parameters) {
    const { name } = parameter;
    if (!RESERVED_PARAMETERS.has(name)) continue;
    context.report('reserved_parameter', parameter, { name, container: label(node) });
  }
  checkEnd(node.body, node, context);
  if (node.kind === 'HostClassDefinition') checkLiteralTypes(node, context);
}

/** Tools read the types of a class's parameters without evaluating them. */
function checkLiteralTypes({ parameters }: HostClassDefinition, context: ValidationContext): void {
  if (!context.level.knowsLiteralTypes) return;
  for (const parameter of parameters) {
    const { name, typeExpr } = parameter;
    if (typeExpr === undefined || literalKey(typeExpr, true) !== undefined) continue;
    context.report('illegal_nonliteral_parameter_type', parameter, { name });
  }
}

/** A class, defined type or node must not end with something that does nothing. */
export function checkEnd(body: Expression, owner: AstNode, context: ValidationContext): void {
  const pointless = pointlessEnd(body);
  if (pointless === undefined || isResourceWithoutTitle(pointless)) return;
  context.report('idem_not_allowed_last', pointless, { label: label(pointless), container: label(owner) });
}

export function checkFunction(
  node: FunctionDefinition | PlanDefinition,
  context: ValidationContext,
  namespace: FileNamespace | undefined,
): void {
  checkNamed(node, context, namespace);
  checkReturnType(node, node.returnType, context);
  checkUniqueNames(node.parameters, context);
}

export function checkTypeAlias(node: TypeAlias, context: ValidationContext): void {
  checkTop(node, context);
  const { name } = node;
  if (!/^[A-Z]\w*(?:::[A-Z]\w*)*$/.test(name)) {
    context.report('illegal_definition_name', node, { name, label: label(node) });
  }
  checkReservedTypeName(node, name, context);
  checkTypeReference(node, node.typeExpr, context);
}

export function checkTypeDefinition(node: TypeDefinition, context: ValidationContext): void {
  checkTop(node, context);
  checkReservedTypeName(node, node.name, context);
  reportUnsupported(node, context);
}

/** Mappings of `Runtime` types are the language's own business; all others are refused. */
export function checkTypeMapping(node: TypeMapping, context: ValidationContext): void {
  checkTop(node, context);
  const { typeExpr, mappingExpr } = node;
  const isRuntime =
    typeExpr.kind === 'AccessExpression' &&
    typeExpr.left.kind === 'QualifiedReference' &&
    typeExpr.left.value === 'Runtime';
  if (!isRuntime) {
    reportUnsupported(node, context);
    return;
  }
  const [, second] = typeExpr.keys;
  const isPattern = typeExpr.keys.length === 2 && isReplacement(second);
  const wantsPattern = isReplacement(mappingExpr);
  const isAcceptable = wantsPattern || isTypeReference(mappingExpr);
  if (isAcceptable && isPattern === wantsPattern) return;
  const code =
    wantsPattern || (!isAcceptable && !isPattern)
      ? 'illegal_single_type_mapping'
      : 'illegal_regexp_type_mapping';
  context.report(code, node, { label: label(node) });
}

function isReplacement(node: Expression | undefined): boolean {
  if (node?.kind !== 'LiteralList' || node.values.length !== 2) return false;
  return node.values[0]?.kind === 'LiteralRegularExpression' && node.values[1]?.kind === 'LiteralString';
}

function isTypeReference(node: Expression): boolean {
  return (node.kind === 'AccessExpression' ? node.left : node).kind === 'QualifiedReference';
}

function checkNamed(node: Named, context: ValidationContext, namespace: FileNamespace | undefined): void {
  checkTop(node, context);
  const { writtenName: name } = node;
  if (!/^[a-z]\w*(?:::[a-z]\w*)*$/.test(name)) {
    context.report('illegal_definition_name', node, { name, label: label(node) });
  }
  if (namespace === false || (namespace !== undefined && !name.toLowerCase().startsWith(namespace))) {
    context.report('illegal_definition_location', node, { name, file: context.source.file });
  }
  checkReservedTypeName(node, name, context);
  if (name === 'plan') context.report('future_reserved_word', node, { word: name });
}

function checkReservedTypeName(node: AstNode, name: string, context: ValidationContext): void {
  if (RESERVED_TYPE_NAMES.has(name)) context.report('reserved_type_name', node, { name, label: label(node) });
}

const ABSOLUTE_TOP_ONLY: ReadonlySet<AstNode['kind']> = new Set<AstNode['kind']>([
  'FunctionDefinition',
  'PlanDefinition',
  'TypeAlias',
  'TypeDefinition',
]);

/** Definitions may be at the top, or in classes; functions and types at the top only. */
export function checkTop(node: AstNode, context: ValidationContext): void {
  for (let level = 1; ; level++) {
    const container = context.container(level);
    switch (container?.kind) {
      case undefined:
      case 'HostClassDefinition':
      case 'Program':
        return;
      case 'BlockExpression':
        if (context.container(level + 1)?.kind !== 'Program' && ABSOLUTE_TOP_ONLY.has(node.kind)) {
          context.report('not_absolute_top_level', node, { label: label(node) });
          return;
        }
        break;
      default:
        if (context.isPlan && context.path.some(isApply)) return;
        context.report('not_top_level', node, {});
        return;
    }
  }
}

function reportUnsupported(node: AstNode, context: ValidationContext): void {
  const { product } = context.level;
  context.report('unsupported_expression', node, { label: label(node), product });
}
