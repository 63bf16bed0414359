/** JSON with the keys of hashes in an order of one's choice, no space, numbers as they came. */

import { isRawNumber } from './raw-json.ts';

/** Puts the keys of one hash in order; it may sort the array that it is given. */
export type KeyOrder = (keys: string[]) => string[];

/** The value as JSON. */
export function orderedJson(value: unknown, order: KeyOrder): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return orderedList(value, order);
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members);
  if (keys[0] === 'rawJSON' && isRawNumber(value)) return JSON.stringify(value);
  let text = '';
  for (const key of order(keys)) {
    const member = members[key];
    if (member !== undefined)
      text += `${text === '' ? '{' : ','}${quoted(key)}:${orderedJson(member, order)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function orderedList(list: readonly unknown[], order: KeyOrder): string {
  let text = '[';
  for (let index = 0; index < list.length; index++) {
    text += (index === 0 ? '' : ',') + orderedJson(list[index], order);
  }
  return `${text}]`;
}

/** Calling `JSON.stringify` for each short text costs more than looking whether it is needed. */
const needsEscapes = /[\u0000-\u001f"\\\ud800-\udfff]/;

export function quoted(text: string): string {
  return needsEscapes.test(text) ? JSON.stringify(text) : `"${text}"`;
}
