/** Matching, as in case options and selectors, and the operator `in`. */

import { PuppetType } from '../puppet-type.ts';
import { Float, isArray, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import { BinaryValue } from '../values/binary-value.ts';
import { type ByteString, isText, joinTexts, subjectOf, textOf } from '../values/byte-string.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { equals } from './equality.ts';

/** What a regular expression matched, for `$0`, `$1`, ...; `null` when it did not. */
export type MatchObserver = (match: RegExpExecArray | null) => void;

/** Whether `value` matches `pattern`: by type, regular expression, version range, structure or equality. */
export function matches(value: Value, pattern: Value, observe?: MatchObserver): boolean {
  if (pattern instanceof PuppetType) return pattern.isInstance(value);
  if (pattern instanceof RegexpValue) return matchesRegexp(value, pattern, observe);
  if (isArray(pattern)) {
    if (!isArray(value) || value.length !== pattern.length) return false;
    return pattern.every((item, index) => matches(value[index] ?? null, item, observe));
  }
  if (pattern instanceof PuppetHash)
    return value instanceof PuppetHash && matchesHash(value, pattern, observe);
  if (pattern instanceof SemVerRangeValue) return includesVersion(pattern, value);
  if (pattern instanceof SemVerValue) {
    const version = versionOf(value);
    return version !== undefined && version.equalityKey() === pattern.equalityKey();
  }
  return isDefault(pattern) || equals(value, pattern);
}

function matchesRegexp(value: Value, pattern: RegexpValue, observe: MatchObserver | undefined): boolean {
  if (!isText(value)) return false;
  const found = pattern.exec(subjectOf(value, pattern.source));
  observe?.(found);
  return found !== null;
}

function matchesHash(value: PuppetHash, pattern: PuppetHash, observe: MatchObserver | undefined): boolean {
  for (const [key, item] of pattern) {
    if (!matches(value.get(key) ?? null, item, observe)) return false;
  }
  return true;
}

function versionOf(value: Value): SemVerValue | undefined {
  if (value instanceof SemVerValue) return value;
  const text = textOf(value);
  return text === undefined ? undefined : SemVerValue.tryParse(text);
}

function includesVersion(range: SemVerRangeValue, value: Value): boolean {
  const version = versionOf(value);
  return version !== undefined && range.includes(version);
}

/** `needle in container`. */
export function includes(container: Value, needle: Value, observe?: MatchObserver): boolean {
  if (isText(container)) return textIncludes(container, needle, observe);
  if (isArray(container)) return arrayIncludes(container, needle, observe);
  if (container instanceof PuppetHash) return arrayIncludes([...container.keys()], needle, observe);
  if (container instanceof SemVerRangeValue) return includesVersion(container, needle);
  if (container instanceof BinaryValue) return binaryIncludes(container, needle);
  return false;
}

function textIncludes(text: string | ByteString, needle: Value, observe: MatchObserver | undefined): boolean {
  if (typeof text === 'string' && typeof needle === 'string')
    return text.toLowerCase().includes(needle.toLowerCase());
  if (isText(needle)) return bytesInclude(text, needle);
  return needle instanceof RegexpValue && matchesRegexp(text, needle, observe);
}

/** With bytes on one side at least. */
function bytesInclude(text: string | ByteString, needle: string | ByteString): boolean {
  joinTexts(text, needle); // fails where both do not go together
  const [whole, part] = [text, needle].map((each) => (typeof each === 'string' ? each : each.text));
  return part !== undefined && whole?.toLowerCase().includes(part.toLowerCase()) === true;
}

function arrayIncludes(items: readonly Value[], needle: Value, observe: MatchObserver | undefined): boolean {
  if (needle instanceof RegexpValue) {
    let found: RegExpExecArray | null = null;
    for (const item of items) {
      if (!isText(item)) continue;
      found = needle.exec(subjectOf(item, needle.source));
      if (found !== null) break;
    }
    observe?.(found);
    return found !== null;
  }
  // The needle is matched against each element, which may itself be a pattern.
  if (isText(needle) || needle instanceof SemVerValue) {
    return items.some((item) => matches(needle, item, observe));
  }
  if (needle instanceof PuppetType) return items.some((item) => needle.isInstance(item));
  return items.some((item) => equals(item, needle));
}

function binaryIncludes(binary: BinaryValue, needle: Value): boolean {
  if (isInteger(needle)) return binary.bytes.includes(Number(needle));
  if (needle instanceof Float) return binary.bytes.includes(needle.value);
  const bytes =
    needle instanceof BinaryValue
      ? needle.bytes
      : typeof needle === 'string'
        ? new TextEncoder().encode(needle)
        : undefined;
  if (bytes === undefined) return false;
  for (let start = 0; start + bytes.length <= binary.bytes.length; start += 1) {
    if (bytes.every((byte, index) => binary.bytes[start + index] === byte)) return true;
  }
  return false;
}
