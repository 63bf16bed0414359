/**
 * JSON whose numbers keep their form.
 *
 * `4096.0` is a Float to Puppet and prints as such; JavaScript reads it as 4096, an Integer. The same goes for
 * integers beyond 2^53. Facts have such numbers (`memorysize_mb`), so their text is kept beside what is parsed.
 */

/** Numbers that parsing would change, behind what can stand before a number: no text in quotes is meant. */
const fragileNumber = /[:,[]\s*-?(?:\d+\.\d*0(?!\d)|\d+(?:\.\d+)?[eE]|\d{16})/;

/** An object that `JSON.stringify` writes as the text that it was made of. */
type RawJson = (text: string) => object;

/**
 * The member of an object as text, its numbers in the form that they have there.
 *
 * @param text - valid JSON
 * @returns `undefined` when parsing loses nothing, or there is no such member
 */
export function exactMember(text: string, name: string): string | undefined {
  if (!fragileNumber.test(text)) return undefined;
  // TypeScript does not know this function of ECMAScript 2025 yet.
  const { rawJSON } = JSON as unknown as { readonly rawJSON: RawJson };
  const exact: unknown = JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value,
  );
  if (typeof exact !== 'object' || exact === null) return undefined;
  const member: unknown = Reflect.get(exact, name);
  return member === undefined ? undefined : JSON.stringify(member);
}
