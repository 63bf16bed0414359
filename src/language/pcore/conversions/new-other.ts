/** `new` of Binary, Regexp, SemVer, SemVerRange, Sensitive, String, Type, URI and Unit. */

import { fault } from '../fault.ts';
import { formatValue } from '../formats/format-value.ts';
import type { TypeResolver } from '../resolution/interpret.ts';
import { parseType } from '../resolution/parse-type.ts';
import { ResourceType } from '../types/reference-types.ts';
import { isArray, isInteger, PuppetHash, type Value } from '../value.ts';
import { BinaryValue } from '../values/binary-value.ts';
import { ByteString, textOfBytes } from '../values/byte-string.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { SensitiveValue } from '../values/sensitive-value.ts';
import { URI_PARTS, UriValue } from '../values/uri-value.ts';
import { Constructor } from './constructor.ts';

function textOf(value: Value | undefined): string {
  if (value instanceof ByteString) return textOfBytes(value);
  return typeof value === 'string' ? value : '';
}
function numberOf(value: Value | undefined): number {
  return value !== undefined && isInteger(value) ? Number(value) : 0;
}
function at(hash: Value | undefined, key: string): Value | undefined {
  return hash instanceof PuppetHash ? hash.get(key) : undefined;
}

export const NEW_STRING: Constructor = new Constructor({
  name: 'new_string',
  takesBytes: true,
  localTypes: {
    Format: String.raw`Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]`,
    ContainerFormat: `Struct[{
      Optional[format] => Format, Optional[separator] => String,
      Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]
    }]`,
    TypeMap: 'Hash[Type, Variant[Format, ContainerFormat]]',
    Convertible: 'Any',
    Formats: 'Variant[Default, String[1], TypeMap]',
  },
  dispatches: [
    {
      parameters: [
        { name: 'from', type: 'Convertible' },
        { name: 'string_formats', type: 'Formats', isOptional: true },
      ],
      make: ([from = null, formats]) => {
        const text = formatValue(from, formats);
        return from instanceof ByteString ? formattedBytes(from, text, formats) : text;
      },
    },
  ],
});

export const NEW_BINARY: Constructor = new Constructor({
  name: 'new_Binary',
  takesBytes: true,
  localTypes: {
    ByteInteger: 'Integer[0,255]',
    Base64Format: 'Enum["%b", "%u", "%B", "%s", "%r"]',
    StringHash: 'Struct[{value => String, "format" => Optional[Base64Format]}]',
    ArrayHash: 'Struct[{value => Array[ByteInteger]}]',
    BinaryArgsHash: 'Variant[StringHash, ArrayHash]',
  },
  dispatches: [
    {
      parameters: [
        { name: 'str', type: 'String' },
        { name: 'format', type: 'Base64Format', isOptional: true },
      ],
      make: ([text = null, format]) => {
        if (text instanceof ByteString && (format === '%r' || format === '%s')) return binaryOf(text, format);
        // What is not Base64 is refused, or left out, whatever stands for it.
        return binaryFromText(text instanceof ByteString ? text.toString() : textOf(text), format);
      },
    },
    {
      parameters: [{ name: 'byte_array', type: 'Array[ByteInteger]' }],
      make: ([bytes]) => binaryFromBytes(bytes),
    },
    {
      parameters: [{ name: 'hash_args', type: 'BinaryArgsHash' }],
      make: ([hash]) => {
        const value = at(hash, 'value');
        return typeof value === 'string' ? binaryFromText(value, at(hash, 'format')) : binaryFromBytes(value);
      },
    },
  ],
});

/** Ruby's `format` makes text of ASCII; a literal keeps the encoding as long as it is ASCII. */
function formattedBytes({ isAscii }: ByteString, text: string, formats: Value | undefined): Value {
  const isLiteral = typeof formats === 'string' && formats.endsWith('p');
  return isLiteral === isAscii ? new ByteString(text) : text;
}

function binaryFromBytes(bytes: Value | undefined): BinaryValue {
  return new BinaryValue(Uint8Array.from(bytes !== undefined && isArray(bytes) ? bytes.map(numberOf) : []));
}

function binaryOf(text: ByteString, format: '%r' | '%s'): BinaryValue {
  const odd = format === '%s' ? /[\u0080-\u00ff]/.exec(text.text)?.[0] : undefined;
  if (odd === undefined) return text.toBinary();
  const shown = odd.charCodeAt(0).toString(16).toUpperCase();
  throw fault(`"\\x${shown}" from ASCII-8BIT to UTF-8`);
}

function binaryFromText(text: string, format: Value | undefined): BinaryValue {
  switch (format) {
    case '%b':
      return BinaryValue.fromRelaxedBase64(text);
    case '%u':
      return BinaryValue.fromUrlsafeBase64(text);
    case '%s':
    case '%r':
      return BinaryValue.fromText(text);
    default:
      return BinaryValue.fromBase64(text);
  }
}

export const NEW_REGEXP: Constructor = new Constructor({
  name: 'new_float', // sic
  dispatches: [
    {
      parameters: [
        { name: 'pattern', type: 'String' },
        { name: 'escape', type: 'Boolean', isOptional: true },
      ],
      make: ([pattern, escape]) => {
        const source = textOf(pattern);
        const regexp = new RegexpValue(escape === true ? escapeRegexp(source) : source);
        regexp.compile(); // so that mistakes are found now
        return regexp;
      },
    },
  ],
});

const CONTROL: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
};

/** As Ruby's `Regexp.escape`. */
export function escapeRegexp(text: string): string {
  return text.replace(
    /[[\]{}()|\-*.\\?+^$ #\n\t\r\f\v]/g,
    (character) => CONTROL[character] ?? `\\${character}`,
  );
}

const FULL_VERSION = String.raw`(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?`;

export const NEW_SEMVER: Constructor = new Constructor({
  name: 'new_Version',
  localTypes: {
    PositiveInteger: 'Integer[0,default]',
    SemVerQualifier: String.raw`Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/]`,
    SemVerPattern: `Pattern[/\\A${FULL_VERSION}\\Z/]`,
    SemVerHash:
      'Struct[{major=>PositiveInteger,minor=>PositiveInteger,patch=>PositiveInteger,Optional[prerelease]=>SemVerQualifier,Optional[build]=>SemVerQualifier}]',
  },
  dispatches: [
    {
      parameters: [{ name: 'str', type: 'SemVerPattern' }],
      make: ([text]) => SemVerValue.parse(textOf(text)),
    },
    {
      parameters: [
        { name: 'major', type: 'PositiveInteger' },
        { name: 'minor', type: 'PositiveInteger' },
        { name: 'patch', type: 'PositiveInteger' },
        { name: 'prerelease', type: 'SemVerQualifier', isOptional: true },
        { name: 'build', type: 'SemVerQualifier', isOptional: true },
      ],
      make: ([major, minor, patch, prerelease, build]) => versionOf([major, minor, patch], prerelease, build),
    },
    {
      parameters: [{ name: 'hash_args', type: 'SemVerHash' }],
      make: ([hash]) =>
        versionOf(
          ['major', 'minor', 'patch'].map((key) => at(hash, key)),
          at(hash, 'prerelease'),
          at(hash, 'build'),
        ),
    },
  ],
  mismatches: [
    {
      parameters: [{ name: 'str', type: 'String' }],
      explain: ([text]) => `The string '${textOf(text)}' cannot be converted to a SemVer`,
    },
  ],
});

/** The qualifiers are taken as they are, as one identifier. */
function versionOf(
  numbers: readonly (Value | undefined)[],
  prerelease: Value | undefined,
  build: Value | undefined,
): SemVerValue {
  const [major = 0, minor = 0, patch = 0] = numbers.map(numberOf);
  const qualifier = typeof prerelease === 'string' ? [prerelease] : undefined;
  return new SemVerValue([major, minor, patch], {
    prerelease: qualifier,
    build: typeof build === 'string' ? [build] : undefined,
  });
}

export const NEW_SEMVER_RANGE: Constructor = new Constructor({
  name: 'new_VersionRange',
  localTypes: {
    SemVerRangeString: 'String[1]',
    SemVerRangeHash:
      'Struct[{min=>Variant[Default,SemVer],Optional[max]=>Variant[Default,SemVer],Optional[exclude_max]=>Boolean}]',
  },
  dispatches: [
    {
      parameters: [{ name: 'str', type: 'SemVerRangeString' }],
      make: ([text]) => SemVerRangeValue.parse(textOf(text)),
    },
    {
      parameters: [
        { name: 'min', type: 'Variant[Default,SemVer]' },
        { name: 'max', type: 'Variant[Default,SemVer]' },
        { name: 'exclude_max', type: 'Boolean', isOptional: true },
      ],
      make: ([min, max, excludeMax]) => rangeOf(min, max, excludeMax),
    },
    {
      parameters: [{ name: 'hash_args', type: 'SemVerRangeHash' }],
      make: ([hash]) => rangeOf(at(hash, 'min'), at(hash, 'max'), at(hash, 'exclude_max')),
    },
  ],
});

function rangeOf(min: Value | undefined, max: Value | undefined, excludeMax: Value | undefined): Value {
  return SemVerRangeValue.between(
    min instanceof SemVerValue ? min : SemVerValue.MIN,
    max instanceof SemVerValue ? max : SemVerValue.MAX,
    excludeMax === true,
  );
}

export const NEW_SENSITIVE: Constructor = new Constructor({
  name: 'new_Sensitive',
  takesBytes: true,
  dispatches: [
    { parameters: [{ name: 'value', type: 'Sensitive' }], make: ([value = null]) => value },
    { parameters: [{ name: 'value', type: 'Any' }], make: ([value = null]) => new SensitiveValue(value) },
  ],
});

/** The resource types of the reference itself: `Type` knows them, but none of modules. */
const RESOURCE_TYPES: ReadonlyMap<string, ResourceType> = new Map(
  'Component Exec File Filebucket Group Node Notify Package Resources Schedule Service Stage Tidy User Whit'
    .split(' ')
    .map((name) => [name.toLowerCase(), new ResourceType(name)]),
);
const OWN_RESOURCE_TYPES: TypeResolver = {
  findAlias: (name) => RESOURCE_TYPES.get(name.toLowerCase()),
};

export const NEW_TYPE: Constructor = new Constructor({
  name: 'new_type',
  dispatches: [
    {
      parameters: [{ name: 'type_string', type: 'String[1]' }],
      make: ([text]) => parseType(textOf(text), OWN_RESOURCE_TYPES),
    },
  ],
});

export const NEW_UNIT: Constructor = new Constructor({
  name: 'new_unit',
  dispatches: [{ parameters: [{ name: 'from', type: 'Any' }], make: ([from = null]) => from }],
});

export const NEW_URI: Constructor = new Constructor({
  name: 'new_error', // sic
  dispatches: [
    {
      parameters: [{ name: 'uri', type: 'String[1]' }],
      make: ([text]) => UriValue.parse(textOf(text)),
    },
    {
      parameters: [
        {
          name: 'hash',
          type: `Struct[{
            Optional['scheme'] => String[1], Optional['userinfo'] => String[1], Optional['host'] => String[1],
            Optional['port'] => Integer[0], Optional['path'] => String[1], Optional['query'] => String[1],
            Optional['fragment'] => String[1], Optional['opaque'] => String[1]
          }]`,
        },
      ],
      make: ([hash]) => {
        const entries = URI_PARTS.map((name) => [name, at(hash, name)] as const);
        return UriValue.fromParts(Object.fromEntries(entries.filter(([, part]) => part !== undefined)));
      },
    },
  ],
});
