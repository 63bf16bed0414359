/** Methods of strings, arrays and hashes that Puppetfiles use. */

import {
  asText,
  inspect,
  isArray,
  isEqual,
  isHash,
  isTruthy,
  PuppetfileError,
  type RubyValue,
} from './ruby-value.ts';

/** @returns `undefined` when the method is not known here */
export function callMethod(
  value: RubyValue,
  name: string,
  args: readonly RubyValue[],
): RubyValue | undefined {
  const general = onAnything(value, name, args);
  if (general !== undefined) return general;
  if (typeof value === 'string') return onText(value, name, args);
  if (isHash(value)) return onHash(value, name, args);
  if (isArray(value)) return onArray(value, name, args);
  return undefined;
}

function onAnything(value: RubyValue, name: string, args: readonly RubyValue[]): RubyValue | undefined {
  switch (name) {
    case '==':
    case 'eql?':
      return isEqual(value, args[0] ?? null);
    case '!=':
      return !isEqual(value, args[0] ?? null);
    case '!':
      return !isTruthy(value);
    case 'nil?':
      return value === null;
    case 'to_s':
      return args.length === 0 ? asText(value) : undefined;
    case 'inspect':
      return inspect(value);
    case 'freeze':
    case 'dup':
    case 'itself':
      return value;
    case 'to_sym':
      return typeof value === 'string' || typeof value === 'symbol' ? Symbol.for(asText(value)) : undefined;
    default:
      return undefined;
  }
}

function onText(value: string, name: string, args: readonly RubyValue[]): RubyValue | undefined {
  if (args.length === 0) return onTextAlone(value, name);
  const texts = args.filter((arg) => typeof arg === 'string');
  if (texts.length !== args.length) return undefined;
  const [first = '', second = ''] = texts;
  switch (name) {
    case '+':
      return value + first;
    case 'start_with?':
      return texts.some((prefix) => value.startsWith(prefix));
    case 'end_with?':
      return texts.some((suffix) => value.endsWith(suffix));
    case 'include?':
      return value.includes(first);
    case 'sub':
      return args.length === 2 ? value.replace(first, () => second) : undefined;
    case 'gsub':
      return args.length === 2 ? value.replaceAll(first, () => second) : undefined;
    case 'split':
      return value.split(first === ' ' ? /\s+/ : first).filter((part) => part !== '');
    case 'delete_prefix':
      return value.startsWith(first) ? value.slice(first.length) : value;
    case 'delete_suffix':
      return value.endsWith(first) ? value.slice(0, value.length - first.length) : value;
    default:
      return undefined;
  }
}

function onTextAlone(value: string, name: string): RubyValue | undefined {
  switch (name) {
    case 'empty?':
      return value === '';
    case 'downcase':
      return value.toLowerCase();
    case 'upcase':
      return value.toUpperCase();
    case 'strip':
      return value.trim();
    case 'chomp':
      return value.replace(/\r?\n$/, '');
    case 'length':
    case 'size':
      return Array.from(value).length;
    default:
      return undefined;
  }
}

function onHash(
  value: ReadonlyMap<RubyValue, RubyValue>,
  name: string,
  args: readonly RubyValue[],
): RubyValue | undefined {
  const [key = null, fallback] = args;
  switch (name) {
    case '[]':
      return value.get(key) ?? null;
    case 'fetch': {
      const found = value.get(key) ?? fallback;
      if (found === undefined) throw new PuppetfileError(`key not found: ${inspect(key)}`);
      return found;
    }
    case 'key?':
    case 'has_key?':
    case 'include?':
    case 'member?':
      return value.has(key);
    case 'merge': {
      const merged = new Map(value);
      for (const other of args) {
        if (!isHash(other)) return undefined;
        for (const [otherKey, item] of other) merged.set(otherKey, item);
      }
      return merged;
    }
    case 'keys':
      return [...value.keys()];
    case 'values':
      return [...value.values()];
    case 'empty?':
      return value.size === 0;
    case 'to_h':
      return value;
    default:
      return undefined;
  }
}

function onArray(
  value: readonly RubyValue[],
  name: string,
  args: readonly RubyValue[],
): RubyValue | undefined {
  const [first = null] = args;
  switch (name) {
    case 'include?':
      return value.some((item) => isEqual(item, first));
    case '+':
      return isArray(first) ? [...value, ...first] : undefined;
    case '[]':
      return typeof first === 'number' && args.length === 1 ? (value.at(first) ?? null) : undefined;
    case 'join':
      return args.length <= 1 && (first === null || typeof first === 'string')
        ? value.map(asText).join(first ?? '')
        : undefined;
    case 'first':
      return args.length === 0 ? (value[0] ?? null) : undefined;
    case 'last':
      return args.length === 0 ? (value.at(-1) ?? null) : undefined;
    case 'empty?':
      return value.length === 0;
    case 'compact':
      return value.filter((item) => item !== null);
    default:
      return undefined;
  }
}
