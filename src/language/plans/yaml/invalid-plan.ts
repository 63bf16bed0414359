import { inspectText, PuppetHash } from '../../pcore/index.ts';
import { PlanError } from '../plan-error.ts';

/** A mistake in a plan in YAML. */
export function invalidPlan(message: string, file: string): PlanError {
  return new PlanError({ kind: 'bolt/invalid-plan', message, details: PuppetHash.from({ file }) });
}

/** A mistake in a step. @param name - of the step, where it has one */
export function invalidStep(
  message: string,
  {
    file,
    name,
    number,
  }: { readonly file: string; readonly name: string | undefined; readonly number: number },
): PlanError {
  const step = name === undefined ? `number ${number}` : inspectText(name);
  return invalidPlan(`Parse error in step ${step}: \n ${message}`, file);
}

/** Text, or a list of texts, as Ruby shows them. */
export function rubyInspect(value: string | readonly string[]): string {
  return typeof value === 'string' ? inspectText(value) : `[${value.map(inspectText).join(', ')}]`;
}
