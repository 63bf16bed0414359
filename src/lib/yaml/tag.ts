/** Explicit tags: which ones change a value, and which ask for a Ruby object that is refused. */

import type { DocumentDirective } from 'js-yaml';
import { plainScalar, rubyFloat } from './scalar.ts';
import { YamlBinary, YamlFloat, YamlSymbol, type YamlValue } from './value.ts';
import { disallowedClass, YamlError } from './yaml-error.ts';

const STANDARD = 'tag:yaml.org,2002:';

/** The full tag for one as written: `!!str` is `tag:yaml.org,2002:str`. */
export function resolveTag(written: string, directives: readonly DocumentDirective[]): string {
  if (written.startsWith('!<')) return written.slice(2, -1);
  const handle = /^!(?:[\w-]*!)?/.exec(written)?.[0] ?? '!';
  const directive = directives.find((item) => item.kind === 'tag' && item.handle === handle);
  if (directive?.kind === 'tag') return directive.prefix + written.slice(handle.length);
  return handle === '!!' ? STANDARD + written.slice(handle.length) : written;
}

/** @throws YamlError for a tag that names a class */
export function taggedScalar(text: string, tag: string): YamlValue {
  if (tag === '!binary' || tag === `${STANDARD}binary`) return new YamlBinary(decodeBase64(text));
  if (tag === `${STANDARD}str` || tag === '!str' || tag === '!ruby/string') return text;
  if (tag === `${STANDARD}float` || tag === '!float') return toFloat(plainScalar(text));
  if (/^!ruby\/sym(?:bol)?(?::.*)?$/.test(tag)) return new YamlSymbol(text);
  if (tag === '!ruby/regexp') throw disallowedClass('Regexp');
  if (tag === '!ruby/range') throw disallowedClass('Range');
  if (tag === '!ruby/class' || tag === '!ruby/module') throw disallowedClass(text);
  refuseClassTag(tag);
  return plainScalar(text);
}

/** @throws YamlError for a tag on a collection that names a class */
export function refuseClassTag(tag: string): void {
  if (tag === `${STANDARD}set` || tag === '!set') throw disallowedClass('Psych::Set');
  const named = /^!ruby\/(?:object|struct|exception|array|hash|string|marshalable):(.+)$/.exec(tag);
  if (named?.[1] !== undefined && tag !== '!ruby/object:Hash') throw disallowedClass(named[1]);
  if (tag === '!ruby/object') throw disallowedClass('Object');
  if (tag === '!ruby/struct') throw disallowedClass('Struct');
  if (tag === '!ruby/exception') throw disallowedClass('Exception');
  if (tag === '!ruby/range') throw disallowedClass('Range');
}

/** `!!str` on a map makes Ruby stumble. @throws YamlError */
export function refuseStringMap(tag: string): void {
  if (tag === `${STANDARD}str` || tag === '!str') {
    throw new YamlError('value', "can't modify frozen NilClass: nil");
  }
}

export function isOrderedMapTag(tag: string): boolean {
  return tag === `${STANDARD}omap` || tag === '!omap';
}

function toFloat(value: YamlValue): YamlFloat {
  if (value instanceof YamlFloat) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return new YamlFloat(Number(value));
  return rubyFloat(String(value));
}

/** Ruby's `unpack('m')`: whatever is no Base64 is skipped. */
function decodeBase64(text: string): Uint8Array {
  const clean = text.replace(/[^A-Za-z0-9+/]/g, '');
  const whole = clean.length % 4 === 1 ? clean.slice(0, -1) : clean;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}
