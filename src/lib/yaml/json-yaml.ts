/** JSON as Ruby's `to_yaml` writes what Ruby read of it. */

import { bytesOfString } from '../json-bytes.ts';
import { isRawNumber, keepNumber, type RawNumber } from '../raw-json.ts';
import type { RenderableYaml } from './render-yaml.ts';
import { YamlBinary, YamlFloat } from './value.ts';

type Json = null | boolean | string | RawNumber | readonly Json[] | { readonly [key: string]: Json };

/** @throws SyntaxError for invalid JSON */
export function yamlOfJson(text: string): RenderableYaml {
  return yamlOf(JSON.parse(text, keepNumber) as Json);
}

function yamlOf(value: Json): RenderableYaml {
  if (typeof value === 'string') return textOrBytes(value);
  if (value === null || typeof value !== 'object') return value;
  if (isRawNumber(value)) return numberOf(value.rawJSON);
  if (isList(value)) return value.map(yamlOf);
  return new Map(Object.entries(value).map(([key, item]) => [textOrBytes(key), yamlOf(item)]));
}

/** Strings that are not UTF-8 are `!binary`. */
function textOrBytes(text: string): string | YamlBinary {
  const bytes = bytesOfString(text);
  return bytes === undefined ? text : new YamlBinary(bytes);
}

function numberOf(text: string): RenderableYaml {
  if (!/^-?\d+$/.test(text)) return new YamlFloat(Number(text));
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
