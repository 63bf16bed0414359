/** A command line as options and other words, by Node's `parseArgs`; callers give them their meaning. */

import { parseArgs } from 'node:util';

/** `text`: takes a value, attached by `=` or as the next word. `switch`: takes none, but may have one attached. */
export type OptionKind = 'switch' | 'text';

export type CommandLineToken =
  | { readonly kind: 'word'; readonly text: string }
  | {
      readonly kind: 'option';
      /** As given: `--facts`, `-e`. */
      readonly name: string;
      readonly value: string | undefined;
      /** Whether the value was attached. */
      readonly isAttached: boolean;
    };

/**
 * Words after `--` are no options. Short options are not grouped: `-ab` is one unknown option.
 *
 * @param kindOf - of an option as given; `undefined` for unknown ones, which take no value
 */
export function optionTokens(
  args: readonly string[],
  kindOf: (name: string) => OptionKind | undefined,
): readonly CommandLineToken[] {
  const options = Object.fromEntries(args.flatMap((argument) => declared(argument, kindOf)));
  const found: CommandLineToken[] = [];
  let grouped = -1;
  for (const token of parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens) {
    if (token.kind === 'positional') found.push({ kind: 'word', text: token.value });
    if (token.kind !== 'option' || token.index === grouped) continue;
    const whole = args[token.index] ?? '';
    const isGroup = !token.rawName.startsWith('--') && whole !== token.rawName;
    if (isGroup) grouped = token.index;
    found.push({
      kind: 'option',
      name: isGroup ? whole : token.rawName,
      value: isGroup ? undefined : token.value,
      isAttached: !isGroup && token.inlineValue === true,
    });
  }
  return found;
}

type Declaration = readonly [
  name: string,
  option: { readonly type: 'boolean' | 'string'; readonly short?: string },
];

function declared(argument: string, kindOf: (name: string) => OptionKind | undefined): Declaration[] {
  const name = /^--[^=]+/.exec(argument)?.[0] ?? argument;
  const kind = kindOf(name);
  if (kind === undefined) return [];
  const type = kind === 'text' ? 'string' : 'boolean';
  if (name.startsWith('--')) return [[name.slice(2), { type }]];
  return name.length === 2 ? [[name, { type, short: name.slice(1) }]] : [];
}
