/** What goes wrong while a plan runs, as plans see it. */

import { ErrorValue, isArray, PuppetHash, plainText, type Value } from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';

export interface PlanErrorParts {
  readonly kind: string;
  readonly message: string;
  readonly details?: PuppetHash;
  readonly issueCode?: Value;
  /** Its place says nothing to people, as with mistakes in the inventory. */
  readonly isWithoutPlace?: boolean;
}

/** An error that plans can catch: a failed action, `fail_plan()`, or an invalid argument of a plan function. */
export class PlanError extends PuppetError {
  readonly kind: string;
  readonly details: PuppetHash;
  readonly issueCode: Value;
  readonly isWithoutPlace: boolean;

  constructor(parts: PlanErrorParts) {
    super({ code: 'plan_error', severity: 'error', message: parts.message });
    this.kind = parts.kind;
    this.details = parts.details ?? new PuppetHash();
    this.issueCode = parts.issueCode ?? null;
    this.isWithoutPlace = parts.isWithoutPlace === true;
  }

  static of(kind: string, message: string, details: Readonly<Record<string, Value>> = {}): PlanError {
    return new PlanError({ kind, message, details: PuppetHash.from(details) });
  }

  toValue(): ErrorValue {
    return new ErrorValue(this.diagnostic.message, this.kind, this.details, this.issueCode);
  }
}

/** A failure within a block beside others that ends the whole plan, as in the reference. */
export class FatalPlanError extends PlanError {}

/** The failure that plans can catch in what was thrown; `undefined` for mistakes in the code. */
export function planErrorOf(thrown: unknown): PlanError | undefined {
  if (thrown instanceof PlanError) return thrown;
  return thrown instanceof PuppetError && thrown.cause instanceof PlanError ? thrown.cause : undefined;
}

/** The failure of a whole plan, in the reference's words: with the place where a failure that was not caught came up. */
export function failureOfPlan(thrown: PuppetError): ErrorValue {
  const { code, file, line, column } = thrown.diagnostic;
  const known = planErrorOf(thrown);
  const details = new PuppetHash(known?.details);
  if (!details.has('file') && known?.isWithoutPlace !== true) {
    for (const [name, value] of Object.entries({ file, line, column }))
      if (value !== undefined && value !== '') details.set(name, value);
  }
  if (known !== undefined)
    return new ErrorValue(known.diagnostic.message, known.kind, details, known.issueCode);
  const [, variable = ''] =
    /^Evaluation Error: Unknown variable: '(\w+)'/.exec(thrown.diagnostic.message) ?? [];
  if (code === 'unknown_variable' && OF_NODES.has(variable)) {
    const text = `Evaluation Error: Variable '${variable}' is not available in the current scope unless explicitly defined.`;
    return new ErrorValue(text, PAL_ERROR, details);
  }
  // Code in a plan in YAML: what fails in the functions that its steps call is a runtime error.
  if (file?.endsWith('.yaml') === true && code !== 'runtime_error') {
    const place = PuppetHash.from({ file, ...(line === undefined ? {} : { line }) });
    return new ErrorValue(thrown.diagnostic.message, 'bolt/evaluation-error', place);
  }
  const { cause } = thrown;
  const message =
    code === 'div_by_zero' ? 'divided by 0' : cause instanceof Error ? cause.message : thrown.message;
  return new ErrorValue(message, PAL_ERROR, details);
}

const PAL_ERROR = 'bolt/pal-error';
const OF_NODES: ReadonlySet<string> = new Set(['facts', 'trusted', 'server_facts', 'settings']);

export function validationError(message: string): PlanError {
  return new PlanError({ kind: 'bolt/validation-error', message });
}

export function inventoryError(message: string): PlanError {
  const details = PuppetHash.from({ path: [] });
  return new PlanError({ kind: 'bolt.inventory/validation-error', message, details, isWithoutPlace: true });
}

/** A value that a plan must not return, as messages show it. */
export function shownResult(value: Value): string {
  return isArray(value) ? `[${value.map(shownResult).join(', ')}]` : plainText(value);
}
