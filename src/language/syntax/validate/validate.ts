/** Finds what the grammar allows but the language doesn't. */

import { type LanguageLevel, languageLevel } from '../../levels/index.ts';
import type { AstNode, Program } from '../ast.ts';
import { visitChildren } from '../children.ts';
import { type Diagnostic, PuppetError } from '../diagnostic.ts';
import type { IssueCode } from '../issues.ts';
import { label } from '../label.ts';
import { isFitForPlan } from './check-plan.ts';
import { CHECKS } from './checks.ts';
import type { FileNamespace } from './file-namespace.ts';
import { type Severity, ValidationContext } from './validation-context.ts';

export interface ValidationOptions {
  /** The setting `strict`: what to do about keys that are twice in a hash; `'warning'` when absent. */
  readonly strict?: 'off' | 'warning' | 'error';
  /** That of Puppet 7 when absent. */
  readonly level?: LanguageLevel;
  /**
   * For a file of a module: the names that its definitions must begin with, see `namespaceOfFile`. Absent for
   * anything else, such as the main manifest.
   */
  readonly namespace?: FileNamespace;
  /** Whether it is a plan: see `parsePlan`. */
  readonly isPlan?: boolean;
}

/**
 * Checks a tree. What the lexer warned of comes first, then everything in the order of the reference.
 *
 * @throws PuppetError when a heredoc's text is not in the language that it claims to be in
 * @see `assertValid` for turning the result into an error
 */
export function validate(program: Program, options: ValidationOptions = {}): readonly Diagnostic[] {
  const { isPlan = false, level = languageLevel(7) } = options;
  const context = new ValidationContext(program.source, severitiesOf(options), { isPlan, level });
  if (options.namespace !== undefined) checkTopConstructs(program, context);
  visit(program, context, options.namespace);
  return [...program.warnings, ...context.found];
}

/** How many diagnostics of each severity are reported, one by one. */
export interface ReportLimits {
  /** The setting `max_errors`. With 1 or less the first error is all there is. */
  readonly maxErrors?: number;
  /** The setting `max_warnings`. */
  readonly maxWarnings?: number;
  /** The setting `max_deprecations`; 0 when `disable_warnings` has `deprecations`. */
  readonly maxDeprecations?: number;
  /** Takes what the reference logs: warnings, and errors when there are several. */
  readonly log: (diagnostic: Diagnostic) => void;
}

/**
 * Reports what was found: logs warnings, throws a single error as it is, logs several and throws their count.
 *
 * @throws PuppetError whose `all` has every error
 */
export function assertValid(program: Program, found: readonly Diagnostic[], limits: ReportLimits): void {
  const { maxErrors = 10, maxWarnings = 10, maxDeprecations = 10, log } = limits;
  for (const warning of program.warnings) log(warning);
  const ofValidation = found.filter((diagnostic) => !program.warnings.includes(diagnostic));
  const warnings = ofValidation.filter(({ severity }) => severity === 'warning');
  const deprecations = ofValidation.filter(({ severity }) => severity === 'deprecation');
  const logged = new Set([...warnings.slice(0, maxWarnings), ...deprecations.slice(0, maxDeprecations)]);
  for (const diagnostic of ofValidation) if (logged.has(diagnostic)) log(diagnostic);

  const errors = ofValidation.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return;
  if (errors.length === 1 || maxErrors <= 1) throw new PuppetError(first, { all: errors });
  for (const error of errors.slice(0, maxErrors)) log(error);
  throw new PuppetError(summaryOf(errors, warnings.length + deprecations.length, first), { all: errors });
}

function summaryOf(errors: readonly Diagnostic[], warningCount: number, first: Diagnostic): Diagnostic {
  const counts =
    warningCount > 0 ? `${errors.length} errors, and ${warningCount} warnings` : `${errors.length} errors`;
  const message = `Language validation logged ${counts}. Giving up`;
  const at = first.file === undefined ? {} : { file: first.file };
  return { code: 'validation_failed', severity: 'error', message, ...at };
}

function severitiesOf({ strict = 'warning' }: ValidationOptions): ReadonlyMap<IssueCode, Severity> {
  return new Map<IssueCode, Severity>([
    ['duplicate_key', strict === 'off' ? 'ignore' : strict],
    ['future_reserved_word', 'deprecation'],
    ['illegal_nonliteral_parameter_type', 'deprecation'],
  ]);
}

function visit(node: AstNode, context: ValidationContext, namespace: FileNamespace | undefined): void {
  if (!context.isPlan || isFitForPlan(node, context)) CHECKS[node.kind]?.(node as never, context, namespace);
  context.path.push(node);
  visitChildren(node, (child) => visit(child, context, namespace));
  context.path.pop();
}

/** A file of a module holds definitions only, and no nodes. */
function checkTopConstructs({ body }: Program, context: ValidationContext): void {
  if (body.kind === 'Nop') return;
  const statements = body.kind === 'BlockExpression' ? body.statements : [body];
  for (const statement of statements) {
    if (!isModuleDefinition(statement)) {
      context.report('illegal_top_construct_location', statement, {
        label: label(statement),
        name: undefined,
      });
    }
  }
}

const MODULE_DEFINITIONS: ReadonlySet<AstNode['kind']> = new Set<AstNode['kind']>([
  'HostClassDefinition',
  'ResourceTypeDefinition',
  'FunctionDefinition',
  'PlanDefinition',
  'TypeAlias',
  'TypeDefinition',
  'TypeMapping',
]);

function isModuleDefinition({ kind }: AstNode): boolean {
  return MODULE_DEFINITIONS.has(kind);
}
