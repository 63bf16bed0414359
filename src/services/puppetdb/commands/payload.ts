/** From a payload to JSON in the newest form of names. */

import { parseExact } from '../canonical-json.ts';
import { BadCommand } from './bad-command.ts';

export interface LiftOptions {
  /** For versions that carry no time. */
  readonly time: string;
  /** Old deactivations are a bare certname. */
  readonly isDeactivation: boolean;
}

/**
 * @param isExact - whether numbers keep the form in which they were sent
 * @throws BadCommand when it is no JSON
 */
export function parsePayload(payload: string, isExact: boolean): unknown {
  const text = withoutNul(payload);
  try {
    const value: unknown = isExact ? parseExact(text) : JSON.parse(text);
    // Old terminuses send JSON within a JSON string.
    return typeof value === 'string' && /^\s*["{]/.test(value) ? parseExact(value) : value;
  } catch (error) {
    throw new BadCommand(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Old versions: dashes in names, `name` for the certname, a bare certname, no time. */
export function liftPayload(value: unknown, { time, isDeactivation }: LiftOptions): unknown {
  if (isDeactivation && typeof value === 'string') return { certname: value, producer_timestamp: time };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key.replaceAll('-', '_'), member] as const);
  const underscored: Readonly<Record<string, unknown>> = Object.fromEntries(members);
  return {
    ...underscored,
    certname: underscored['certname'] ?? underscored['name'],
    producer_timestamp: underscored['producer_timestamp'] ?? time,
  };
}

/** PostgreSQL keeps no NUL in texts; the reference puts the character for what cannot be shown in its place. */
export function withoutNul(json: string): string {
  if (!json.includes('\\u0000')) return json;
  return json.replace(/\\(?:u0000|[\s\S])/g, (escape) => (escape === '\\u0000' ? '\\ufffd' : escape));
}
