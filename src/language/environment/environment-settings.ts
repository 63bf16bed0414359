/** What a compile needs to know of an environment besides its files. */

import { type LanguageLevel, languageLevel } from '../levels/index.ts';

/** What `disable_warnings` may name. */
export type DisableableWarning = 'deprecations' | 'undefined_variables' | 'undefined_resources';

/** The settings that change what code means. Names are those of puppet.conf in camelCase. */
export interface LanguageSettings {
  /** Which major release the language behaves as. */
  readonly level: LanguageLevel;
  /** `strict`: what happens on `undefined variable`-like findings. The level has a default. */
  readonly strict: 'off' | 'warning' | 'error';
  readonly strictVariables: boolean;
  /** Whether rich data (Sensitive, Timestamp, ...) is kept in catalogs. */
  readonly richData: boolean;
  /** Warnings that are not given. */
  readonly disableWarnings: readonly DisableableWarning[];
  /** The version of Puppet that code in modules believes to run in; that of the level when absent. */
  readonly puppetVersion?: string;
  /** Every setting a manifest can see as `$settings::name`. */
  readonly visible: VisibleSettings;
}

/** By name; `null` is `undef`. */
export type VisibleSettings = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** As Puppet 7 has them where `puppet.conf` says nothing. */
export const defaultLanguageSettings: LanguageSettings = {
  level: languageLevel(7),
  strict: 'warning',
  strictVariables: false,
  richData: true,
  disableWarnings: [],
  visible: {},
};

/** An environment as configured; how `environment.conf` is read is the caller's business. */
export interface EnvironmentConfig {
  readonly name: string;
  /** Logical directory, `/etc/puppetlabs/code/environments/production`. */
  readonly directory: string;
  /** Logical directories in order of precedence. */
  readonly modulepath: readonly string[];
  /** `vendormoduledir`: a directory of modules whose `lib` every environment has on its load path, and nothing else. */
  readonly vendorModuleDirectory?: string;
  /** Directories of modules that the server brings to every environment. A module of the same name on the modulepath wins. */
  readonly ownModuleDirectory?: string;
  /** The main manifest: a file, or a directory whose `*.pp` files are evaluated in order of their names. */
  readonly manifest: string;
  /** Plans run in it: all of its code is read as with the setting `tasks`. False when absent. */
  readonly isScript?: boolean;
  /** Text given instead of the main manifest's files (`bunraku evaluate`, conformance snippets). */
  readonly code?: string;
  /** What `config_version` printed, or the time of the version in seconds: goes into the catalog. */
  readonly configVersion: string | number;
  /** Why there is no such version: no catalog is compiled. */
  readonly configVersionProblem?: string;
  /** The commit that is compiled, for `code_id`. */
  readonly codeId: string | null;
  /** The path of the global Hiera configuration, logical; absent when there is none. */
  readonly globalHieraConfig?: string;
  readonly settings: LanguageSettings;
}
