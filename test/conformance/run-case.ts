/** Runs one snippet and puts what it gives into the form of the recordings. */

import path from 'node:path';
import { type Catalog, renderCatalog, renderValue } from '../../src/language/catalog/index.ts';
import type { LanguageSettings } from '../../src/language/environment/index.ts';
import { compileCatalog } from '../../src/language/evaluator/index.ts';
import {
  IteratorValue,
  inferDetailed,
  isText,
  textWithBytes,
  type Value,
} from '../../src/language/pcore/index.ts';
import type { ErbTemplates } from '../../src/language/ruby/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import type { Json } from '../../src/lib/json.ts';
import { type ExactJson, isList, isObject, mapStrings, parseExactJson } from '../support/exact-json.ts';
import { openEnvironment } from '../support/open-environment.ts';
import { outside } from '../support/outside.ts';
import { factsOfAgent, type RecordedLevel, recordedServerFacts } from '../support/recorded-levels.ts';
import { endRuby, rubyOf, sharedRubyOf } from '../support/ruby.ts';

export interface ConformanceCase {
  readonly id: string;
  readonly family?: string;
  readonly code: string;
  readonly settings?: { readonly strict?: LanguageSettings['strict']; readonly strict_variables?: boolean };
  readonly node?: string;
  readonly facts?: { readonly [name: string]: Json };
  readonly trusted_extensions?: Readonly<Record<string, string>>;
  readonly classes?:
    | readonly string[]
    | { readonly [name: string]: { readonly [name: string]: Json } | null };
  readonly parameters?: { readonly [name: string]: Json };
  readonly expect: ExactJson;
}

export interface Corpus {
  readonly directory: string;
  readonly facts: { readonly [name: string]: Json };
  readonly recorded: RecordedLevel;
  /** Who renders templates without Ruby; absent, Ruby renders them all. */
  readonly erb?: ErbTemplates;
  /** Whether each case starts a new Ruby, in which nothing is loaded yet and no warning was given. False when absent. */
  readonly hasRubyForEachCase?: boolean;
}

type Logs = (readonly [level: string, message: string])[];

/** Bugs are thrown; mistakes in the snippet are results. */
export function runCase(corpus: Corpus, test: ConformanceCase): ExactJson {
  const logs: Logs = [];
  const result = compileSnippet(corpus, test, logs);
  const quiet = new Set(['debug', 'info', 'err']);
  const kept = logs.filter(([level]) => !quiet.has(level));
  const prefix = `${corpus.directory}/environment/`;
  const whole: ExactJson = { ...result, ...(kept.length === 0 ? {} : { logs: kept.map(([...log]) => log) }) };
  return mapStrings(whole, (text) => text.replaceAll(prefix, 'production/'));
}

type JsonObject = { readonly [key: string]: ExactJson };

function compileSnippet(corpus: Corpus, test: ConformanceCase, logs: Logs): JsonObject {
  const certname = test.node ?? 'test.example.com';
  const { classes = {} } = test;
  const { level, version } = corpus.recorded;
  const strict = test.settings?.strict ?? level.strict;
  const environment = openEnvironment({
    directory: path.join(corpus.directory, 'environment'),
    name: 'production',
    code: test.code,
    corpus: corpus.directory,
    settings: {
      level,
      strict,
      strictVariables: test.settings?.strict_variables ?? level.strictVariables,
      richData: true,
      disableWarnings: [],
      visible: { strict },
    },
  });
  try {
    const { catalog, lastValue } = compileCatalog({
      certname,
      environment,
      facts: {
        ...factsOfAgent(corpus.facts, corpus.recorded),
        clientcert: certname,
        clientversion: version,
        clientnoop: false,
        ...test.facts,
      },
      trusted: {
        authenticated: 'remote',
        certname,
        extensions: { pp_role: 'tester', '1.2.3.4': 'custom', ...test.trusted_extensions },
        external: {},
      },
      serverFacts: recordedServerFacts(corpus.recorded),
      node: {
        classes: isNames(classes) ? Object.fromEntries(classes.map((name) => [name, null])) : classes,
        parameters: test.parameters ?? {},
      },
      termini: {
        outside,
        ruby: corpus.hasRubyForEachCase === true ? rubyOf(environment) : sharedRubyOf(environment),
        ...(corpus.erb === undefined ? {} : { erb: corpus.erb }),
      },
      log: (level, message) => logs.push([level, message]),
    });
    const warn = (message: string): void => {
      if (strict === 'error') {
        throw new PuppetError({ code: 'argument_error', severity: 'error', message });
      }
      logs.push(['warning', message]);
    };
    return { ...describeValue(lastValue, warn), ...describeCatalog(catalog) };
  } catch (error) {
    if (error instanceof PuppetError) return { error: describeError(error) };
    throw error;
  } finally {
    endRuby(environment);
  }
}

function isNames(classes: NonNullable<ConformanceCase['classes']>): classes is readonly string[] {
  return Array.isArray(classes);
}

function describeError(error: PuppetError): ExactJson {
  const full = error.message.replace(/(#<[A-Za-z_:]+):0x[0-9a-f]+/g, '$1');
  const message = full.replace(/ on node \S+$/, '');
  const match = /\s*\((?:file: ([^,)]*), )?line: (\d+)(?:, column: (\d+))?\)$/.exec(message);
  if (match === null) return { full, message };
  const [, file, line, column] = match;
  return parseExactJson(
    JSON.stringify({
      full,
      message: message.slice(0, match.index),
      ...(file === undefined ? {} : { file }),
      line: Number(line),
      ...(column === undefined ? {} : { column: Number(column) }),
    }),
  );
}

function describeValue(value: Value, warn: (message: string) => void): JsonObject {
  const type = attempt(() => inferDetailed(value).toString());
  const data =
    value instanceof IteratorValue ? undefined : attempt(() => parseExactJson(renderValue(value, warn)));
  const text = isText(value) ? undefined : attempt(() => textWithBytes(value));
  return {
    ...(data === undefined ? {} : { value: data }),
    // The recordings leave out bytes that are no ASCII.
    ...(typeof text === 'string' ? { string: text } : {}),
    ...(type === undefined ? {} : { type }),
  };
}

/** The recordings leave out what Puppet could not say of a value. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof PuppetError) return undefined;
    throw error;
  }
}

const BORING: ReadonlySet<string> = new Set(['Stage[main]', 'Class[main]', 'Class[Settings]']);
const BORING_EDGES: ReadonlySet<string> = new Set([
  'Stage[main] -> Class[Settings]',
  'Stage[main] -> Class[main]',
]);

function describeCatalog(catalog: Catalog): JsonObject {
  const json = parseExactJson(renderCatalog(catalog, 'application/vnd.puppet.rich+json'));
  const whole = isObject(json) ? json : {};
  const resources = listOf(whole['resources']);
  const interesting = resources.filter((resource) => !BORING.has(referenceOf(resource)));
  const mainTags = listOf(resources.find((resource) => referenceOf(resource) === 'Class[main]')?.['tags'])
    .map(String)
    .toSorted();
  const classes = (isList(whole['classes']) ? whole['classes'] : []).filter((name) => name !== 'settings');
  return {
    ...(mainTags.join() === 'class' ? {} : { main_tags: mainTags }),
    ...(classes.length === 0 ? {} : { classes }),
    ...(interesting.length === 0
      ? {}
      : { resources: interesting.map(describeResource), edges: describeEdges(whole['edges']) }),
  };
}

function listOf(json: ExactJson | undefined): readonly JsonObject[] {
  return isList(json) ? (json as readonly JsonObject[]) : [];
}

function referenceOf(resource: JsonObject): string {
  return `${String(resource['type'])}[${String(resource['title'])}]`;
}

function describeResource(resource: JsonObject): ExactJson {
  const {
    type = null,
    title = null,
    line,
    exported,
    parameters,
    sensitive_parameters: sensitive,
    tags,
  } = resource;
  return {
    type,
    title,
    ...(line === undefined ? {} : { line }),
    ...(exported === true ? { exported } : {}),
    ...(isObject(parameters) && Object.keys(parameters).length > 0 ? { parameters } : {}),
    ...(isList(sensitive) && sensitive.length > 0
      ? { sensitive_parameters: sensitive.map(String).toSorted() }
      : {}),
    tags: listOf(tags).map(String).toSorted(),
  };
}

function describeEdges(edges: ExactJson | undefined): ExactJson {
  return listOf(edges)
    .map(({ source, target }) => `${String(source)} -> ${String(target)}`)
    .filter((edge) => !BORING_EDGES.has(edge))
    .toSorted();
}
