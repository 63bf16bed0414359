/** A corpus of nodes with their facts and the environments that they are compiled from. */

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ResourceRecord } from '../../src/language/catalog/index.ts';
import type { Environment, LanguageSettings, ParseCache } from '../../src/language/environment/index.ts';
import {
  type ClassifiedNode,
  type ExactJson as FactValue,
  parseExactJson as parseFacts,
} from '../../src/language/evaluator/index.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { type ExactJson, parseExactJson } from '../support/exact-json.ts';
import { openEnvironment } from '../support/open-environment.ts';
import { factsOfAgent, type RecordedLevel, recordedLevel } from '../support/recorded-levels.ts';
import { withRestoredLinks } from '../support/restored-links.ts';

type Query = FactValue;
type FactValues = Readonly<Record<string, FactValue>>;

export interface FleetNode {
  readonly certname: string;
  readonly facts: string;
  readonly environment?: string;
  readonly extensions?: Readonly<Record<string, string>>;
  readonly external?: JsonObject;
  readonly enc?: {
    readonly classes?: readonly string[] | Readonly<Record<string, JsonObject | null>>;
    readonly parameters?: JsonObject;
    readonly environment?: string;
  };
  readonly check_environment?: boolean;
  readonly fails?: boolean;
}

/** Which facts and settings another level is compared with: see the README of the recorded fleet. */
export type FleetVariant = 'own' | 'with-legacy-facts' | 'with-settings';

export interface FleetOptions {
  /** Where parsed trees are kept; one that all fleets share when absent. */
  readonly cache?: ParseCache;
  /** Which Ruby runs code of modules, as servers have the setting; `auto` when absent. */
  readonly ruby?: string;
  /** Puppet 7's when absent. */
  readonly recorded?: RecordedLevel;
  /** Of levels after 7; `own` when absent. */
  readonly variant?: FleetVariant;
}

interface NodesFile {
  readonly settings?: { readonly strict?: LanguageSettings['strict']; readonly strict_variables?: boolean };
  readonly nodes: readonly FleetNode[];
}

/** With what queries ask for. */
interface ExportedResource extends ResourceRecord {
  readonly exported: boolean;
  readonly tags: readonly string[];
}

export class Fleet {
  readonly directory: string;
  /** Below it are the environments: `directory`, or a copy of them. */
  readonly codeDirectory: string;
  readonly nodes: readonly FleetNode[];
  /** Which Ruby runs code of modules, as servers have the setting. */
  readonly ruby: string;
  readonly recorded: RecordedLevel;
  /** Whether agents send legacy facts, and the versions of theirs. */
  private readonly factsOf: <T>(facts: Readonly<Record<string, T>>) => Readonly<Record<string, T | string>>;
  /** Where the catalogs are, those that count first. */
  private readonly catalogDirectories: readonly string[];
  private readonly settings: LanguageSettings;
  private readonly environments = new Map<string, Environment>();
  private readonly exported: readonly ExportedResource[];
  private readonly cache: ParseCache | undefined;

  constructor(directory: string, options: FleetOptions = {}) {
    const { cache, ruby = 'auto', recorded = recordedLevel('7'), variant = 'own' } = options;
    const { level } = recorded;
    this.cache = cache;
    this.ruby = ruby;
    this.recorded = recorded;
    this.directory = realpathSync(directory);
    this.codeDirectory = withRestoredLinks(this.directory);
    const file = readJson<NodesFile>(path.join(directory, 'nodes.json'));
    this.nodes = file.nodes;
    const isLevel7 = level.number === 7;
    const sendsLegacyFacts = isLevel7 || variant === 'with-legacy-facts';
    this.factsOf = sendsLegacyFacts ? (facts) => facts : (facts) => factsOfAgent(facts, recorded);
    this.catalogDirectories = [...(isLevel7 ? [] : [ownCatalogs(this.directory, variant)]), 'catalogs'];
    const settings = isLevel7 || variant === 'with-settings' ? file.settings : {};
    this.settings = {
      level,
      strict: settings?.strict ?? level.strict,
      strictVariables: settings?.strict_variables ?? level.strictVariables,
      richData: true,
      disableWarnings: [],
      visible: { environmentpath: path.join(this.codeDirectory, 'environments'), storeconfigs: true },
    };
    const store = path.join(directory, 'exported.json');
    this.exported = existsSync(store)
      ? readJson<{ resources: readonly ExportedResource[] }>(store).resources
      : [];
  }

  environment(name: string): Environment {
    let environment = this.environments.get(name);
    if (environment === undefined) {
      const directory = path.join(this.codeDirectory, 'environments', name);
      const options = { directory, name, settings: this.settings, corpus: this.directory };
      const { cache } = this;
      environment = openEnvironment(cache === undefined ? options : { ...options, cache });
      this.environments.set(name, environment);
    }
    return environment;
  }

  facts(node: FleetNode): FactValues {
    return this.factsOf(readFacts(path.join(this.directory, node.facts)));
  }

  classified(node: FleetNode): ClassifiedNode {
    const classes = node.enc?.classes ?? {};
    return {
      classes: isList(classes) ? Object.fromEntries(classes.map((name) => [name, null])) : classes,
      parameters: node.enc?.parameters ?? {},
    };
  }

  /** Answers the queries that collectors make, in the order of the recordings. */
  exportedResources(query: Query): readonly ResourceRecord[] {
    return this.exported.filter((record) => isMatch(query, record));
  }

  /** `undefined` when nothing was recorded for the node. */
  expected(node: FleetNode): ExactJson | undefined {
    for (const directory of this.catalogDirectories) {
      const file = path.join(this.directory, directory, `${node.certname}.json`);
      if (existsSync(file)) return parseExactJson(readFileSync(file, 'utf8'));
      if (existsSync(`${file}.gz`))
        return parseExactJson(gunzipSync(readFileSync(`${file}.gz`)).toString('utf8'));
    }
    return undefined;
  }
}

/** Numbers as the agent wrote them: `4096.0` is a Float. */
function readFacts(file: string): FactValues {
  return (parseFacts(readFileSync(file, 'utf8')) as { readonly values: FactValues }).values;
}

/** @throws Error when nothing was recorded: a directory that is missing must not look like one without differences */
function ownCatalogs(fleet: string, variant: FleetVariant): string {
  const directory = path.join('openvox8', variant === 'own' ? '' : variant, 'catalogs');
  if (!existsSync(path.join(fleet, directory))) throw new Error(`${fleet} has no ${directory}`);
  return directory;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

function isList<T>(value: readonly T[] | object): value is readonly T[] {
  return Array.isArray(value);
}

function isMatch(query: Query, record: ExportedResource): boolean {
  if (!Array.isArray(query)) throw new Error(`not a query: ${JSON.stringify(query)}`);
  const [operator, ...operands] = query as readonly Query[];
  switch (operator) {
    case 'and':
      return operands.every((operand) => isMatch(operand, record));
    case 'or':
      return operands.some((operand) => isMatch(operand, record));
    case 'not':
      return operands[0] !== undefined && !isMatch(operands[0], record);
    case '=':
      return isEqual(operands[0] ?? null, operands[1] ?? null, record);
    default:
      throw new Error(`unsupported query operator ${String(operator)}`);
  }
}

function isEqual(field: Query, value: Query, record: ExportedResource): boolean {
  if (field === 'tag') return record.tags.includes(String(value));
  if (Array.isArray(field)) {
    const actual = record.parameters[String((field as readonly Query[])[1])];
    return JSON.stringify(actual) === JSON.stringify(value);
  }
  return (record as unknown as JsonObject)[String(field)] === value;
}
