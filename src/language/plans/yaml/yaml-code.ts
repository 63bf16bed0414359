/** Values of YAML as code in the Puppet language. */

import { type StyledYaml, YamlFloat, YamlText } from '../../../lib/yaml/index.ts';
import { programText } from '../../pcore/index.ts';

export type YamlHash = ReadonlyMap<string, StyledYaml>;

export const VARIABLE_NAME: RegExp = /^[a-z_][a-z0-9_]*$/;

/** A value whose text is text, however it is written. */
export function literal(value: StyledYaml): string {
  if (value instanceof YamlText) return programText(value.text);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value instanceof Map) return hashCode(value, literal);
  return scalarCode(value);
}

/** A value of a step: text may be code. */
export function codeOf(value: StyledYaml): string {
  if (value instanceof YamlText) return textCode(value);
  if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
  if (value instanceof Map) return hashCode(value, codeOf);
  return scalarCode(value);
}

function hashCode(hash: YamlHash, code: (value: StyledYaml) => string): string {
  return `{${Array.from(hash, ([key, item]) => `${programText(key)} => ${code(item)}`).join(', ')}}`;
}

function scalarCode(value: StyledYaml): string {
  if (value === null) return 'undef';
  if (value instanceof YamlFloat)
    return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
  return typeof value === 'string' ? programText(value) : String(value);
}

function textCode({ style, text }: YamlText): string {
  switch (style) {
    case 'plain':
      return text.startsWith('$') ? `(${text})` : programText(text);
    case 'double':
      return JSON.stringify(text);
    case 'block':
      return `with() || { ${text.trimEnd()} }`;
    default:
      return style satisfies never;
  }
}

export function textOf(value: StyledYaml): string {
  return value instanceof YamlText ? value.text : String(value);
}
