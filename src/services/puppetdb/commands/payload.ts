/** From a payload to JSON in the newest form of names. */

import { isUtf8 } from 'node:buffer';
import { parseExact } from '../../../lib/raw-json.ts';
import { BadCommand } from './bad-command.ts';

export interface LiftOptions {
  /** For versions that carry no time. */
  readonly time: string;
}

/**
 * @param isExact - whether numbers keep the form in which they were sent
 * @throws BadCommand when it is no JSON
 */
export function parsePayload(payload: string, isExact: boolean): unknown {
  const text = storableJson(payload);
  try {
    const value: unknown = isExact ? parseExact(text) : JSON.parse(text);
    // Old terminuses send JSON within a JSON string.
    return typeof value === 'string' && /^\s*["{]/.test(value) ? parseExact(value) : value;
  } catch (error) {
    throw new BadCommand(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Old versions: dashes in names, `name` for the certname, no time. */
export function liftPayload(value: unknown, { time }: LiftOptions): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key.replaceAll('-', '_'), member] as const);
  const underscored: Readonly<Record<string, unknown>> = Object.fromEntries(members);
  return {
    ...underscored,
    certname: underscored['certname'] ?? underscored['name'],
    producer_timestamp: underscored['producer_timestamp'] ?? time,
  };
}

const unstorable = /\\u(?:0000|[dD][89a-fA-F])/;
const escapes =
  /\\(?:u0000|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|[\s\S])/g;
/** An escaped character of two halves. */
const pairLength = 12;

/**
 * PostgreSQL keeps neither NUL nor half characters in texts; the reference puts the character for what cannot be shown in the
 * place of the one, and a question mark in that of the other.
 */
export function storableJson(json: string): string {
  if (!unstorable.test(json)) return json;
  return json.replace(escapes, (escape) => {
    if (escape === '\\u0000') return '\\ufffd';
    return /^\\u[dD][89a-fA-F]/.test(escape) && escape.length !== pairLength ? '?' : escape;
  });
}

/** As `storableJson` for bytes, which need not be UTF-8. */
export function storableBytes(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  if (isUtf8(bytes) && !bytes.includes('\\u0000') && !bytes.includes('\\ud') && !bytes.includes('\\uD'))
    return json;
  return Buffer.from(storableJson(bytes.toString('utf8')));
}
