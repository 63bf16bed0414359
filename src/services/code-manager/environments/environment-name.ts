/** From the name of a branch to the name of an environment. */

import type { InvalidBranches, SourceConfiguration } from '../configuration/configuration.ts';

export interface EnvironmentName {
  /** The directory's name, which is what agents and people call the environment. */
  readonly name: string;
  /** The name without what the source's configuration takes away, before corrections. */
  readonly derived: string;
  readonly isCorrected: boolean;
}

const invalidCharacters = /[^A-Za-z0-9_]/g;

/** @returns `undefined` for a name that can't be that of an environment, where that is an error */
export function environmentName(
  original: string,
  source: Pick<SourceConfiguration, 'name' | 'prefix' | 'stripComponent'>,
  invalid: InvalidBranches,
): EnvironmentName | undefined {
  const derived = strip(original, source.stripComponent);
  const corrected = derived.replace(invalidCharacters, '_');
  if (derived === '' || (corrected !== derived && invalid === 'error')) return undefined;
  return { name: prefixOf(source) + corrected, derived, isCorrected: corrected !== derived };
}

/** As a command line's word is taken for the name of an environment. */
export function correctedName(word: string): string {
  return word.replace(invalidCharacters, '_');
}

function strip(original: string, component: string | undefined): string {
  if (component === undefined || component === '') return original;
  const expression = /^\/(.*)\/$/.exec(component)?.[1];
  if (expression !== undefined) return original.replaceAll(new RegExp(expression, 'g'), '');
  return original.startsWith(component) ? original.slice(component.length) : original;
}

export function prefixOf({ name, prefix }: Pick<SourceConfiguration, 'name' | 'prefix'>): string {
  if (prefix === false || prefix === '') return '';
  return `${prefix === true ? name : prefix}_`;
}
