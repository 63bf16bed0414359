/** Flags of `bunraku ca`, with the error messages of `puppetserver ca`. */

import { type OptionKind, optionTokens } from '../../lib/option-tokens.ts';

/** `list`: separated by commas, and the flag may be repeated. */
export type FlagKind = 'switch' | 'text' | 'list';

export class CaFlags {
  private readonly values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.values = values;
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** The last value given. */
  text(name: string): string | undefined {
    return this.values.get(name)?.at(-1);
  }

  /** What is between commas; a comma too many is none. */
  list(name: string): readonly string[] {
    const given = this.values.get(name)?.flatMap((value) => value.split(',')) ?? [];
    return given.filter((value) => value !== '');
  }
}

/** The flags found, and a line for each word that makes no sense. Where an action takes certnames, plain words are some. */
export function parseCaArguments(
  args: readonly string[],
  kinds: Readonly<Record<string, FlagKind>>,
): { readonly flags: CaFlags; readonly errors: readonly string[] } {
  const all: Readonly<Record<string, FlagKind>> = { ...kinds, help: 'switch' };
  const kindOf = (name: string) => (Object.hasOwn(all, name) ? all[name] : undefined);
  const values = new Map<string, string[]>();
  const errors: string[] = [];
  const add = (name: string, value: string) => values.set(name, [...(values.get(name) ?? []), value]);
  for (const token of optionTokens(args, (name) => optionKind(kindOf(name.slice(2))))) {
    if (token.kind === 'word') {
      if (kinds['certname'] === 'list') add('certname', token.text);
      else errors.push(`    Unknown input \`${token.text}\``);
      continue;
    }
    const name = token.name.startsWith('--') ? token.name.slice(2) : '';
    const kind = kindOf(name);
    if (kind === undefined) errors.push(`    Unknown flag or argument \`${token.name}\``);
    else if (kind !== 'switch' && token.value === undefined)
      errors.push(`    Missing argument to flag \`${token.name}\``);
    else add(name, token.value ?? '');
  }
  return { flags: new CaFlags(values), errors };
}

function optionKind(kind: FlagKind | undefined): OptionKind | undefined {
  return kind === 'list' ? 'text' : kind;
}

/** `Error:` and a line for each. */
export function renderCaErrors(errors: readonly string[]): string {
  return ['Error:', ...errors].map((line) => `${line}\n`).join('');
}

const blockedNames: readonly string[] = ['--all', '--config'];

/** What is wrong with the `--certname` of an action that needs one. @param verb - `revoke` */
export function certnameProblems(flags: CaFlags, verb: string): string[] {
  const names = flags.list('certname');
  const problems = names
    .filter((name) => blockedNames.includes(name))
    .map(
      (name) => `    Cannot manage cert named \`${name}\` from the CLI, if needed use the HTTP API directly`,
    );
  return names.length === 0 ? [`  At least one certname is required to ${verb}`] : problems;
}
