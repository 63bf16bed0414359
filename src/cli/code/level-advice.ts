/** What to do about messages that appear at a higher language level. */

const advice: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/Unknown variable: '(::)?facts/, "the fact is missing on this node: ask with $facts.dig('...')"],
  [
    /Unknown variable: '/,
    "correct the name; for a fact use $facts['...'] (legacy facts: $facts['os']['family'] and the like), for what may be missing getvar('...')",
  ],
  [
    /Interpolation failed with|Undefined variable '/,
    "correct the name in the data or template; text that is not for Hiera is written %{literal('%')}{...}",
  ],
  [/was automatically coerced to the numerical value/, 'convert the string: Integer($x), Float($x)'],
  [/is declared more than once/, 'remove one of the keys'],
  [/must be a literal type/, 'write the type of the parameter without variables and calculations'],
  [/wrong array length/, 'add pairs of a key and a value'],
  [/regsubst.*(encoding argument|expects between 3 and 4)/s, 'remove the fifth argument of regsubst'],
  [
    /must use keys qualified with the name of the module/,
    "put the module's name before the key, or remove it",
  ],
  [/PSON/, 'update the module, or use JSON in its Ruby code'],
  [/hiera_?\w*' is deprecated/, 'use lookup()'],
  [/deprecated/, 'update the module, or use what the message names instead'],
];

/** @returns `undefined` for what needs a look at the code */
export function adviceFor(message: string): string | undefined {
  return advice.find(([pattern]) => pattern.test(message))?.[1];
}

export interface Place {
  readonly file?: string;
  readonly line?: number;
}

/** A message without the place that it names, the node that it is about, and with that place. */
export function splitMessage(text: string): { readonly message: string; readonly place: Place } {
  const message = text.replace(/ on node \S+$/, '');
  const match = /\s*\((?:file: ([^,)]*))?(?:, )?(?:line: (\d+))?(?:, column: \d+)?\)$/.exec(message);
  if (match === null) return { message, place: {} };
  const [whole, file, line] = match;
  return {
    message: message.slice(0, message.length - whole.length),
    place: { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line: Number(line) }) },
  };
}
