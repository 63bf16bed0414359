/** Flags of `bunraku ca`, with the error messages of `puppetserver ca`. */

import { parseArgs } from 'node:util';

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
  const options = Object.fromEntries(
    Object.entries(all).map(([name, kind]) => [
      name,
      { type: kind === 'switch' ? 'boolean' : 'string' } as const,
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const values = new Map<string, string[]>();
  const errors: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional' && kinds['certname'] === 'list')
      values.set('certname', [...(values.get('certname') ?? []), token.value]);
    else if (token.kind === 'positional') errors.push(`    Unknown input \`${token.value}\``);
    if (token.kind !== 'option') continue;
    const kind = Object.hasOwn(all, token.name) ? all[token.name] : undefined;
    const isGiven = token.value !== undefined;
    if (kind === undefined) errors.push(`    Unknown flag or argument \`${token.rawName}\``);
    else if (kind !== 'switch' && !isGiven) errors.push(`    Missing argument to flag \`${token.rawName}\``);
    else values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? '']);
  }
  return { flags: new CaFlags(values), errors };
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
