/**
 * JSON whose numbers keep their form.
 *
 * `4096.0` is a Float to Puppet and prints as such; JavaScript reads it as 4096, an Integer. The same goes for
 * integers beyond 2^53. Facts have such numbers (`memorysize_mb`), so their text is kept beside what is parsed.
 */

import { hasFragileNumbers, keepNumber } from '../../lib/raw-json.ts';

/**
 * The member of an object as text, its numbers in the form that they have there.
 *
 * @param text - valid JSON
 * @returns `undefined` when parsing loses nothing, or there is no such member
 */
export function exactMember(text: string, name: string): string | undefined {
  if (!hasFragileNumbers(text)) return undefined;
  const exact: unknown = JSON.parse(text, keepNumber);
  if (typeof exact !== 'object' || exact === null) return undefined;
  const member: unknown = Reflect.get(exact, name);
  return member === undefined ? undefined : JSON.stringify(member);
}
