/** What a compiler wants: a tree without mistakes, or an error. */

import type { Program, SourceText } from './ast.ts';
import { parseEpp, parseManifest, parsePlan } from './parse/parse.ts';
import { assertValid, type ReportLimits, type ValidationOptions, validate } from './validate/validate.ts';

/**
 * Parses and validates a manifest.
 *
 * @throws PuppetError at the first syntax error, or when validation finds errors
 */
export function parseAndValidate(source: SourceText, options: ValidationOptions & ReportLimits): Program {
  return validated(parseManifest(source), options);
}

/** Parses and validates a plan, as the setting `tasks` has it; see `parseAndValidate`. */
export function parseAndValidatePlan(source: SourceText, options: ValidationOptions & ReportLimits): Program {
  return validated(parsePlan(source), { ...options, isPlan: true });
}

/** Parses and validates a template; see `parseAndValidate`. */
export function parseAndValidateEpp(source: SourceText, options: ValidationOptions & ReportLimits): Program {
  return validated(parseEpp(source), options);
}

function validated(program: Program, options: ValidationOptions & ReportLimits): Program {
  assertValid(program, validate(program, options), options);
  return program;
}
