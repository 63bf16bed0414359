/** One entry of a hierarchy: its locations, and the function that reads them. */

import type { LanguageLevel } from '../levels/index.ts';
import {
  assertInstance,
  PuppetHash,
  type PuppetType,
  parseType,
  plainText,
  type Value,
} from '../pcore/index.ts';
import { configIssue } from './config-issue.ts';
import { DATA_READERS, PLAIN_DATA_FUNCTIONS } from './data-file.ts';
import { decryptValue, isEncrypted } from './eyaml.ts';
import type { HieraFiles } from './hiera-files.ts';
import { CLASSIFIER_DATA, type HierarchyConfig, type HierarchyEntry } from './hierarchy-config.ts';
import { type InterpolationRules, interpolate, needsInterpolation } from './interpolation.ts';
import type { Location } from './locations.ts';
import { BackendCache, KeyNotFound, LookupContext, NO_SUCH_KEY } from './lookup-context.ts';
import { LookupArgumentError, LookupError, plainError } from './lookup-error.ts';
import type { LookupKey } from './lookup-key.ts';
import type { LookupRun } from './lookup-run.ts';
import { lookupMerged, type MergeStrategy } from './merge-strategy.ts';
import { assertLookupValue, assertReturnType } from './type-assertion.ts';

/** What all entries of one layer have in common. */
export interface ProviderOwner {
  readonly moduleName: string | undefined;
  readonly environmentName: string;
  readonly strict: 'off' | 'warning' | 'error';
  readonly level: LanguageLevel;
  readonly config: HierarchyConfig;
  readonly files: HieraFiles;
  /** How expressions in data are replaced. */
  readonly rules: InterpolationRules;
}

/** What is known of one location, as long as the compile lasts. */
class LocationState {
  readonly cache = new BackendCache();
  readonly values = new Map<string, Value>();
  data: PuppetHash | undefined;
  options: PuppetHash | undefined;
}

const NO_LOCATION: readonly [undefined] = [undefined];

export class EntryProvider {
  private readonly owner: ProviderOwner;
  private readonly entry: HierarchyEntry;
  /** After interpolation. */
  private readonly options: PuppetHash;
  private readonly locations: readonly (Location | undefined)[];
  private readonly states = new Map<Location | undefined, LocationState>();

  constructor(
    owner: ProviderOwner,
    entry: HierarchyEntry,
    resolved: { readonly options: PuppetHash; readonly locations: readonly Location[] | undefined },
  ) {
    this.owner = owner;
    this.entry = entry;
    this.options = resolved.options;
    this.locations = resolved.locations ?? NO_LOCATION;
  }

  lookup(key: LookupKey, run: LookupRun, strategy: MergeStrategy): Value | undefined {
    if (run.trace === undefined && strategy.merge === undefined) return this.searchFirst(key, run);
    const search = (): Value | undefined =>
      lookupMerged(strategy, this.locations, run.trace, (location) => this.searchIn(location, key, run));
    if (run.trace === undefined) return search();
    const name = `Hierarchy entry "${this.entry.name}"`;
    const label = { kind: 'data-provider', name, configPath: undefined, entry: this.entry.name } as const;
    return run.trace.within(label, search);
  }

  /** The usual case: most keys are nowhere, and nothing is made to find that out. */
  private searchFirst(key: LookupKey, run: LookupRun): Value | undefined {
    for (const location of this.locations) {
      const value = this.searchIn(location, key, run);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  private searchIn(location: Location | undefined, key: LookupKey, run: LookupRun): Value | undefined {
    if (location === undefined) return this.find(location, key, run);
    if (run.trace === undefined) return location.exists ? this.find(location, key, run) : undefined;
    const { type, original, resolved } = location;
    return run.trace.within({ kind: 'location', type, original, resolved }, () => {
      if (location.exists) return this.find(location, key, run);
      run.trace?.locationNotFound();
      return undefined;
    });
  }

  private find(location: Location | undefined, key: LookupKey, run: LookupRun): Value | undefined {
    if (this.entry.functionKind === 'data_dig') return this.dig(location, key, run);
    const { rootKey } = key;
    const value =
      this.entry.functionKind === 'data_hash'
        ? this.dataValue(location, rootKey, run)
        : this.keyValue(location, rootKey, run);
    if (value === undefined) {
      run.trace?.notFound(rootKey);
      return undefined;
    }
    run.trace?.found(rootKey, value);
    if (this.isSecret(location, rootKey)) run.trace?.secret();
    return value;
  }

  /** The value of a custom backend function may come from a vault. */
  private isSecret(location: Location | undefined, rootKey: string): boolean {
    const { functionName } = this.entry;
    if (functionName === CLASSIFIER_DATA) return false;
    if (!DATA_READERS.has(functionName)) return true;
    return isEncrypted(this.stateOf(location).data?.get(rootKey));
  }

  private dataValue(location: Location | undefined, rootKey: string, run: LookupRun): Value | undefined {
    const state = this.stateOf(location);
    state.data ??= this.dataHash(location, state, run);
    const value = state.data.get(rootKey);
    if (value === undefined) return undefined;
    const { files, rules } = this.owner;
    if (files.isPlain(state.data, rootKey)) return value;
    assertLookupValue(
      value,
      () => `Value for key '${rootKey}', in hash returned from ${this.functionText(location)}`,
    );
    if (needsInterpolation(value)) return interpolate(value, run, rules);
    files.rememberPlain(state.data, rootKey);
    return value;
  }

  private dataHash(location: Location | undefined, state: LocationState, run: LookupRun): PuppetHash {
    const { functionName } = this.entry;
    if (functionName === CLASSIFIER_DATA) return run.invocation.classifierData ?? new PuppetHash();
    const value = PLAIN_DATA_FUNCTIONS.has(functionName)
      ? this.readFile(this.onlyPath(location), run)
      : this.call([this.optionsFor(location)], { location, state, run });
    const data = value ?? new PuppetHash();
    const describe = (): string => `Value returned from ${this.functionText(location)}`;
    if (!(data instanceof PuppetHash)) {
      assertInstance(describe(), hashType(), data);
      return new PuppetHash();
    }
    this.warnOfForeignKeys(data, describe, run);
    return data;
  }

  /** The functions that read files take the hash of a path, and of nothing else. */
  private onlyPath(location: Location | undefined): Location {
    if (location?.type === 'path' && this.options.size === 0) return location;
    throw new LookupArgumentError(
      `'${this.entry.functionName}' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this data_hash function`,
    );
  }

  private readFile(location: Location, run: LookupRun): Value {
    const { functionName } = this.entry;
    const file = this.owner.files.read(functionName, location.resolved);
    if (file.kind === 'value') return file.value;
    const message = `${location.resolved}: file does not contain a valid yaml hash`;
    if (this.owner.strict === 'error' && file.kind === 'other') throw new LookupError(message);
    run.invocation.log('warning', message);
    return new PuppetHash();
  }

  /** A module's data may only be about itself; the reference warns, and uses the rest all the same. */
  private warnOfForeignKeys(data: PuppetHash, describe: () => string, run: LookupRun): void {
    const { moduleName } = this.owner;
    if (moduleName === undefined) return;
    for (const key of data.keys()) {
      if (key === 'lookup_options' || String(key).startsWith(`${moduleName}::`)) continue;
      const which = this.owner.level.namesForeignKeys ? `; got ${plainText(key)}` : '';
      run.invocation.log(
        'warning',
        `Module '${moduleName}': ${describe()} must use keys qualified with the name of the module${which}`,
      );
    }
  }

  private keyValue(location: Location | undefined, rootKey: string, run: LookupRun): Value | undefined {
    const state = this.stateOf(location);
    const known = state.values.get(rootKey);
    if (known !== undefined) return known;
    const value =
      this.entry.functionName === 'eyaml_lookup_key'
        ? this.eyamlValue(location, rootKey, run)
        : this.call([rootKey, this.optionsFor(location)], { location, state, run });
    if (value === undefined) return undefined;
    assertLookupValue(
      value,
      () => `Value for key '${rootKey}', returned from ${this.functionText(location)}`,
    );
    state.values.set(rootKey, value);
    return value;
  }

  private eyamlValue(location: Location | undefined, rootKey: string, run: LookupRun): Value | undefined {
    const { rules } = this.owner;
    if (location?.type !== 'path') {
      throw new LookupArgumentError(
        "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this lookup_key function",
      );
    }
    if (rootKey === '') {
      throw new LookupArgumentError(
        "'eyaml_lookup_key' parameter 'key' expects a String[1] value, got String",
      );
    }
    const state = this.stateOf(location);
    if (state.data === undefined) {
      const data = this.readFile(location, run);
      state.data = data instanceof PuppetHash ? data : new PuppetHash();
    }
    const value = state.data.get(rootKey);
    if (value === undefined) return undefined;
    return decryptValue(value, {
      decryptor: run.invocation.eyaml,
      options: this.optionsFor(location),
      key: rootKey,
      path: location.resolved,
      interpolate: (text) => interpolate(text, run, rules),
    });
  }

  private dig(location: Location | undefined, key: LookupKey, run: LookupRun): Value | undefined {
    const state = this.stateOf(location);
    let value = state.values.get(key.text);
    if (value === undefined) {
      value = this.call([[key.rootKey, ...key.segments], this.optionsFor(location)], {
        location,
        state,
        run,
      });
      if (value !== undefined) state.values.set(key.text, value);
    }
    if (value === undefined) {
      run.trace?.notFound(key.text);
      return undefined;
    }
    assertLookupValue(
      value,
      () => `Value for key '${key.text}', returned from ${this.functionText(location)}`,
    );
    run.trace?.found(key.text, value);
    run.trace?.secret();
    return key.undig(value);
  }

  /** @returns `undefined` when the function says that there is no such key */
  private call(
    args: readonly Value[],
    context: {
      readonly location: Location | undefined;
      readonly state: LocationState;
      readonly run: LookupRun;
    },
  ): Value | undefined {
    const { run, state } = context;
    const { functionName } = this.entry;
    this.checkFunction(run);
    const { trace } = run;
    const lookupContext = new LookupContext({
      environmentName: this.owner.environmentName,
      moduleName: this.owner.moduleName,
      cache: state.cache,
      files: this.owner.files,
      interpolate: (value) => interpolate(value, run, this.owner.rules),
      explain: trace === undefined ? undefined : (text) => trace.text(text),
    });
    try {
      const value = run.invocation.callBackend(functionName, [...args, lookupContext], this.owner.moduleName);
      return value === NO_SUCH_KEY ? undefined : value;
    } catch (error) {
      if (error instanceof KeyNotFound) return undefined;
      throw error;
    }
  }

  private checkFunction(run: LookupRun): void {
    if (this.owner.files.isUsable(this.entry)) return;
    const { functionKind, functionName } = this.entry;
    if (functionKind === 'hiera3_backend') {
      throw plainError(
        `Hiera version 3 backends are not supported: '${functionName}' in hierarchy '${this.entry.name}' of ${this.owner.config.path}. Use a function of version 5`,
      );
    }
    if (!run.invocation.isFunctionKnown(functionName)) {
      throw configIssue(
        this.owner.config,
        'hiera_data_provider_function_not_found',
        `Unable to find '${functionKind}' function named '${functionName}'`,
      );
    }
    for (const declared of run.invocation.returnTypesOf(functionName, this.owner.moduleName))
      assertReturnType(functionKind, functionName, declared);
    this.owner.files.rememberUsable(this.entry);
  }

  private optionsFor(location: Location | undefined): PuppetHash {
    if (location === undefined) return this.options;
    const state = this.stateOf(location);
    state.options ??= new PuppetHash([...this.options, [location.type, location.resolved]]);
    return state.options;
  }

  private functionText(location: Location | undefined): string {
    const text = `${this.entry.functionKind} function '${this.entry.functionName}'`;
    return location === undefined ? text : `${text}, when using location '${location.resolved}',`;
  }

  private stateOf(location: Location | undefined): LocationState {
    let state = this.states.get(location);
    if (state === undefined) {
      state = new LocationState();
      this.states.set(location, state);
    }
    return state;
  }
}

function hashType(): PuppetType {
  return parseType('Hash');
}
