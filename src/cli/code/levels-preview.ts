/** What a higher language level would change for the nodes of an environment: each is compiled at both. */

import { compareCatalogs } from '../../language/catalog/index.ts';
import type { LanguageSettings } from '../../language/environment/index.ts';
import type { LevelNumber } from '../../language/levels/index.ts';
import { isRawNumber } from '../../lib/raw-json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { languageSettings } from '../../server/compiler/language-settings.ts';
import type { OfflineCompiler, OfflineNode } from '../../server/compiler/offline-compile.ts';
import type { CompileLogLine } from '../../services/compiler/index.ts';
import { readCatalog } from '../language/catalog-comparison.ts';
import { adviceFor, type Place, splitMessage } from './level-advice.ts';

/** `breaks`: the catalog no longer compiles. `warns`: a warning that is an error once `strict` has the level's default. */
export type FindingKind = 'breaks' | 'warns' | 'changes' | 'mends';

export interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
  readonly place: Place;
  readonly advice: string | undefined;
  readonly nodes: readonly string[];
}

export interface LevelsPreview {
  readonly from: LevelNumber;
  readonly to: LevelNumber;
  readonly nodes: number;
  /** Nodes whose catalogs are the same at both levels. */
  readonly same: number;
  /** Nodes whose catalogs do not compile today either, for the same reason. */
  readonly failing: readonly string[];
  /** Those that concern most nodes first. */
  readonly findings: readonly Finding[];
}

interface PreviewOptions {
  readonly compiler: OfflineCompiler;
  readonly settings: Settings;
  readonly from: LevelNumber;
  readonly to: LevelNumber;
  /** What is known of a node; `undefined` when that is nothing. */
  readonly load: (certname: string) => Promise<OfflineNode | undefined>;
  /** How many nodes are examined at a time. */
  readonly concurrency: number;
}

export async function previewLevels(
  certnames: readonly string[],
  options: PreviewOptions,
): Promise<LevelsPreview> {
  const { concurrency, from, load, to } = options;
  const found = new Findings();
  const failing: string[] = [];
  const waiting = certnames.values();
  let nodes = 0;
  let same = 0;
  const examineWaiting = async (): Promise<void> => {
    for (const certname of waiting) {
      const node = await load(certname);
      if (node === undefined) continue;
      nodes += 1;
      const outcome = await examine(node, options, found);
      if (outcome === 'same') same += 1;
      if (outcome === 'failing') failing.push(certname);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, examineWaiting));
  return { from, to, nodes, same, failing: failing.toSorted(), findings: found.all() };
}

interface Attempt {
  /** JSON; `undefined` when it does not compile. */
  readonly catalog: string | undefined;
  readonly error: string | undefined;
  readonly warnings: readonly string[];
}

async function examine(
  node: OfflineNode,
  { compiler, from, settings, to }: PreviewOptions,
  found: Findings,
): Promise<'same' | 'failing' | 'different'> {
  const { certname } = node;
  const today = await attempt(compiler, node, at(compiler, settings, from));
  const next = at(compiler, settings, to);
  const tomorrow = await attempt(compiler, node, next);
  if (today.error !== undefined && textOf(today.error) === textOf(tomorrow.error ?? '')) return 'failing';
  let isSame = true;
  const note = (kind: FindingKind, text: string, place?: Place): void => {
    isSame = false;
    found.note(kind, text, certname, place);
  };
  if (tomorrow.error !== undefined) {
    note('breaks', tomorrow.error);
    // An error ends the compile: what else there is to mend shows where it is only warned of.
    const lenient = await attempt(compiler, node, { ...next, ...LENIENT });
    const why = textOf(tomorrow.error);
    for (const warning of lenient.warnings) if (!why.endsWith(textOf(warning))) note('warns', warning);
    if (lenient.error !== undefined) note('breaks', lenient.error);
  } else {
    for (const warning of tomorrow.warnings) if (!today.warnings.includes(warning)) note('warns', warning);
  }
  if (today.error !== undefined) note('mends', today.error);
  else if (tomorrow.catalog !== undefined)
    for (const { place, text } of changesBetween(today.catalog ?? '', tomorrow.catalog))
      note('changes', text, place);
  return isSame ? 'same' : 'different';
}

const LENIENT = { strict: 'warning', strictVariables: false } as const;

function at({ usual }: OfflineCompiler, settings: Settings, number: LevelNumber): LanguageSettings {
  const { richData, visible } = usual;
  const language = languageSettings(settings, number);
  return {
    ...language,
    richData,
    visible: { ...visible, strict: language.strict, strict_variables: language.strictVariables },
  };
}

async function attempt(
  compiler: OfflineCompiler,
  node: OfflineNode,
  language: LanguageSettings,
): Promise<Attempt> {
  try {
    const { catalog, logs } = await compiler.compile(node, language);
    return {
      catalog: Buffer.from(catalog).toString('utf8'),
      error: undefined,
      warnings: warningsOf(logs),
    };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'compile-failed') throw error;
    const logs = (error.details['logs'] ?? []) as readonly CompileLogLine[];
    return { catalog: undefined, error: error.message, warnings: warningsOf(logs) };
  }
}

function warningsOf(logs: readonly CompileLogLine[]): readonly string[] {
  return [...new Set(logs.filter(({ level }) => level === 'warning').map(({ message }) => message))];
}

function textOf(error: string): string {
  return splitMessage(error).message;
}

/** One line for each resource: what its parameters become, and where it is declared. */
function changesBetween(before: string, after: string) {
  const [old, fresh] = [readCatalog(before), readCatalog(after)];
  const { classes, resources } = compareCatalogs(old, fresh, { comparesOrigins: false });
  const placeOf = (reference: string): Place => {
    const { file, line } = (fresh.resources.get(reference) ?? old.resources.get(reference))?.origin ?? {};
    return {
      ...(typeof file === 'string' ? { file } : {}),
      ...(line === undefined ? {} : { line: Number(isRawNumber(line) ? line.rawJSON : line) }),
    };
  };
  return [
    ...classes.removed.map((name) => ({ text: `Class ${name} is gone`, place: {} })),
    ...classes.added.map((name) => ({ text: `Class ${name} is new`, place: {} })),
    ...resources.removed.map(({ reference }) => ({
      text: `${reference} is gone`,
      place: placeOf(reference),
    })),
    ...resources.added.map(({ reference }) => ({ text: `${reference} is new`, place: placeOf(reference) })),
    ...resources.changed.flatMap(({ changes, reference }) =>
      changes.map(({ name, before: was, after: is }) => ({
        text: `${reference}: ${name} was ${short(was)}, is ${short(is)}`,
        place: placeOf(reference),
      })),
    ),
  ];
}

const longestValue = 80;

function short(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
}

/** Found on many nodes, told once. */
class Findings {
  private readonly found = new Map<string, Omit<Finding, 'nodes'> & { readonly nodes: Set<string> }>();

  note(kind: FindingKind, text: string, certname: string, at?: Place): void {
    const { message, place } = at === undefined ? splitMessage(text) : { message: text, place: at };
    const key = JSON.stringify([kind, message, place]);
    const known = this.found.get(key);
    if (known === undefined)
      this.found.set(key, { kind, message, place, advice: adviceFor(text), nodes: new Set([certname]) });
    else known.nodes.add(certname);
  }

  all(): readonly Finding[] {
    return Array.from(this.found.values(), ({ nodes, ...finding }) => ({
      ...finding,
      nodes: [...nodes].toSorted(),
    })).toSorted(
      (a, b) =>
        KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
        b.nodes.length - a.nodes.length ||
        (a.message < b.message ? -1 : 1),
    );
  }
}

const KINDS: readonly FindingKind[] = ['breaks', 'warns', 'changes', 'mends'];

/** The level after a level. @returns `undefined` after the last one */
export function levelAfter(level: LevelNumber): LevelNumber | undefined {
  return ([7, 8, 9] as const).find((number) => number > level);
}
