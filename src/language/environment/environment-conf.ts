/** `environment.conf`: its text, and what follows from it together with the server's settings. */

import { isLevelNumber, type LanguageLevel, type LevelNumber, languageLevel } from '../levels/index.ts';
import type { FileTree } from './file-tree.ts';
import { globFiles } from './glob.ts';
import { expandPath, joinPath } from './logical-path.ts';

/** The settings as written; absent ones are `undefined`. */
export interface EnvironmentConf {
  readonly modulepath: string | undefined;
  readonly manifest: string | undefined;
  readonly configVersion: string | undefined;
  readonly environmentTimeout: string | undefined;
  readonly environmentDataProvider: string | undefined;
  readonly staticCatalogs: string | undefined;
  readonly richData: string | undefined;
  /** `language_level`, ours alone; `undefined` where it is none that there is. */
  readonly languageLevel: LevelNumber | undefined;
  /** About sections and settings that do not belong there; without the name of the file. */
  readonly problems: readonly EnvironmentConfProblem[];
}

export interface EnvironmentConfProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** What the server's own settings say for all environments. */
export interface EnvironmentDefaults {
  readonly basemodulepath: readonly string[];
  /** `vendormoduledir`: the modules that packages of Puppet bring along; need not exist. */
  readonly vendorModuleDirectory?: string;
  /** `default_manifest`: absolute, or relative to the environment's directory. */
  readonly defaultManifest: string;
  readonly disablePerEnvironmentManifest: boolean;
  /** Values for `$name` and `${name}` besides `$environment` and `$basemodulepath`: `codedir`, `confdir`, ... */
  readonly variables: Readonly<Record<string, string>>;
}

export interface EnvironmentPaths {
  readonly modulepath: readonly string[];
  readonly manifest: string;
  /** The command, when there is one. */
  readonly configVersionCommand: string | undefined;
  readonly problems: readonly EnvironmentConfProblem[];
}

const KNOWN: ReadonlySet<string> = new Set([
  'modulepath',
  'manifest',
  'config_version',
  'environment_timeout',
  'environment_data_provider',
  'static_catalogs',
  'rich_data',
  'language_level',
]);

const SETTING = /^\s*([\p{L}\p{M}\p{N}\p{Pc}]+)\s*=\s*(.*?)\s*$/u;
const SECTION = /^\s*\[([\p{L}\p{M}\p{N}\p{Pc}]+)\]\s*$/u;

/**
 * Reads the text of an `environment.conf`. A first line of a name counts; only the section `main`, or none, does.
 *
 * @param file - its path, for messages
 * @param usual - the level of environments that name none
 */
export function parseEnvironmentConf(
  text: string,
  file: string,
  usual: LanguageLevel = languageLevel(7),
): EnvironmentConf {
  const values = new Map<string, string>();
  const sections = new Set<string>();
  const problems: EnvironmentConfProblem[] = [];
  let section = 'main';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const setting = SETTING.exec(line);
    const header = SECTION.exec(line);
    if (header?.[1] !== undefined) {
      section = header[1];
      if (section !== 'main') sections.add(section);
    } else if (setting?.[1] !== undefined) {
      if (section === 'main' && !values.has(setting[1])) values.set(setting[1], unquoted(setting[2] ?? ''));
    } else if (!/^\s*(?:#|$)/.test(line)) {
      const message = `Could not match line ${line} (file: ${file}, line: ${index + 1})`;
      problems.push({ severity: 'error', message });
    }
  }
  const conf = named(values);
  const level = conf.languageLevel === undefined ? usual : languageLevel(conf.languageLevel);
  return {
    ...conf,
    problems: [
      ...problems,
      ...misplaced({ values, sections, level }, file),
      ...badTimeout(conf),
      ...badLevel(values.get('language_level'), usual),
    ],
  };
}

/** A quotation mark at either end is dropped, whether or not the other end has one. */
function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '').trimEnd();
}

/** The paths of an environment, variables replaced and relative ones made absolute. */
export function environmentPaths(
  name: string,
  directory: string,
  conf: EnvironmentConf | undefined,
  context: { readonly defaults: EnvironmentDefaults; readonly files: FileTree },
): EnvironmentPaths {
  const { defaults, files } = context;
  const replace = variableReplacer(name, defaults);
  const absolute = (path: string): string => (path.startsWith('/') ? path : expandPath(path, directory));
  const modulepath =
    conf?.modulepath === undefined
      ? [joinPath(directory, 'modules'), ...defaults.basemodulepath]
      : replace
          .text(conf.modulepath)
          .split(':')
          .filter((path) => path !== '')
          .flatMap((path) => expandGlob(absolute(path), files));
  const fallback = absolute(replace.text(defaults.defaultManifest));
  const own = conf?.manifest === undefined ? undefined : absolute(replace.text(conf.manifest));
  const isConflict = defaults.disablePerEnvironmentManifest && own !== undefined && own !== fallback;
  const version = conf?.configVersion;
  return {
    modulepath: modulepath.map((path) => expandPath(path, directory)),
    manifest: expandPath(defaults.disablePerEnvironmentManifest ? fallback : (own ?? fallback), directory),
    configVersionCommand:
      version === undefined || version === '' ? undefined : absolute(replace.text(version)),
    problems: [
      ...replace.problems(),
      ...(isConflict ? [manifestConflict(directory, own, defaults.defaultManifest)] : []),
    ],
  };
}

/**
 * Seconds for which an environment may be kept; `Infinity` for `unlimited`.
 *
 * @returns `undefined` for text that is no such duration
 */
export function environmentTimeoutSeconds(text: string): number | undefined {
  if (text === 'unlimited') return Number.POSITIVE_INFINITY;
  const match = /^(\d+)([ydhms])?$/.exec(text);
  if (match === null) return undefined;
  const units: Readonly<Record<string, number>> = { y: 31_536_000, d: 86_400, h: 3600, m: 60, s: 1 };
  return Number(match[1]) * (units[match[2] ?? 's'] ?? 1);
}

function named(values: ReadonlyMap<string, string>): Omit<EnvironmentConf, 'problems'> {
  return {
    modulepath: values.get('modulepath'),
    manifest: values.get('manifest'),
    configVersion: values.get('config_version'),
    environmentTimeout: values.get('environment_timeout'),
    environmentDataProvider: values.get('environment_data_provider'),
    staticCatalogs: values.get('static_catalogs'),
    richData: values.get('rich_data'),
    languageLevel: levelIn(values.get('language_level')),
  };
}

interface Written {
  readonly values: ReadonlyMap<string, string>;
  readonly sections: ReadonlySet<string>;
  readonly level: LanguageLevel;
}

function* misplaced({ values, sections, level }: Written, file: string): Iterable<EnvironmentConfProblem> {
  if (sections.size > 0) {
    yield {
      severity: 'warning',
      message: `Invalid sections in environment.conf at '${file}'. Environment conf may not have sections. The following sections are being ignored: '${[...sections].join(',')}'`,
    };
  }
  const unknown = [...values.keys()].filter((name) => !isKnown(name, level));
  if (unknown.length > 0) {
    yield {
      severity: 'warning',
      message: `Invalid settings in environment.conf at '${file}'. The following unknown setting(s) are being ignored: ${unknown.join(', ')}`,
    };
  }
}

function isKnown(name: string, { hasEnvironmentDataProvider }: LanguageLevel): boolean {
  if (name === 'environment_data_provider') return hasEnvironmentDataProvider;
  return KNOWN.has(name);
}

function levelIn(text: string | undefined): LevelNumber | undefined {
  const number = Number(text);
  return isLevelNumber(number) ? number : undefined;
}

function badLevel(text: string | undefined, usual: LanguageLevel): readonly EnvironmentConfProblem[] {
  if (text === undefined || levelIn(text) !== undefined) return [];
  const message = `Invalid value '${text}' for language_level: it is 7, 8 or 9. Compiling at ${usual.number}`;
  return [{ severity: 'error', message }];
}

function badTimeout({ environmentTimeout }: Pick<EnvironmentConf, 'environmentTimeout'>) {
  if (environmentTimeout === undefined || environmentTimeoutSeconds(environmentTimeout) !== undefined)
    return [];
  const message = `Invalid 'time to live' format '"${environmentTimeout}"' for parameter: environment_timeout`;
  return [{ severity: 'error' as const, message }];
}

interface VariableReplacer {
  text(text: string): string;
  problems(): readonly EnvironmentConfProblem[];
}

function variableReplacer(environment: string, defaults: EnvironmentDefaults): VariableReplacer {
  const problems: EnvironmentConfProblem[] = [];
  const values = new Map(Object.entries(defaults.variables));
  values.set('environment', environment);
  values.set('basemodulepath', defaults.basemodulepath.join(':'));
  return {
    text: (text) =>
      text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (expression, bare?: string, braced?: string) => {
        const value = values.get(bare ?? braced ?? '');
        if (value !== undefined) return value;
        problems.push({ severity: 'error', message: `Could not find value for ${expression}` });
        return expression;
      }),
    problems: () => problems,
  };
}

function expandGlob(path: string, files: FileTree): readonly string[] {
  return /[*?[{]/.test(path) ? globFiles(files, path, 'directory') : [path];
}

function manifestConflict(
  directory: string,
  manifest: string,
  defaultManifest: string,
): EnvironmentConfProblem {
  return {
    severity: 'error',
    message:
      `The 'disable_per_environment_manifest' setting is true, but the environment located at ${directory} has a manifest setting in its environment.conf of '${manifest}' which does not match the default_manifest setting '${defaultManifest}'. ` +
      `If this environment is expecting to find modules in '${manifest}', they will not be available!`,
  };
}
