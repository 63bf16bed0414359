/** The languages that the reference checks. */

import { PuppetError } from '../diagnostic.ts';
import { parseAndValidate, parseAndValidateEpp } from '../parse-and-validate.ts';
import { base64Mistake, jsonMistake, type SyntaxCheckers, shown } from './external-syntax.ts';

/** The checkers for `json`, `base64`, `pp` and `epp`. */
export function heredocCheckers(): SyntaxCheckers {
  return CHECKERS;
}

const CHECKERS: SyntaxCheckers = new Map([
  ['json', jsonMistake],
  ['base64', base64Mistake],
  ['pp', (text) => codeMistake('PP', () => parseAndValidate({ file: '', text }, { log: ignore }))],
  ['epp', (text) => codeMistake('EPP', () => parseAndValidateEpp({ file: '', text }, { log: ignore }))],
]);

/** Warnings about text that is checked on the side would be reported without a place. */
function ignore(): void {
  // Nothing to do: only errors count here.
}

function codeMistake(language: string, parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    return `${language} syntax checker: "${shown(error.message, 500)}"`;
  }
}
