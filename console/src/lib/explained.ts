/** Explanations of values, in words. */

/** A key of Hiera, or a parameter of a class when it may be one: `ntp::servers` is both. */
export function subjectOf(text: string): { readonly parameter: string } | { readonly lookup: string } {
  const name = text.trim();
  return /^(?:::)?[a-z]\w*(?:::[a-z_]\w*)+$/.test(name) ? { parameter: name } : { lookup: name };
}

export interface ExplainedStep {
  readonly kind: 'code' | 'group' | 'level' | 'default';
  readonly name: string;
  readonly result: 'found' | 'not-found' | 'no-file';
  readonly is_decisive: boolean;
  readonly layer: string | null;
}

const layers: Readonly<Record<string, string>> = {
  global: 'Global data',
  environment: 'Environment data',
  module: 'Module data',
};

/** Where a step looks. */
export function kindText({ kind, layer }: ExplainedStep): string {
  if (kind === 'level') return layers[layer ?? ''] ?? 'Data';
  if (kind === 'default') return 'Default in the code';
  if (kind === 'code') return 'Code';
  return layer === 'data' ? 'Group data' : layer === 'class' ? 'Group parameter' : 'Node group';
}

export function resultText({ result }: ExplainedStep): string {
  if (result === 'found') return 'found';
  return result === 'no-file' ? 'no such file' : 'not found';
}

const sources: Readonly<Record<string, string>> = {
  code: 'From the code that declares the class',
  group: 'From a node group',
  data: 'From Hiera',
  default: 'From the default in the code',
  none: 'No value found',
};

/** Words for the source of a value. */
export function sourceText(source: string): string {
  return sources[source] ?? source;
}
