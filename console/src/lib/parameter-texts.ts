/** The fields of a form and the values of parameters that they stand for. */

import { editorOf, type Parameter, readValue } from './value-editor.ts';

/** The texts of the fields, by the name of the parameter. */
export type Texts = Readonly<Record<string, string>>;

interface ReadParameters {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether all that is needed is there, and nothing is wrong. */
  readonly isComplete: boolean;
}

/** @param parameters - without those for which nodes are chosen */
export function readParameters(parameters: readonly Parameter[], texts: Texts): ReadParameters {
  const values: Record<string, unknown> = {};
  let isComplete = true;
  for (const { isRequired, name, type } of parameters) {
    const read = readValue(editorOf(type).editor, texts[name] ?? '');
    if (read.kind === 'value') values[name] = read.value;
    if (read.kind === 'mistake' || (read.kind === 'absent' && isRequired)) isComplete = false;
  }
  return { values, isComplete };
}

/** The texts for values, as a link to a form has them. */
export function textsOf(values: Readonly<Record<string, unknown>>): Texts {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
