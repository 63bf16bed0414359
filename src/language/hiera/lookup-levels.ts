/** The story of a lookup as a list of places that were searched, in their order. */

import type { Value } from '../pcore/index.ts';
import type { Explainer, ExplainNode } from './explainer.ts';

/** One place of the hierarchy that was searched for the key. */
export interface LookupLevel {
  readonly layer: 'global' | 'environment' | 'module';
  /** The `hiera.yaml` that names it; absent for built-in places. */
  readonly configPath: string | undefined;
  /** The name of the entry of the hierarchy. */
  readonly entry: string;
  /** A file or a URI; absent for entries that have neither. */
  readonly location:
    | { readonly kind: 'path' | 'uri'; readonly original: string; readonly resolved: string }
    | undefined;
  readonly result: 'found' | 'not-found' | 'no-file';
  /** What was found. */
  readonly value: Value | undefined;
  /** Expressions that the value needed: `lookup('domain')`. */
  readonly uses: readonly string[];
}

export interface LookupStory {
  readonly levels: readonly LookupLevel[];
  /** How values of several places became one; absent where the first one counts. */
  readonly merge: string | undefined;
  /** Whether `lookup_options` in data have chosen how values are merged. */
  readonly isMergeFromData: boolean;
  /** Remarks, such as a conversion. */
  readonly remarks: readonly string[];
  /** Whether none of the values may be shown. */
  readonly hasSecret: boolean;
}

const optionsKey = 'lookup_options';

/** The places that were searched for a key. Searches for lookup options, and those within values, are left out. */
export function storyOf(explainer: Explainer, key: string): LookupStory {
  const { root } = explainer;
  const [top] = root.branches.filter(
    ({ label }) => label.kind === 'top' && label.key === key && key !== optionsKey,
  );
  const levels = top === undefined ? [] : levelsIn(top, undefined);
  return {
    levels,
    merge: top === undefined ? undefined : strategyIn(top),
    isMergeFromData: root.branches.some(({ label }) => label.kind === 'merge-source'),
    remarks: [...root.texts, ...(top?.texts ?? [])],
    hasSecret: explainer.hasSecret,
  };
}

interface Layer {
  readonly layer: LookupLevel['layer'];
  readonly configPath: string | undefined;
}

function levelsIn(node: ExplainNode, layer: Layer | undefined): readonly LookupLevel[] {
  return node.branches.flatMap((branch) => {
    const { label } = branch;
    if (label.kind === 'interpolation' || label.kind === 'sub-key' || label.kind === 'segment') return [];
    if (label.kind !== 'data-provider') return levelsIn(branch, layer);
    if (label.entry === undefined) return levelsIn(branch, layerOf(label.name, label.configPath));
    return layer === undefined ? [] : entryLevels(branch, { ...layer, entry: label.entry });
  });
}

/** Layers are named as the reference names them: `Module "ntp" Data Provider (...)`. */
function layerOf(name: string, configPath: string | undefined): Layer {
  const [word = ''] = name.split(' ');
  const layer = word === 'Global' ? 'global' : word === 'Environment' ? 'environment' : 'module';
  return { layer, configPath };
}

function entryLevels(node: ExplainNode, entry: Layer & Pick<LookupLevel, 'entry'>): readonly LookupLevel[] {
  const locations = locationsIn(node);
  if (locations.length === 0) return [levelOf(node, { ...entry, location: undefined })];
  return locations.map((each) => {
    const { label } = each;
    const location =
      label.kind === 'location'
        ? { kind: label.type, original: label.original, resolved: label.resolved }
        : undefined;
    return levelOf(each, { ...entry, location });
  });
}

/** Entries with several locations have a merge between. */
function locationsIn(node: ExplainNode): readonly ExplainNode[] {
  return node.branches.flatMap((branch) => {
    if (branch.label.kind === 'location') return [branch];
    return branch.label.kind === 'merge' ? locationsIn(branch) : [];
  });
}

function levelOf(node: ExplainNode, place: Layer & Pick<LookupLevel, 'entry' | 'location'>): LookupLevel {
  const outcome = outcomeIn(node);
  const uses = node.branches.flatMap(({ label }) =>
    label.kind === 'interpolation' ? [label.expression] : [],
  );
  if (outcome?.kind === 'found') return { ...place, result: 'found', value: outcome.value, uses };
  const result = outcome?.kind === 'location-not-found' ? 'no-file' : 'not-found';
  return { ...place, result, value: undefined, uses };
}

/** An entry without a location has its outcome below a merge of one. */
function outcomeIn(node: ExplainNode): ExplainNode['outcome'] {
  if (node.outcome !== undefined) return node.outcome;
  return node.branches
    .filter(({ label }) => label.kind === 'merge')
    .map(outcomeIn)
    .find((each) => each !== undefined);
}

/** Of the outermost place where several values were merged. */
function strategyIn(node: ExplainNode): string | undefined {
  for (const branch of node.branches) {
    const { label } = branch;
    if (label.kind === 'interpolation') continue;
    if (label.kind === 'merge' && label.strategy !== 'default' && label.strategy !== 'first')
      return label.strategy;
    const inner = strategyIn(branch);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
