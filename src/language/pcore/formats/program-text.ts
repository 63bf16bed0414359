import { infer } from '../infer.ts';
import { PuppetType } from '../puppet-type.ts';
import { Float, isArray, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import { ByteString } from '../values/byte-string.ts';
import { rubyFloat } from '../values/float-text.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { puppetQuote } from '../values/quote.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { TimeValue } from '../values/time-value.ts';
import { UriValue } from '../values/uri-value.ts';

const LINE_LENGTH = 100;

/**
 * A value as it would be written in Puppet code, as far as it can be.
 *
 * @param level - the level of indentation, two spaces each; absent: all on one line
 */
export function programText(value: Value, level?: number): string {
  if (value === null) return 'undef';
  if (typeof value === 'string') return puppetQuote(value);
  if (isInteger(value) || typeof value === 'boolean') return String(value);
  if (value instanceof Float) return rubyFloat(value.value);
  if (isDefault(value)) return 'default';
  if (isArray(value)) return arrayText(value, level);
  if (value instanceof PuppetHash) return hashText(value, level);
  if (value instanceof PuppetType) return value.render({ isExpanded: false, active: new Set() });
  return opaqueText(value, level);
}

function opaqueText(value: Value, level: number | undefined): string {
  if (value instanceof ByteString) return puppetQuote(value.text);
  if (value instanceof RegexpValue) return value.toLiteral();
  if (value instanceof ObjectInstance) return `${value.type.name}(${hashText(value.initHash(), level)})`;
  if (value instanceof UriValue) return `URI(${puppetQuote(value.toString())})`;
  if (value instanceof SemVerValue || value instanceof SemVerRangeValue || value instanceof TimeValue) {
    return `'${value.toString()}'`;
  }
  return `Instance of ${infer(value).toString()}`;
}

function arrayText(items: readonly Value[], level: number | undefined): string {
  if (level === undefined || isShort(items, level)) {
    return `[${items.map((item) => programText(item, level)).join(', ')}]`;
  }
  const lines = items.map((item) => newline(level + 1) + programText(item, level + 1));
  return `[${lines.join(',')}${newline(level)}]`;
}

function hashText(hash: PuppetHash, level: number | undefined): string {
  const inner = level === undefined ? undefined : level + 1;
  const start = inner === undefined ? '' : newline(inner);
  const entries = [...hash].map(
    ([key, item]) => `${start}${programText(key, inner)} => ${programText(item, inner)}`,
  );
  return `{${entries.join(level === undefined ? ', ' : ',')}${level === undefined ? '' : newline(level)}}`;
}

function newline(level: number): string {
  return `\n${'  '.repeat(level)}`;
}

/** Arrays of short scalars stay on one line. */
function isShort(items: readonly Value[], level: number): boolean {
  const sizes = items.map((item) => {
    if (typeof item === 'string') return item.length + 2;
    if (item instanceof ByteString) return item.text.length + 2;
    if (isArray(item)) return item.length === 0 ? 2 : 1000;
    if (item instanceof PuppetHash) return item.size === 0 ? 2 : 1000;
    if (item === null) return 3;
    return typeof item === 'object' && !(item instanceof Float) ? 1000 : programText(item).length;
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return items.length === 0 || LINE_LENGTH - level * 2 > total;
}
