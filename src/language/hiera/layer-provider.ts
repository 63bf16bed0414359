/** One layer (global, environment, a module) as a compile sees it: its hierarchy for the variables of the node. */

import { plusPath } from '../environment/index.ts';
import { equals, PuppetHash, type Value } from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';
import { configIssue, lineMatching } from './config-issue.ts';
import { EntryProvider, type ProviderOwner } from './entry-provider.ts';
import type { HierarchyConfig, HierarchyEntry } from './hierarchy-config.ts';
import { interpolate, interpolateText, VARIABLES_ONLY } from './interpolation.ts';
import { resolveLocations } from './locations.ts';
import { LookupError } from './lookup-error.ts';
import { type LookupKey, subLookup } from './lookup-key.ts';
import type { LookupRun, ScopeInterpolation } from './lookup-run.ts';
import { lookupMerged, type MergeStrategy } from './merge-strategy.ts';

/** `hierarchy`, or the module's `default_hierarchy`. */
export type HierarchyChoice = 'hierarchy' | 'default';

interface ResolvedHierarchy {
  readonly hierarchy: readonly EntryProvider[];
  readonly default: readonly EntryProvider[];
  readonly interpolations: readonly ScopeInterpolation[];
}

export class LayerProvider {
  readonly config: HierarchyConfig;
  private readonly owner: ProviderOwner;
  private readonly name: string;
  private resolved: ResolvedHierarchy | undefined;

  /** @param place - `Global`, `Environment` or `Module "x"` */
  constructor(owner: ProviderOwner, place: string) {
    this.owner = owner;
    this.config = owner.config;
    this.name = `${place} Data Provider (hiera configuration version ${owner.config.version})`;
  }

  /** @throws LookupError when the key is being looked up already */
  lookup(
    key: LookupKey,
    run: LookupRun,
    strategy: MergeStrategy,
    choice: HierarchyChoice = 'hierarchy',
  ): Value | undefined {
    return run.check(key.text, () => this.search(key, run, strategy, choice));
  }

  private search(
    key: LookupKey,
    run: LookupRun,
    strategy: MergeStrategy,
    choice: HierarchyChoice,
  ): Value | undefined {
    const label = { kind: 'data-provider', name: this.name, configPath: this.config.path } as const;
    return run.within(label, () => {
      const mistake = this.config.mistakes[choice];
      if (mistake !== undefined) throw mistake;
      const entries = this.resolve(run)[choice];
      if (entries.length === 0) {
        run.trace?.notFound(key.text);
        return undefined;
      }
      return lookupMerged(strategy, entries, run.trace, (entry) => entry.lookup(key, run, strategy));
    });
  }

  /** Resolved once, and again when a top-scope variable that `hiera.yaml` uses has changed. */
  private resolve(run: LookupRun): ResolvedHierarchy {
    if (this.resolved !== undefined) {
      if (isStable(this.resolved.interpolations, run)) return this.resolved;
      run.trace?.text(
        'Hiera configuration recreated due to change of scope variables used in interpolation expressions',
      );
    }
    const interpolations = new Map<string, ScopeInterpolation>();
    const collecting = run.derive(
      { trace: undefined, overrides: undefined, defaults: undefined },
      interpolations,
    );
    const hierarchy = this.entries(this.config.hierarchy, collecting);
    const fallback = this.entries(this.config.defaultHierarchy ?? [], collecting);
    this.resolved = { hierarchy, default: fallback, interpolations: [...interpolations.values()] };
    return this.resolved;
  }

  private entries(entries: readonly HierarchyEntry[], run: LookupRun): readonly EntryProvider[] {
    try {
      return entries.flatMap((entry) => this.entry(entry, run) ?? []);
    } catch (error) {
      throw this.located(error);
    }
  }

  private entry(entry: HierarchyEntry, run: LookupRun): EntryProvider | undefined {
    const { files } = this.owner;
    const directory = plusPath(this.config.root, entry.datadir);
    const datadir = this.config.version === 4 ? directory : interpolateText(directory, run);
    const onlyExisting = this.config.path === undefined;
    const locations =
      entry.locations === undefined
        ? undefined
        : resolveLocations(entry.locations, datadir, { run: this.forPaths(run), files, onlyExisting });
    if (onlyExisting && locations?.length === 0) return undefined;
    const options = interpolate(entry.options, run, VARIABLES_ONLY);
    return new EntryProvider(this.owner, entry, {
      options: options instanceof PuppetHash ? options : new PuppetHash(),
      locations,
    });
  }

  private forPaths(run: LookupRun): LookupRun {
    const { toleratesUndefinedInPaths } = this.owner.level;
    return toleratesUndefinedInPaths ? run.derive({ toleratesUndefined: true }, run.interpolations) : run;
  }

  /** What cannot be interpolated is a mistake in `hiera.yaml`; an unknown variable at the line that has it. */
  private located(error: unknown): unknown {
    if (!(error instanceof PuppetError)) return error;
    if (error instanceof LookupError) {
      const { code, file, message } = error.diagnostic;
      return error.isConfigIssue && file === undefined ? configIssue(this.config, code, message) : error;
    }
    const name = /^Undefined variable '([^']+)'/.exec(error.diagnostic.message)?.[1];
    if (name === undefined) return error;
    const pattern = new RegExp(`%\\{['"]?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}['"]?}`);
    return configIssue(
      this.config,
      'hiera_undefined_variable',
      `Undefined variable '${name}'`,
      lineMatching(this.config.text, pattern),
    );
  }
}

function isStable(interpolations: readonly ScopeInterpolation[], run: LookupRun): boolean {
  return interpolations.every(({ key, rootKey, segments, value }) => {
    const root = run.scope.findVariable(rootKey) ?? null;
    const now = root === null || segments.length === 0 ? root : subLookup(key, segments, root, undefined);
    return now !== undefined && (now === value || equals(now, value));
  });
}
