/** `hiera.yaml`: what may stand in it, and what it means. */

import { assertInstance, DEFAULT, isArray, PuppetHash, parseType, type Value } from '../pcore/index.ts';
import { configIssue, lineMatching, wordPattern } from './config-issue.ts';
import { CONFIG_TYPE_4, CONFIG_TYPE_5 } from './config-types.ts';
import type { LookupError } from './lookup-error.ts';

export type LayerKind = 'global' | 'environment' | 'module';

export type FunctionKind = 'data_hash' | 'lookup_key' | 'data_dig' | 'hiera3_backend';

/** Where the data of an entry is, before interpolation. */
export type LocationSpec =
  | { readonly kind: 'globs' | 'uris'; readonly patterns: readonly string[] }
  | {
      readonly kind: 'paths';
      readonly patterns: readonly string[];
      /** What paths end with, whether or not it is written. */
      readonly extension?: string;
    }
  | { readonly kind: 'mapped'; readonly variable: string; readonly key: string; readonly template: string };

export interface HierarchyEntry {
  readonly name: string;
  readonly functionKind: FunctionKind;
  readonly functionName: string;
  /** Before interpolation, relative to the directory of `hiera.yaml`. */
  readonly datadir: string;
  /** `undefined`: the function is called once, without a location. */
  readonly locations: LocationSpec | undefined;
  /** Before interpolation. */
  readonly options: PuppetHash;
}

export interface HierarchyConfig {
  readonly version: number;
  /** `undefined` for the built-in defaults, which skip files that do not exist. */
  readonly path: string | undefined;
  /** The directory that paths are relative to. */
  readonly root: string;
  readonly text: string;
  readonly hierarchy: readonly HierarchyEntry[];
  /** Only in modules. */
  readonly defaultHierarchy: readonly HierarchyEntry[] | undefined;
  /** What is wrong with a hierarchy as a whole: said when something is looked up in it, not before. */
  readonly mistakes: HierarchyMistakes;
}

interface HierarchyMistakes {
  readonly hierarchy?: LookupError | undefined;
  readonly default?: LookupError | undefined;
}

const FUNCTION_KEYS = ['data_hash', 'lookup_key', 'data_dig', 'hiera3_backend'] as const;
const LOCATION_KEYS = ['path', 'paths', 'glob', 'globs', 'uri', 'uris', 'mapped_paths'] as const;
/** Of version 4. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['yaml', '.yaml'],
  ['json', '.json'],
  ['hocon', '.conf'],
]);

/** The function that gives the classifier's configuration data, in the place that `hiera.yaml` names. */
export const CLASSIFIER_DATA = 'classifier_data';

/** As Puppet Enterprise's own global `hiera.yaml` has it. */
const CLASSIFIER_ENTRY: HierarchyEntry = {
  name: 'Classifier Configuration Data',
  functionKind: 'data_hash',
  functionName: CLASSIFIER_DATA,
  datadir: 'data',
  locations: undefined,
  options: new PuppetHash(),
};

/** The global layer without a `hiera.yaml`, for a node whose groups have configuration data. */
export function defaultConfigWithClassifier(root: string): HierarchyConfig {
  const config = defaultConfig(root);
  return { ...config, hierarchy: [CLASSIFIER_ENTRY, ...config.hierarchy] };
}

/** The hierarchy without a `hiera.yaml`. */
export function defaultConfig(root: string): HierarchyConfig {
  return {
    version: 5,
    path: undefined,
    root,
    text: '',
    hierarchy: [
      {
        name: 'Common',
        functionKind: 'data_hash',
        functionName: 'yaml_data',
        datadir: 'data',
        locations: { kind: 'paths', patterns: ['common.yaml'] },
        options: new PuppetHash(),
      },
    ],
    defaultHierarchy: undefined,
    mistakes: {},
  };
}

/** What a configuration was read from. */
export interface ConfigSource {
  readonly path: string;
  readonly root: string;
  readonly text: string;
  readonly layer: LayerKind;
  /** What messages call the implementation, as the level says; `Puppet` when absent. */
  readonly product?: string;
}

/** The version that a configuration says it has; 3 when it does not say. */
export function configVersion(config: PuppetHash): number {
  const version = config.get('version') ?? null;
  if (version === null) return 3;
  return Math.trunc(Number(typeof version === 'string' ? Number.parseInt(version, 10) || 0 : version)) || 0;
}

/**
 * Checks a configuration of version 4 or 5.
 *
 * @throws PuppetError for a wrong structure, LookupError for entries that contradict themselves
 */
export function decodeConfig(config: PuppetHash, source: ConfigSource): HierarchyConfig {
  const reader = new ConfigReader(source);
  return configVersion(config) === 4 ? reader.version4(config) : reader.version5(config);
}

/** A key with nothing after it, as in the template of a control repository, is as good as none. */
function withoutEmpty(config: PuppetHash, keys: readonly string[]): PuppetHash {
  const filled = new PuppetHash(config);
  for (const key of keys) {
    const value = filled.get(key);
    if (value === null || value === false) filled.delete(key);
  }
  return filled;
}

class ConfigReader {
  private readonly source: ConfigSource;

  constructor(source: ConfigSource) {
    this.source = source;
  }

  private get product(): string {
    return this.source.product ?? 'Puppet';
  }

  version5(written: PuppetHash): HierarchyConfig {
    const config = withoutEmpty(written, ['defaults', 'hierarchy']);
    this.assertStructure(CONFIG_TYPE_5, config);
    const defaults =
      asHash(config.get('defaults')) ??
      new PuppetHash([
        ['datadir', 'data'],
        ['data_hash', 'yaml_data'],
      ]);
    this.checkDefaults(defaults);
    const { path, root, text } = this.source;
    const given = config.get('hierarchy');
    const hierarchy =
      given === undefined
        ? defaultConfig(root).hierarchy.map((entry) => this.withDefaults(entry, defaults))
        : this.entries(given, defaults);
    // Plans have one of their own, which is only checked.
    this.entries(config.get('plan_hierarchy'), defaults);
    const defaultHierarchy = this.defaultHierarchy(config, defaults);
    const mistakes = {
      hierarchy: this.duplicateIn(hierarchy),
      default: this.duplicateIn(defaultHierarchy ?? []),
    };
    return { version: 5, path, root, text, hierarchy, defaultHierarchy, mistakes };
  }

  version4(written: PuppetHash): HierarchyConfig {
    const { path, root, text } = this.source;
    const config = withoutEmpty(written, ['datadir', 'hierarchy']);
    this.assertStructure(CONFIG_TYPE_4, config);
    const datadir = textOf(config.get('datadir')) ?? 'data';
    const given = config.get('hierarchy');
    const items = isList(given)
      ? given
      : [
          new PuppetHash([
            ['name', 'common'],
            ['backend', 'yaml'],
          ]),
        ];
    const hierarchy: HierarchyEntry[] = [];
    let mistake: LookupError | undefined;
    for (const item of items) {
      if (!(item instanceof PuppetHash)) continue;
      const entry = this.entry4(item, datadir);
      hierarchy.push(entry);
      mistake ??= this.duplicateIn(hierarchy) ?? this.unknownBackend(entry);
    }
    const mistakes = { hierarchy: mistake };
    return { version: 4, path, root, text, hierarchy, defaultHierarchy: undefined, mistakes };
  }

  private unknownBackend({ functionName }: HierarchyEntry): LookupError | undefined {
    const backend = functionName.replace(/_data$/, '');
    if (EXTENSIONS.has(backend)) return undefined;
    return this.issue(
      'hiera_no_provider_for_backend',
      `No data provider is registered for backend '${backend}'`,
      lineMatching(this.source.text, wordPattern('[^\\w]', backend)),
    );
  }

  private entry4(item: PuppetHash, defaultDatadir: string): HierarchyEntry {
    const name = textOf(item.get('name')) ?? '';
    const backend = textOf(item.get('backend')) ?? '';
    const paths = textsOf(item.get('paths')) ?? [textOf(item.get('path')) ?? name];
    return {
      name,
      functionKind: 'data_hash',
      functionName: `${backend}_data`,
      datadir: textOf(item.get('datadir')) ?? defaultDatadir,
      locations: { kind: 'paths', patterns: paths, extension: EXTENSIONS.get(backend) ?? '' },
      options: new PuppetHash(),
    };
  }

  private assertStructure(type: string, config: PuppetHash): void {
    assertInstance(`The Lookup Configuration at '${this.source.path}'`, parseType(type), config);
  }

  private entries(list: Value | undefined, defaults: PuppetHash): readonly HierarchyEntry[] {
    return (isList(list) ? list : []).flatMap((item) =>
      item instanceof PuppetHash ? [this.entry(item, defaults)] : [],
    );
  }

  private withDefaults(entry: HierarchyEntry, defaults: PuppetHash): HierarchyEntry {
    const item = new PuppetHash([
      ['name', entry.name],
      ['path', 'common.yaml'],
    ]);
    return this.entry(item, defaults);
  }

  private entry(item: PuppetHash, defaults: PuppetHash): HierarchyEntry {
    const name = textOf(item.get('name')) ?? '';
    this.checkEntry(item, name, defaults);
    const own = FUNCTION_KEYS.find((key) => item.has(key));
    const functionKind = own ?? FUNCTION_KEYS.find((key) => defaults.has(key)) ?? 'data_hash';
    return {
      name,
      functionKind,
      functionName: textOf((own === undefined ? defaults : item).get(functionKind)) ?? '',
      datadir: textOf(item.get('datadir')) ?? textOf(defaults.get('datadir')) ?? 'data',
      locations: locationsOf(item),
      options: asHash(item.get('options')) ?? asHash(defaults.get('options')) ?? new PuppetHash(),
    };
  }

  private checkEntry(item: PuppetHash, name: string, defaults: PuppetHash): void {
    const functions = FUNCTION_KEYS.filter((key) => item.has(key)).length;
    if (functions === 0 && !FUNCTION_KEYS.some((key) => defaults.has(key))) {
      throw this.issue(
        'hiera_missing_data_provider_function',
        `One of ${combine(FUNCTION_KEYS)} must be defined in hierarchy '${name}'`,
      );
    }
    if (functions > 1) {
      throw this.issue(
        'hiera_multiple_data_provider_functions',
        `Only one of ${combine(FUNCTION_KEYS)} can be defined in hierarchy '${name}'`,
      );
    }
    this.checkBackend(item);
    if (LOCATION_KEYS.filter((key) => item.has(key)).length > 1) {
      throw this.issue(
        'hiera_multiple_location_specs',
        `Only one of ${combine(LOCATION_KEYS)} can be defined in hierarchy '${name}'`,
      );
    }
    const reserved = reservedOption(item);
    if (reserved !== undefined) {
      throw this.issue(
        'hiera_option_reserved_by_puppet',
        `Option key '${reserved}' used in hierarchy '${name}' is reserved by ${this.product}`,
      );
    }
  }

  private checkBackend(item: PuppetHash): void {
    const backend = textOf(item.get('hiera3_backend'));
    if (backend === undefined) return;
    const { text, layer } = this.source;
    if (layer !== 'global') {
      const line = lineMatching(text, /\s+hiera3_backend:/);
      throw this.issue(
        'hiera_v3_backend_not_global',
        "'hiera3_backend' is only allowed in the global layer",
        line,
      );
    }
    if (backend === 'json' || backend === 'yaml' || backend === 'hocon') {
      throw this.issue(
        'hiera_v3_backend_replaced_by_data_hash',
        `Use "data_hash: ${backend}_data" instead of "hiera3_backend: ${backend}"`,
        lineMatching(text, wordPattern('\\s+hiera3_backend:\\s*[\'"]?', backend)),
      );
    }
  }

  private checkDefaults(defaults: PuppetHash): void {
    if (FUNCTION_KEYS.filter((key) => defaults.has(key)).length > 1) {
      throw this.issue(
        'hiera_multiple_data_provider_functions_in_default',
        `Only one of ${combine(FUNCTION_KEYS)} can be defined in defaults`,
      );
    }
    const reserved = reservedOption(defaults);
    if (reserved !== undefined) {
      throw this.issue(
        'hiera_default_option_reserved_by_puppet',
        `Option key '${reserved}' used in defaults is reserved by ${this.product}`,
      );
    }
  }

  private defaultHierarchy(config: PuppetHash, defaults: PuppetHash): readonly HierarchyEntry[] | undefined {
    if (!config.has('default_hierarchy')) return undefined;
    if (this.source.layer !== 'module') {
      throw this.issue(
        'hiera_default_hierarchy_not_in_module',
        "'default_hierarchy' is only allowed in the module layer",
        lineMatching(this.source.text, /(?:^|\s+)default_hierarchy:/),
      );
    }
    return this.entries(config.get('default_hierarchy'), defaults);
  }

  private duplicateIn(entries: readonly HierarchyEntry[]): LookupError | undefined {
    const seen = new Set<string>();
    for (const { name } of entries) {
      if (seen.has(name)) return this.duplicateName(name);
      seen.add(name);
    }
    return undefined;
  }

  private duplicateName(name: string): LookupError {
    const pattern = wordPattern('\\s+name:\\s+[\'"]?', name);
    const first = lineMatching(this.source.text, pattern);
    const second = first === undefined ? undefined : lineMatching(this.source.text, pattern, first + 1);
    const where = first === undefined || second === undefined ? '' : ` First defined at (line: ${first})`;
    return this.issue(
      'hiera_hierarchy_name_multiply_defined',
      `Hierarchy name '${name}' defined more than once.${where}`,
      second ?? first,
    );
  }

  private issue(issue: string, message: string, line?: number): LookupError {
    return configIssue(this.source, issue, message, line);
  }
}

function locationsOf(item: PuppetHash): LocationSpec | undefined {
  const [variable, key, template] = textsOf(item.get('mapped_paths')) ?? [];
  if (variable !== undefined && key !== undefined && template !== undefined) {
    return { kind: 'mapped', variable, key, template };
  }
  for (const kind of ['path', 'glob', 'uri'] as const) {
    const single = textOf(item.get(kind));
    const patterns = single === undefined ? textsOf(item.get(`${kind}s`)) : [single];
    if (patterns !== undefined) return { kind: `${kind}s`, patterns };
  }
  return undefined;
}

function reservedOption(item: PuppetHash): string | undefined {
  const options = asHash(item.get('options'));
  return ['path', 'uri'].find((key) => options?.has(key) === true);
}

/** `a, b, or c`, as the reference lists alternatives. */
function combine(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1) ?? ''}`;
}

function asHash(value: Value | undefined): PuppetHash | undefined {
  return value instanceof PuppetHash ? value : undefined;
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsOf(value: Value | undefined): readonly string[] | undefined {
  return isList(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function isList(value: Value | undefined): value is readonly Value[] {
  return value !== undefined && value !== DEFAULT && isArray(value);
}
