/** The types that settings have. */

import { parseSeconds } from '../../lib/duration.ts';
import { InvalidValue, type SettingType } from './setting.ts';

export const text: SettingType<string> = { name: 'text', parse: (value) => value };

/** A path; empty means none. */
export const path: SettingType<string> = { name: 'path', parse: (value) => value };

export const boolean: SettingType<boolean> = {
  name: 'boolean',
  parse: (value, name) => {
    if (value === 'true' || value === 'false') return value === 'true';
    throw new InvalidValue(`Invalid value '${JSON.stringify(value)}' for boolean parameter: ${name}`);
  },
};

/** A whole number of at least `min`. */
export function integer(min = 0, max = Number.MAX_SAFE_INTEGER): SettingType<number> {
  return {
    name: 'integer',
    parse: (value, name) => {
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw new InvalidValue(
        `Cannot convert '${value}' to an integer from ${min} to ${max} for parameter: ${name}`,
      );
    },
  };
}

/** Seconds, written `90`, `30m`, `5y`. */
export const duration: SettingType<number> = {
  name: 'duration',
  parse: (value, name) => {
    const seconds = parseSeconds(value);
    if (seconds !== undefined) return seconds;
    throw new InvalidValue(`Invalid duration format '${JSON.stringify(value)}' for parameter: ${name}`);
  },
};

/** Seconds or `unlimited`, which is `Infinity`. */
export const timeToLive: SettingType<number> = {
  name: 'time to live',
  parse: (value, name) => {
    if (value === 'unlimited') return Number.POSITIVE_INFINITY;
    if (value.startsWith('-')) {
      throw new InvalidValue(
        `Invalid negative 'time to live' ${JSON.stringify(value)} - did you mean 'unlimited'?`,
      );
    }
    const seconds = parseSeconds(value);
    if (seconds !== undefined) return seconds;
    throw new InvalidValue(`Invalid 'time to live' format '${JSON.stringify(value)}' for parameter: ${name}`);
  },
};

/** A port, 0 for none, or `auto`, which is decided where it is opened. */
export const portOrAuto: SettingType<number | 'auto'> = {
  name: "port or 'auto'",
  parse: (value, name) => (value === 'auto' ? value : integer(0, 65_535).parse(value, name)),
};

const bytesIn: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Absolute paths divided by commas; `auto` may be among them. */
export const filesOrAuto: SettingType<readonly string[]> = {
  name: "list of absolute paths or 'auto'",
  parse: (value, name) => {
    const words = value.split(',').map((word) => word.trim());
    const wrong = words.find((word) => word !== '' && word !== 'auto' && !/^\/+[^/]/.test(word));
    if (wrong !== undefined)
      throw new InvalidValue(`'${wrong}' is neither an absolute path nor 'auto' for parameter: ${name}`);
    return Object.freeze(words.filter((word) => word !== ''));
  },
};

/** Bytes, written `1048576`, `512k`, `32m`, `1g`. */
export const size: SettingType<number> = {
  name: 'size',
  parse: (value, name) => {
    const match = /^(\d+)\s*([kmg]?)i?b?$/i.exec(value);
    if (match !== null) return Number(match[1]) * (bytesIn[(match[2] ?? '').toLowerCase()] ?? 1);
    throw new InvalidValue(`Invalid size '${value}' for parameter: ${name}`);
  },
};

/** Texts divided by commas. */
export const list: SettingType<readonly string[]> = {
  name: 'list',
  parse: (value) => Object.freeze(split(value, /\s*,\s*/)),
};

/** Paths divided by colons. */
export const pathList: SettingType<readonly string[]> = {
  name: 'paths',
  parse: (value) => Object.freeze(split(value, /:/)),
};

function split(value: string, divider: RegExp): string[] {
  return value.split(divider).filter((part) => part !== '');
}

/** @param what - begins the message about those that are not allowed */
export function someOf<const T extends string>(
  what: string,
  ...allowed: readonly T[]
): SettingType<readonly T[]> {
  return {
    name: `some of ${allowed.join(', ')}`,
    parse: (value) => {
      const given = split(value, /\s*,\s*/);
      const unknown = given.filter((item) => !allowed.some((known) => known === item));
      if (unknown.length > 0)
        throw new InvalidValue(`${what} '${unknown.join(',')}'. Valid values are '${allowed.join(', ')}'`);
      return allowed.filter((item) => given.includes(item));
    },
  };
}

export function oneOf<const T extends string>(...allowed: readonly T[]): SettingType<T> {
  return {
    name: `one of ${allowed.join(', ')}`,
    parse: (value, name) => {
      const found = allowed.find((item) => item === value);
      if (found !== undefined) return found;
      throw new InvalidValue(
        `Invalid value '${value}' for parameter ${name}. Allowed values are '${allowed.join("', '")}'`,
      );
    },
  };
}

/** Nothing where the text is empty: for settings whose default depends on others. */
export function unlessEmpty<T>(type: SettingType<T>): SettingType<T | undefined> {
  return { name: type.name, parse: (value, name) => (value === '' ? undefined : type.parse(value, name)) };
}

/** `true`, `false` or the absolute path of a list of patterns or of a program that decides. */
export const autosign: SettingType<boolean | string> = {
  name: 'boolean or path',
  parse: (value) => {
    if (value === 'true' || value === 'false') return value === 'true';
    if (value.startsWith('/')) return value;
    throw new InvalidValue(`Invalid autosign value ${value}: must be 'true'/'false' or an absolute path`);
  },
};
