/** Which field fits a parameter of a task or plan, and which value its text stands for. The server checks the types. */

/** How a value is entered. */
export type Editor =
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly min?: number; readonly max?: number }
  /** The text itself is the value. */
  | { readonly kind: 'text' }
  /** Nodes: names, a query or a group. */
  | { readonly kind: 'targets' }
  | { readonly kind: 'json' }
  /** JSON where it is JSON, else text, as on the command line. */
  | { readonly kind: 'any' };

export interface Parameter {
  readonly name: string;
  /** A type expression. */
  readonly type: string;
  readonly description?: string;
  /** As text; absent without one. */
  readonly defaultText?: string;
  readonly isRequired: boolean;
  readonly isSensitive: boolean;
}

/** The field for a type such as `Optional[Enum[a, b]]`, and whether it may be left empty. */
export function editorOf(type: string): { readonly editor: Editor; readonly isOptional: boolean } {
  const [name, inner] = headOf(type);
  if (name === 'Optional') return { editor: editorOf(inner ?? 'Any').editor, isOptional: true };
  if (name === 'Sensitive') return editorOf(inner ?? 'Any');
  return { editor: plainEditor(name, inner), isOptional: name === 'Undef' };
}

function plainEditor(name: string, inner: string | undefined): Editor {
  switch (name) {
    case 'Boolean':
      return { kind: 'boolean' };
    case 'Enum':
      return inner === undefined ? { kind: 'text' } : { kind: 'choice', options: wordsIn(inner) };
    case 'Integer':
    case 'Float':
    case 'Numeric':
      return { kind: 'number', isInteger: name === 'Integer', ...boundsIn(inner) };
    case 'String':
    case 'Pattern':
    case 'Regexp':
      return { kind: 'text' };
    case 'TargetSpec':
    case 'Boltlib::TargetSpec':
      return { kind: 'targets' };
    case 'Array':
    case 'Hash':
    case 'Struct':
    case 'Tuple':
    case 'Collection':
      return { kind: 'json' };
    default:
      return { kind: 'any' };
  }
}

/** `Enum[a, b]` as `Enum` and `a, b`. */
function headOf(type: string): readonly [name: string, inner: string | undefined] {
  const [, name = 'Any', inner] = /^\s*([\w:]+)\s*(?:\[(.*)\])?\s*$/s.exec(type) ?? [];
  return [name, inner];
}

/** Words and texts in quotes with commas between them. */
function wordsIn(text: string): readonly string[] {
  const words = text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([\w.:/-]+)/gs);
  return Array.from(words, ([, single, double, bare]) =>
    (single ?? double ?? bare ?? '').replaceAll(/\\(.)/gs, '$1'),
  );
}

function boundsIn(text: string | undefined): { readonly min?: number; readonly max?: number } {
  const [min, max] = (text ?? '').split(',').map((each) => Number.parseFloat(each));
  return {
    ...(min === undefined || Number.isNaN(min) ? {} : { min }),
    ...(max === undefined || Number.isNaN(max) ? {} : { max }),
  };
}

export type Read =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'mistake'; readonly message: string };

/** The value that a text in the field stands for; an empty field has no value. */
export function readValue(editor: Editor, text: string): Read {
  if (text === '') return { kind: 'absent' };
  const value = parsed(text);
  switch (editor.kind) {
    case 'choice':
    case 'text':
      return { kind: 'value', value: text };
    case 'boolean':
      return { kind: 'value', value: text === 'true' };
    case 'number':
      return readNumber(editor, Number(text));
    case 'targets':
      return { kind: 'value', value: namesIn(text) };
    case 'json':
      return value === undefined
        ? { kind: 'mistake', message: 'This is not JSON' }
        : { kind: 'value', value: value.json };
    case 'any':
      return { kind: 'value', value: value === undefined ? text : value.json };
    default:
      return editor satisfies never;
  }
}

function readNumber({ isInteger, max, min }: Editor & { kind: 'number' }, value: number): Read {
  if (Number.isNaN(value)) return { kind: 'mistake', message: 'This is not a number' };
  if (isInteger && !Number.isInteger(value))
    return { kind: 'mistake', message: 'This is not a whole number' };
  if (min !== undefined && value < min) return { kind: 'mistake', message: `At least ${min}` };
  if (max !== undefined && value > max) return { kind: 'mistake', message: `At most ${max}` };
  return { kind: 'value', value };
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined; // not JSON
  }
}

/** Names with commas, spaces or line ends between them, each once. */
export function namesIn(text: string): readonly string[] {
  return Array.from(new Set(text.split(/[\s,]+/).filter((name) => name !== '')));
}
