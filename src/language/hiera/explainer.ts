/** The story of a lookup, as `puppet lookup --explain` tells it. */

import { inspect, isArray, PuppetHash, type Value } from '../pcore/index.ts';
import type { Trace, TraceLabel } from './trace.ts';

export type Outcome =
  | { readonly kind: 'found'; readonly key: string; readonly value: Value; readonly where: string }
  | { readonly kind: 'not-found'; readonly key: string }
  | { readonly kind: 'location-not-found' }
  | { readonly kind: 'result'; readonly value: Value };

export type ExplainLabel =
  | TraceLabel
  | { readonly kind: 'root' }
  | { readonly kind: 'merge-source'; readonly name: string };

/** A step of the story, with the steps within it. */
export class ExplainNode {
  readonly label: ExplainLabel;
  readonly branches: ExplainNode[] = [];
  readonly texts: string[] = [];
  outcome: Outcome | undefined;

  constructor(label: ExplainLabel) {
    this.label = label;
  }
}

/** Collects what lookups tell; `text` gives it in the reference's form. */
export class Explainer implements Trace {
  /** `onlyOptions`: look for the lookup options alone. `options`: tell about them, too. */
  readonly scope: 'data' | 'options' | 'only-options';
  readonly root = new ExplainNode({ kind: 'root' });
  /** Whether a value of the story must not be shown. */
  hasSecret = false;
  private current = this.root;

  constructor(scope: 'data' | 'options' | 'only-options' = 'data') {
    this.scope = scope;
  }

  within<T>(label: TraceLabel, run: () => T): T {
    const parent = this.current;
    const node = new ExplainNode(label);
    parent.branches.push(node);
    this.current = node;
    try {
      return run();
    } finally {
      this.current = parent;
    }
  }

  found(key: string, value: Value, where?: 'overrides' | 'defaults'): void {
    const place = where === undefined ? '' : ` in ${where}`;
    this.current.outcome = { kind: 'found', key, value, where: place };
  }

  notFound(key: string): void {
    this.current.outcome = { kind: 'not-found', key };
  }

  locationNotFound(): void {
    this.current.outcome = { kind: 'location-not-found' };
  }

  result(value: Value): void {
    this.current.outcome = { kind: 'result', value };
  }

  mergeSource(name: string): void {
    this.current.branches.push(new ExplainNode({ kind: 'merge-source', name }));
  }

  text(text: string): void {
    this.current.texts.push(text);
  }

  secret(): void {
    this.hasSecret = true;
  }

  /** Lines, each with its end. */
  render(): string {
    const lines: string[] = [];
    for (const branch of this.root.branches) render(branch, '', lines);
    for (const text of this.root.texts) lines.push(`${text}\n`);
    return lines.join('');
  }
}

function render(node: ExplainNode, indent: string, lines: string[]): void {
  const { label } = node;
  const title = titleOf(label);
  if (label.kind === 'merge') return renderMerge(node, indent, lines);
  if (title === undefined) return renderOutcome(node, indent, lines);
  lines.push(`${indent}${title}\n`);
  if (label.kind === 'invalid-key' || label.kind === 'merge-source' || label.kind === 'module') return;
  const inner = `${indent}  `;
  if (label.kind === 'data-provider' && label.configPath !== undefined) {
    lines.push(`${inner}Using configuration "${label.configPath}"\n`);
  }
  if (label.kind === 'location') lines.push(`${inner}Original ${label.type}: "${label.original}"\n`);
  for (const branch of node.branches) render(branch, inner, lines);
  if (label.kind === 'top' || label.kind === 'interpolation') return;
  if (label.kind === 'location' && node.outcome?.kind === 'location-not-found') {
    lines.push(`${inner}${label.type === 'path' ? 'Path' : 'URI'} not found\n`);
  }
  renderOutcome(node, inner, lines);
}

/** The line that a step begins with; `undefined` for steps that have only an outcome. */
function titleOf(label: ExplainLabel): string | undefined {
  switch (label.kind) {
    case 'top':
      return `Searching for "${label.key}"`;
    case 'invalid-key':
      return `Invalid key "${label.key}"`;
    case 'merge-source':
      return `Using merge options from "${label.name}" hash`;
    case 'module':
      return label.text;
    case 'interpolation':
      return `Interpolation on "${label.expression}"`;
    case 'data-provider':
    case 'scope':
      return label.name;
    case 'location':
      return `${label.type === 'path' ? 'Path' : 'URI'} "${label.resolved}"`;
    case 'sub-key':
      return `Sub key: "${label.segments.join('.')}"`;
    case 'merge':
    case 'segment':
    case 'root':
      return undefined;
    default:
      return label satisfies never;
  }
}

function renderMerge(node: ExplainNode, indent: string, lines: string[]): void {
  const [only, second] = node.branches;
  if (only === undefined || node.label.kind !== 'merge') return;
  if (second === undefined) return render(only, indent, lines);
  lines.push(`${indent}Merge strategy ${node.label.strategy}\n`);
  const inner = `${indent}  `;
  const { options } = node.label;
  if (options !== undefined) lines.push(`${inner}Options: ${valueText(options, inner)}\n`);
  for (const branch of node.branches) render(branch, inner, lines);
  if (node.outcome?.kind === 'result') {
    lines.push(`${inner}Merged result: ${valueText(node.outcome.value, inner)}\n`);
  }
}

function renderOutcome(node: ExplainNode, indent: string, lines: string[]): void {
  const { outcome } = node;
  if (outcome?.kind === 'not-found') lines.push(`${indent}No such key: "${outcome.key}"\n`);
  if (outcome?.kind === 'found') {
    const text = valueText(outcome.value, indent);
    lines.push(`${indent}Found key: "${outcome.key}" value: ${text}${outcome.where}\n`);
  }
  for (const text of node.texts) lines.push(`${indent}${text}\n`);
}

function valueText(value: Value, indent: string): string {
  const inner = `${indent}  `;
  if (isArray(value)) {
    return block(
      '[',
      ']',
      value.map((item) => valueText(item, inner)),
      indent,
    );
  }
  if (value instanceof PuppetHash) {
    const entries = [...value].map(([key, item]) => `${valueText(key, inner)} => ${valueText(item, inner)}`);
    return block('{', '}', entries, indent);
  }
  return inspect(value);
}

function block(open: string, close: string, items: readonly string[], indent: string): string {
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}`;
}
