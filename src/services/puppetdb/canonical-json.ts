/** JSON in one form: sorted keys, no space, numbers as they came. Hashes and comparisons are made of it. */

import { hash } from 'node:crypto';

/** A number whose form JavaScript would lose (`4096.0`, `1e400`, more than 15 digits). */
interface RawNumber {
  readonly rawJSON: string;
}

/** Numbers that may be written differently: trailing zeros, exponents, many digits. Text in strings rarely looks so. */
const fragileNumber = /[:,[]\s*-?(?:\d+\.\d*0[,\]}\s]|\d[\d.]*[eE]|[\d.]{16})/;

/**
 * Parses JSON, keeping the form of numbers as `JSON.rawJSON` objects where it would be lost.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  if (!fragileNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepNumber);
}

function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source ? value : rawJson(context.source);
}

function rawJson(source: string): unknown {
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => RawNumber };
  return rawJSON(source);
}

/** The value as JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return canonicalList(value);
  const members = value as Readonly<Record<string, unknown>>;
  // The default order is by UTF-16 code unit, as the reference sorts.
  const keys = Object.keys(members).sort();
  if (keys[0] === 'rawJSON' && isRawNumber(value)) return JSON.stringify(value);
  let text = '';
  for (const key of keys) {
    const member = members[key];
    if (member !== undefined) text += `${text === '' ? '{' : ','}${quoted(key)}:${canonicalJson(member)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function canonicalList(list: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index++) {
    text += (index === 0 ? '' : ',') + canonicalJson(list[index]);
  }
  return `${text}]`;
}

/** Calling `JSON.stringify` for each short text costs more than looking whether it is needed. */
const needsEscapes = /[\u0000-\u001f"\\\ud800-\udfff]/;

export function quoted(text: string): string {
  return needsEscapes.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** By UTF-16 code unit, as the reference sorts. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The digest that identifies a piece of data: SHA-1, as in the reference. */
export function identityHash(canonical: string): string {
  return hash('sha1', canonical);
}

export function isRawNumber(value: object): value is RawNumber {
  const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (candidate: unknown) => boolean };
  return isRawJSON(value);
}
