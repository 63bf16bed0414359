/** Lookups: `lookup()`, automatic class parameters, and everything between them and the data. */

import type { Environment } from '../environment/index.ts';
import {
  assertInstance,
  isArray,
  PuppetHash,
  type PuppetType,
  stringify,
  type Value,
} from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';
import type { Explainer } from './explainer.ts';
import { HIERA_FILES, type HieraFiles } from './hiera-files.ts';
import { HieraLayers } from './hiera-layers.ts';
import { LookupError, plainError } from './lookup-error.ts';
import { LookupKey } from './lookup-key.ts';
import { checkLookupOptions, LookupOptions } from './lookup-options.ts';
import type { LookupInvocation, LookupRequest, LookupScope } from './lookup-request.ts';
import { LookupRun, type LookupStack } from './lookup-run.ts';
import { HASH_STRATEGY, lookupMerged, type MergeStrategy } from './merge-strategy.ts';

const OPTIONS = 'lookup_options';
const LAYERS = ['global', 'environment', 'module'] as const;
const GLOBAL_AND_ENVIRONMENT = 'Global and Environment';

/**
 * The lookups of one compile. What does not depend on the node (files, configurations) is shared by all compiles
 * of a version of the environment.
 */
export class HieraLookup {
  private readonly invocation: LookupInvocation;
  private readonly explainer: Explainer | undefined;
  private readonly strict: 'off' | 'warning' | 'error';
  private readonly layers: HieraLayers;
  private readonly files: HieraFiles;
  private readonly optionsKey = new LookupKey(OPTIONS);
  private readonly stack: LookupStack = { names: [], current: undefined };
  private readonly optionsByModule = new Map<string | undefined, LookupOptions | undefined>();
  private readonly defaultOptions = new Map<string, LookupOptions | undefined>();
  private globalOptions: { readonly hash: PuppetHash | undefined } | undefined;
  private environmentOptions: { readonly hash: PuppetHash | undefined } | undefined;

  /** @param earlier - lookups of the same compile: lookup options that they have found are not looked for again */
  constructor(environment: Environment, invocation: LookupInvocation, earlier?: HieraLookup) {
    this.invocation = invocation;
    this.explainer = invocation.explainer;
    this.strict = environment.config.settings.strict;
    this.files = environment.attached(HIERA_FILES);
    this.layers = new HieraLayers(environment, invocation, {
      methods: true,
      // A key that is not found gives nothing, not an error.
      lookup: (run, key) => this.lookupIn(run, { names: [key], defaultValue: '' }),
    });
    if (earlier === undefined) return;
    this.globalOptions = earlier.globalOptions;
    this.environmentOptions = earlier.environmentOptions;
    for (const [name, options] of earlier.optionsByModule) this.optionsByModule.set(name, options);
    for (const [name, options] of earlier.defaultOptions) this.defaultOptions.set(name, options);
  }

  /**
   * `lookup()`: the first name that is found, else what the request has for that case.
   *
   * @param scope - the variables that expressions see; those of the invocation when absent
   * @throws LookupError when nothing is found and there is no default; PuppetError for a value of a wrong type
   */
  lookup(request: LookupRequest, scope: LookupScope = this.invocation): Value {
    const isGlobalOnly =
      request.isHieraFunction === true && (this.layers.environmentProvider()?.config.version ?? 0) < 5;
    const run = this.run(scope, request, isGlobalOnly);
    return this.lookupIn(run, request);
  }

  /**
   * The value that data gives for a parameter of a class.
   *
   * @param className - lower case, without leading `::`
   * @returns `undefined` when there is none
   */
  lookupClassParameter(
    className: string,
    parameter: string,
    scope: LookupScope = this.invocation,
  ): Value | undefined {
    return this.search(`${className}::${parameter}`, this.run(scope, undefined, false), undefined);
  }

  private run(scope: LookupScope, request: LookupRequest | undefined, isGlobalOnly: boolean): LookupRun {
    const { current } = this.stack;
    return new LookupRun({
      invocation: this.invocation,
      scope,
      stack: this.stack,
      trace: current === undefined ? this.explainer : current.trace,
      isGlobalOnly: isGlobalOnly || current?.isGlobalOnly === true,
      strict: this.strict,
      overrides: request?.override,
      defaults: request?.defaultValuesHash,
    });
  }

  private lookupIn(run: LookupRun, request: LookupRequest): Value {
    const found = this.findFirst(run, request);
    if (found !== undefined) return found;
    const { names, block, defaultValue, valueType } = request;
    if (block !== undefined) {
      const given = request.given ?? (names.length === 1 ? (names[0] ?? null) : names);
      return typed('Value returned from default block', valueType, block.call([given]));
    }
    if (defaultValue !== undefined) return typed('Default value', valueType, defaultValue);
    throw notFound(names);
  }

  private findFirst(run: LookupRun, request: LookupRequest): Value | undefined {
    const { names, valueType, merge } = request;
    for (const name of names) {
      const overridden = run.overrides?.get(name);
      if (overridden !== undefined) {
        typed(`Value found for key '${name}' in override hash`, valueType, overridden);
        return typed('Found value', valueType, overridden);
      }
      const value = this.search(name, run, merge);
      if (value !== undefined) return typed('Found value', valueType, value);
    }
    for (const name of names) {
      const value = run.defaults?.get(name);
      if (value !== undefined) {
        return typed(`Value found for key '${name}' in default values hash`, valueType, value);
      }
    }
    return undefined;
  }

  /** All layers, with the merge that is asked for or that the lookup options name, converted as these say. */
  private search(name: string, run: LookupRun, merge: Value | undefined): Value | undefined {
    if (name === OPTIONS || name.startsWith(`${OPTIONS}.`)) {
      run.within({ kind: 'invalid-key', key: OPTIONS }, () => undefined);
      return undefined;
    }
    const key = new LookupKey(name);
    return run.lookup(key, key.moduleName, () => {
      if (this.explainer?.scope === 'only-options') {
        this.searchLayers(this.optionsKey, run, HASH_STRATEGY);
        return null;
      }
      const options = this.optionsFor(key, run);
      const given = merge ?? null;
      const fromOptions = given === null ? (options?.get('merge') ?? null) : null;
      if (fromOptions !== null) run.trace?.mergeSource(OPTIONS);
      const found = run.within({ kind: 'top', key: name }, () =>
        this.searchData(key, run, given ?? fromOptions),
      );
      return found === undefined ? undefined : this.convert(name, found, options, run);
    });
  }

  private searchData(key: LookupKey, run: LookupRun, merge: Value): Value | undefined {
    const found = this.searchLayers(key, run, this.files.strategy(merge));
    if (found !== undefined || run.isGlobalOnly) return found;
    return key.dig(this.searchDefaultHierarchy(key, run), run.trace);
  }

  private searchLayers(key: LookupKey, run: LookupRun, strategy: MergeStrategy): Value | undefined {
    if (run.isGlobalOnly) return key.dig(this.searchGlobal(key, run, strategy), run.trace);
    const found = lookupMerged(strategy, LAYERS, run.trace, (layer) => {
      if (layer === 'global') return this.searchGlobal(key, run, strategy);
      if (layer === 'module') return this.searchModule(key, run, strategy);
      return this.layers.environmentProvider()?.lookup(key, run, strategy);
    });
    return key.dig(found, run.trace);
  }

  private searchGlobal(key: LookupKey, run: LookupRun, strategy: MergeStrategy): Value | undefined {
    try {
      return this.layers.global().lookup(key, run, strategy);
    } catch (error) {
      if (!(error instanceof LookupError) || error.isConfigIssue) throw error;
      throw plainError(`Lookup of key '${run.topKey}' failed: ${error.message}`, error);
    }
  }

  private searchModule(key: LookupKey, run: LookupRun, strategy: MergeStrategy): Value | undefined {
    const { moduleName } = run;
    if (moduleName === undefined) return undefined;
    const provider = this.layers.module(moduleName);
    if (provider !== undefined) return provider.lookup(key, run, strategy);
    const text = this.layers.hasModule(moduleName)
      ? `Module data provider for module "${moduleName}" not found`
      : `Module "${moduleName}" not found`;
    run.within({ kind: 'module', text }, () => undefined);
    return undefined;
  }

  private searchDefaultHierarchy(key: LookupKey, run: LookupRun): Value | undefined {
    const { moduleName } = run;
    const provider = moduleName === undefined ? undefined : this.layers.module(moduleName);
    if (moduleName === undefined || provider?.config.defaultHierarchy === undefined) return undefined;
    const title = `Searching default_hierarchy of module "${moduleName}"`;
    return run.within({ kind: 'scope', name: title }, () => {
      const options = this.optionsOfDefaults(moduleName, run)?.find(key.rootKey);
      const strategy = this.files.strategy(options?.get('merge'));
      return run.within({ kind: 'scope', name: `Searching for "${key.text}"` }, () =>
        provider.lookup(key, run, strategy, 'default'),
      );
    });
  }

  private optionsOfDefaults(moduleName: string, run: LookupRun): LookupOptions | undefined {
    const known = this.defaultOptions.get(moduleName);
    if (known !== undefined || this.defaultOptions.has(moduleName)) return known;
    const meta = run.derive({ overrides: undefined, defaults: undefined });
    const hash = meta.lookup(this.optionsKey, moduleName, () =>
      run.within({ kind: 'scope', name: `Searching for "${OPTIONS}"` }, () =>
        this.layers.module(moduleName)?.lookup(this.optionsKey, meta, HASH_STRATEGY, 'default'),
      ),
    );
    const checked = checkLookupOptions(hash, moduleName);
    const options = this.compileOptions(checked);
    this.defaultOptions.set(moduleName, options);
    return options;
  }

  private optionsFor(key: LookupKey, run: LookupRun): PuppetHash | undefined {
    const { moduleName } = key;
    if (!this.optionsByModule.has(moduleName)) {
      const meta = run.derive({ overrides: undefined, defaults: undefined });
      const options = meta.lookup(this.optionsKey, run.moduleName, () =>
        meta.within({ kind: 'top', key: OPTIONS }, () => this.retrieveOptions(moduleName, meta)),
      );
      this.optionsByModule.set(moduleName, options);
    }
    return this.optionsByModule.get(moduleName)?.find(key.rootKey);
  }

  private retrieveOptions(moduleName: string | undefined, run: LookupRun): LookupOptions | undefined {
    if (run.isGlobalOnly) return this.compileOptions(this.optionsOfGlobal(run));
    const shared = this.optionsOfEnvironment(run);
    if (moduleName === undefined) return this.compileOptions(shared);
    // Saves another lookup for keys without a module.
    if (!this.optionsByModule.has(undefined))
      this.optionsByModule.set(undefined, this.compileOptions(shared));
    const own = checkLookupOptions(this.searchModule(this.optionsKey, run, HASH_STRATEGY), moduleName);
    if (shared === undefined || own === undefined) return this.compileOptions(shared ?? own);
    const sources = [GLOBAL_AND_ENVIRONMENT, `Module ${moduleName}`] as const;
    const merged = lookupMerged(HASH_STRATEGY, sources, run.trace, (source) =>
      run.within({ kind: 'scope', name: source }, () => {
        const hash = source === GLOBAL_AND_ENVIRONMENT ? shared : own;
        run.trace?.found(OPTIONS, hash);
        return hash;
      }),
    );
    return this.compileOptions(merged instanceof PuppetHash ? merged : undefined);
  }

  private optionsOfGlobal(run: LookupRun): PuppetHash | undefined {
    this.globalOptions ??= {
      hash: checkLookupOptions(this.searchGlobal(this.optionsKey, run, HASH_STRATEGY), undefined),
    };
    return this.globalOptions.hash;
  }

  private optionsOfEnvironment(run: LookupRun): PuppetHash | undefined {
    this.environmentOptions ??= { hash: this.mergedEnvironmentOptions(run) };
    return this.environmentOptions.hash;
  }

  private mergedEnvironmentOptions(run: LookupRun): PuppetHash | undefined {
    const global = this.optionsOfGlobal(run);
    const found = this.layers.environmentProvider()?.lookup(this.optionsKey, run, HASH_STRATEGY);
    const own = checkLookupOptions(found, undefined);
    if (global === undefined || own === undefined) return global ?? own;
    const merged = HASH_STRATEGY.merge?.(global, own);
    return merged instanceof PuppetHash ? merged : global;
  }

  private compileOptions(options: PuppetHash | undefined): LookupOptions | undefined {
    return options === undefined ? undefined : new LookupOptions(options, this.files.pattern);
  }

  private convert(key: string, value: Value, options: PuppetHash | undefined, run: LookupRun): Value {
    const convertTo = options?.get('convert_to') ?? null;
    if (convertTo === null) return value;
    const [type = null, ...args] = isArray(convertTo) ? convertTo : [convertTo];
    const target = typeof type === 'string' ? this.resolveType(key, type) : type;
    try {
      const converted = this.invocation.callFunction('new', [target, value, ...args]);
      run.trace?.text(`Applying convert_to lookup_option with arguments ${stringify([target, ...args])}`);
      return converted;
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error;
      throw new LookupError(`The convert_to lookup_option for key '${key}' raised error: ${error.message}`, {
        cause: error,
      });
    }
  }

  private resolveType(key: string, source: string): PuppetType {
    try {
      return this.invocation.resolveType(source);
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error;
      throw new LookupError(
        `Invalid data type in lookup_options for key '${key}' could not parse '${source}', error: '${error.message}`,
        { cause: error },
      );
    }
  }
}

function typed(subject: string, type: PuppetType | undefined, value: Value): Value {
  if (type !== undefined) assertInstance(subject, type, value);
  return value;
}

function notFound(names: readonly string[]): LookupError {
  const [name] = names;
  return new LookupError(
    names.length === 1
      ? `Function lookup() did not find a value for the name '${name}'`
      : `Function lookup() did not find a value for any of the names [${names.map((item) => `'${item}'`).join(', ')}]`,
  );
}
