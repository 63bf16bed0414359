/** YAML as Ruby's `to_yaml` writes it. */

import { BREAK, isPrintable, possibleStyle, type ScalarStyle, wantedStyle } from './scalar-style.ts';
import { isYamlList, isYamlMap, YamlBinary, YamlFloat, YamlSymbol, type YamlValue } from './value.ts';

/** An object of a Ruby class: its instance variables, without `@`, behind a tag. */
export class YamlObject {
  readonly className: string;
  readonly members: ReadonlyMap<string, RenderableYaml>;
  constructor(className: string, members: ReadonlyMap<string, RenderableYaml>) {
    this.className = className;
    this.members = members;
  }
}

export type RenderableYaml =
  | YamlValue
  | YamlObject
  | readonly RenderableYaml[]
  | ReadonlyMap<RenderableYaml, RenderableYaml>;

/** One document, with `---` in front and the end of its last line. Values that are there twice are written twice. */
export function renderYaml(value: RenderableYaml): string {
  return new YamlWriter().document(value);
}

/** Beyond this column text is folded at its next blank. */
const bestWidth = 80;
/** Longer keys are written behind a question mark. */
const longestSimpleKey = 128;

type Place = 'root' | 'item' | 'value' | 'simple key' | 'key';

/** Follows libyaml's emitter, whose states decide where blanks and line breaks go. */
class YamlWriter {
  private out = '';
  private column = 0;
  private indent = -1;
  /** The last thing written was white space. */
  private isBlank = true;
  /** Nothing but indentation and indicators have been written in this line. */
  private isIndented = true;
  /** The last thing written is a block whose empty lines at the end count: only a marker ends it. */
  private isOpen = false;

  document(value: RenderableYaml): string {
    this.indicator('---', { isSeparated: true });
    this.node(value, 'root');
    this.startLine();
    return this.isOpen ? `${this.out}...\n` : this.out;
  }

  private node(value: RenderableYaml, place: Place): void {
    if (value instanceof YamlObject) {
      this.indicator(`!ruby/object:${value.className}`, { isSeparated: true });
      this.mapping(value.members);
    } else if (isList(value)) this.sequence(value, place);
    else if (isMap(value)) this.mapping(value);
    else this.scalar(value, place);
  }

  private sequence(items: readonly RenderableYaml[], place: Place): void {
    if (items.length === 0) return this.indicator('[]', { isSeparated: true });
    const outer = this.indent;
    const isIndentless = place === 'value' && !this.isIndented;
    this.indent = outer < 0 ? 0 : outer + (isIndentless ? 0 : 2);
    for (const item of items) {
      this.startLine();
      this.indicator('-', { isSeparated: true, isIndented: true });
      this.node(item, 'item');
    }
    this.indent = outer;
  }

  private mapping(map: ReadonlyMap<RenderableYaml, RenderableYaml>): void {
    if (map.size === 0) return this.indicator('{}', { isSeparated: true });
    const outer = this.indent;
    this.indent = outer < 0 ? 0 : outer + 2;
    for (const [key, value] of map) {
      this.startLine();
      if (isSimpleKey(key)) {
        this.node(key, 'simple key');
        this.indicator(':', {});
      } else {
        this.indicator('?', { isSeparated: true, isIndented: true });
        this.node(key, 'key');
        this.startLine();
        this.indicator(':', { isSeparated: true, isIndented: true });
      }
      this.node(value, 'value');
    }
    this.indent = outer;
  }

  private scalar(value: Exclude<YamlValue, readonly YamlValue[]>, place: Place): void {
    const isKey = place === 'simple key';
    const { text, tag, style } = describeScalar(value, isKey);
    if (tag !== '') this.indicator(tag, { isSeparated: true });
    const outer = this.indent;
    this.indent = outer < 0 ? 2 : outer + 2;
    if (style === 'literal') this.literal(text);
    else if (style === 'double') this.doubleQuoted(text, !isKey);
    else if (style === 'single') this.singleQuoted(text, !isKey);
    else this.plain(text, !isKey);
    this.indent = outer;
  }

  private plain(text: string, folds: boolean): void {
    if (text === '') return;
    if (!this.isBlank) this.put(' ');
    for (const { character, next, previous } of charactersOf(text)) {
      const canFold = folds && previous !== ' ' && next !== ' ';
      if (character === ' ' && canFold && this.column > bestWidth) this.startLine();
      else this.put(character);
    }
    this.wrote();
  }

  private singleQuoted(text: string, folds: boolean): void {
    this.indicator("'", { isSeparated: true });
    let isAfterBreak = false;
    for (const { character, next, previous } of charactersOf(text)) {
      const isInside = previous !== undefined && next !== undefined;
      if (
        character === ' ' &&
        folds &&
        isInside &&
        previous !== ' ' &&
        next !== ' ' &&
        this.column > bestWidth
      ) {
        this.startLine();
      } else if (BREAK.test(character)) {
        if (!isAfterBreak && character === '\n') this.newLine();
        this.newLine(character);
        this.isIndented = true;
        isAfterBreak = true;
      } else {
        if (isAfterBreak) this.startLine();
        this.put(character === "'" ? "''" : character);
        this.isIndented = false;
        isAfterBreak = false;
      }
    }
    if (isAfterBreak) this.startLine();
    this.indicator("'", {});
    this.wrote();
  }

  private doubleQuoted(text: string, folds: boolean): void {
    this.indicator('"', { isSeparated: true });
    for (const { character, next, previous } of charactersOf(text)) {
      const isInside = previous !== undefined && next !== undefined;
      if (character === ' ' && folds && isInside && previous !== ' ' && this.column > bestWidth) {
        this.startLine();
        if (next === ' ') this.put('\\');
      } else this.put(escaped(character));
    }
    this.indicator('"', {});
    this.wrote();
  }

  private literal(text: string): void {
    const indentHint = /^[ \n\r\u0085\u2028\u2029]/.test(text) ? '2' : '';
    const chomp = chompHint(text);
    this.indicator(`|${indentHint}${chomp}`, { isSeparated: true });
    this.isOpen = chomp === '+';
    this.newLine();
    this.isIndented = true;
    this.isBlank = true;
    let isAfterBreak = true;
    for (const { character } of charactersOf(text)) {
      if (BREAK.test(character)) {
        this.newLine(character);
        this.isIndented = true;
        isAfterBreak = true;
      } else {
        if (isAfterBreak) this.startLine();
        this.put(character);
        this.isIndented = false;
        isAfterBreak = false;
      }
    }
  }

  private indicator(text: string, { isSeparated = false, isIndented = false }: IndicatorOptions): void {
    if (isSeparated && !this.isBlank) this.put(' ');
    this.put(text);
    this.isBlank = false;
    this.isIndented &&= isIndented;
  }

  private startLine(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.isIndented || this.column > indent || (this.column === indent && !this.isBlank)) this.newLine();
    while (this.column < indent) this.put(' ');
    this.isBlank = true;
    this.isIndented = true;
  }

  private put(text: string): void {
    this.out += text;
    this.column += text.length;
  }

  private newLine(character = '\n'): void {
    this.out += character;
    this.column = 0;
  }

  private wrote(): void {
    this.isBlank = false;
    this.isIndented = false;
  }
}

interface IndicatorOptions {
  readonly isSeparated?: boolean;
  readonly isIndented?: boolean;
}

interface Scalar {
  readonly text: string;
  readonly tag: string;
  readonly style: ScalarStyle;
}

function describeScalar(value: Exclude<YamlValue, readonly YamlValue[]>, isSimpleKey: boolean): Scalar {
  const plain = (text: string): Scalar => ({ text, tag: '', style: 'plain' });
  if (value === null) return isSimpleKey ? { text: '', tag: '!', style: 'single' } : plain('');
  if (value instanceof YamlFloat) return plain(floatText(value.value));
  if (value instanceof YamlSymbol) return plain(`:${value.name}`);
  if (value instanceof YamlBinary) return binary(value);
  if (typeof value !== 'string') return plain(String(value));
  if (value === '<<') return { text: value, tag: '!!str', style: 'single' };
  return { text: value, tag: '', style: possibleStyle(value, wantedStyle(value), { isSimpleKey }) };
}

function binary({ bytes }: YamlBinary): Scalar {
  return { text: btoa(String.fromCharCode(...bytes)), tag: '!binary', style: 'literal' };
}

/** As Ruby prints floats. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  const text = exponent < -4 || exponent >= 16 ? value.toExponential() : String(value);
  const [mantissa = '', power] = text.split('e');
  const digits = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
  return power === undefined ? digits : `${digits}e${power.slice(0, 1)}${power.slice(1).padStart(2, '0')}`;
}

/** What becomes of the line breaks at the end. */
function chompHint(text: string): string {
  if (!BREAK.test(text.slice(-1))) return '-';
  return text.length === 1 || BREAK.test(text.slice(-2, -1)) ? '+' : '';
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\u001b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

function escaped(character: string): string {
  const known = ESCAPES.get(character);
  if (known !== undefined) return known;
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

function isSimpleKey(key: RenderableYaml): boolean {
  if (isList(key)) return key.length === 0;
  if (isMap(key)) return key.size === 0;
  if (typeof key !== 'string') return !(key instanceof YamlObject) && !(key instanceof YamlBinary);
  return key.length <= longestSimpleKey && !BREAK.test(key);
}

function* charactersOf(text: string) {
  const characters = Array.from(text);
  for (const [index, character] of characters.entries()) {
    yield { character, previous: characters[index - 1], next: characters[index + 1] };
  }
}

function isList(value: RenderableYaml): value is readonly RenderableYaml[] {
  return Array.isArray(value) && isYamlList(value);
}

function isMap(value: RenderableYaml): value is ReadonlyMap<RenderableYaml, RenderableYaml> {
  return value instanceof Map && isYamlMap(value);
}
