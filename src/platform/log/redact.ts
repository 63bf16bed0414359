/** Keeps secrets out of logs, also when the caller forgot about them. */

import type { LogFields } from './logger.ts';

const redacted = '[redacted]';

const secretName =
  /^(.*[-_.])?(password|passwd|passphrase|secret|token|api_?key|private_?key|key_?pem|authorization|cookie)$|(Password|Token|Secret|PrivateKey)$/i;
const privateKeyText = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const maxDepth = 6;

/**
 * Replaces values of fields named like secrets, texts that hold a private key, and Sensitive values (objects that
 * say so by a `kind` or constructor name), at any depth. Returns the same object when there is nothing to hide.
 */
export function redact(fields: LogFields): LogFields {
  return redactObject(fields, 0) as LogFields;
}

function redactObject(object: object, depth: number): object {
  let result: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(object)) {
    const safe = secretName.test(name) && value !== undefined ? redacted : redactValue(value, depth);
    if (safe === value) continue;
    result ??= { ...object };
    result[name] = safe;
  }
  return result ?? object;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return privateKeyText.test(value) ? redacted : value;
  if (value === null || typeof value !== 'object' || value instanceof Error) return value;
  if (isSensitive(value)) return redacted;
  if (depth >= maxDepth) return value;
  if (!Array.isArray(value)) return isPlain(value) ? redactObject(value, depth + 1) : value;
  const items = value.map((item) => redactValue(item, depth + 1));
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function isSensitive(value: object): boolean {
  const { kind } = value as { readonly kind?: unknown };
  return (
    value.constructor?.name.startsWith('Sensitive') === true || kind === 'sensitive' || kind === 'Sensitive'
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
