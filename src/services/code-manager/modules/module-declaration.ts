/** What a module is to be: from the arguments of `mod` to one of a few kinds. */

import { isAbsolute, relative, resolve } from 'node:path';
import { DeployError } from '../deploy-error.ts';
import { type ArgumentHash, inspect, type ModuleArgument } from './module-argument.ts';

export type ModuleDeclaration = GitModule | ForgeModule | TarballModule | LocalModule;

interface CommonModule {
  /** The directory's name. */
  readonly name: string;
  readonly owner: string | undefined;
  /** Absolute, below the environment. */
  readonly directory: string;
  /** Whether `spec` is left out. */
  readonly excludesSpec: boolean;
}

export interface GitModule extends CommonModule {
  readonly kind: 'git';
  readonly remote: string;
  /** `undefined` stands for the branch that the environment itself is of. */
  readonly ref: string | undefined;
  /** Tried in this order where the reference does not exist. */
  readonly fallbacks: readonly string[];
  readonly defaultRef: string | undefined;
  readonly defaultOverride: string | undefined;
}

export interface ForgeModule extends CommonModule {
  readonly kind: 'forge';
  readonly owner: string;
  /** A version; `latest`; or `undefined` for what is there already, else the latest. */
  readonly version: string | undefined;
}

export interface TarballModule extends CommonModule {
  readonly kind: 'tarball';
  /** A URL or a path. */
  readonly location: string;
  /** SHA-256, hexadecimal. */
  readonly checksum: string | undefined;
}

/** Belongs to the control repository: nothing is done but to leave it alone. */
export interface LocalModule extends CommonModule {
  readonly kind: 'local';
}

export interface DeclarationContext {
  /** Of the environment, absolute. */
  readonly directory: string;
  /** Where modules go that say nothing else; absolute or relative to the environment. */
  readonly moduleDirectory: string;
  readonly excludesSpec: boolean;
  readonly defaultRef: string | undefined;
  readonly defaultBranchOverride: string | undefined;
}

/** Arguments by the names of their symbols. */
export type NamedArguments = ReadonlyMap<string, ModuleArgument>;

const version =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?(\+[\da-zA-Z-]+(\.[\da-zA-Z-]+)*)?$/;

/** @throws DeployError naming the module, in r10k's words where it has any */
export function decodeModule(
  title: string,
  args: ArgumentHash | string | symbol | null,
  context: DeclarationContext,
): ModuleDeclaration {
  const named = nameArguments(title, args);
  const common = commonOf(title, named, context);
  const type = textOf(named.get('type'));
  if (named.has('git') || type === 'git') return gitModule(title, named, common, context);
  if (named.has('svn') || type === 'svn')
    throw new DeployError(`Puppetfile content '${common.name}' is in Subversion, which is not supported`);
  if (isSet(named.get('local')) || type === 'local') return { ...common, kind: 'local' };
  if (type === 'forge') return forgeModule(title, named, common);
  if (type === 'tarball') return tarballModule(named, common);
  throw new DeployError(
    `Module ${title} with args ${inspect(args)} doesn't have an implementation. (Are you using the right arguments?)`,
  );
}

function nameArguments(title: string, args: ArgumentHash | string | symbol | null): NamedArguments {
  if (args === null || typeof args !== 'object')
    return new Map<string, ModuleArgument>([
      ['type', 'forge'],
      ['version', args],
    ]);
  return new Map(
    Array.from(args, ([key, value]) => {
      const name = typeof key === 'number' ? undefined : textOf(key);
      if (name === undefined) throw new DeployError(`Module ${title} has an argument ${inspect(key)}`);
      return [name, value] as const;
    }),
  );
}

function commonOf(title: string, args: NamedArguments, context: DeclarationContext): CommonModule {
  const match = /^(?:(\w+)[-/])?(\w+)$/.exec(title);
  const name = match?.[2];
  if (name === undefined)
    throw new DeployError(
      `Module name (${title.replace('/', '-')}) must match either 'modulename' or 'owner/modulename'`,
    );
  const installPath = args.get('install_path');
  const hasInstallPath = installPath !== undefined && installPath !== null;
  const path = hasInstallPath ? textOf(installPath) : context.moduleDirectory;
  if (path === undefined) throw new DeployError(`Puppetfile content '${name}': install_path is no string`);
  const parent = resolve(context.directory, path);
  checkInside(context.directory, parent, name);
  const excludes = args.get('exclude_spec');
  return {
    name,
    owner: match?.[1],
    directory: resolve(parent, name),
    // What is installed elsewhere need not be a module: its spec may be anything.
    excludesSpec: !hasInstallPath && (excludes === undefined ? context.excludesSpec : isSet(excludes)),
  };
}

function checkInside(directory: string, path: string, name: string): void {
  const within = relative(directory, path);
  if (within !== '..' && !within.startsWith('../') && !isAbsolute(within)) return;
  throw new DeployError(
    `Puppetfile cannot manage content '${name}' outside of containing environment: ${path} is not within ${directory}`,
  );
}

const refNames = ['version', 'branch', 'tag', 'commit', 'ref'];

function gitModule(
  title: string,
  args: NamedArguments,
  common: CommonModule,
  context: DeclarationContext,
): GitModule {
  const remote = textOf(args.get('git')) ?? textOf(args.get('source'));
  if (remote === undefined || remote === '') throw new DeployError(`Module ${title} has no git remote`);
  // Of several the last counts, as in r10k.
  const named = [...args].filter(([key, value]) => refNames.includes(key) && value !== null).at(-1)?.[1];
  const isLinked = ['true', 'link'].includes(asWord(args.get('link')));
  const ref = isLinked || named === Symbol.for('control_branch') ? undefined : (textOf(named) ?? 'master');
  return {
    ...common,
    kind: 'git',
    remote,
    ref: named === undefined && !isLinked ? (context.defaultRef ?? 'master') : ref,
    fallbacks: (textOf(args.get('fallback')) ?? '').split('|').filter((branch) => branch !== ''),
    defaultRef: textOf(args.get('default_branch')),
    defaultOverride: textOf(args.get('default_branch_override')) ?? context.defaultBranchOverride,
  };
}

function forgeModule(title: string, args: NamedArguments, common: CommonModule): ForgeModule {
  const { owner } = common;
  if (owner === undefined)
    throw new DeployError(
      `Forge module names must match 'owner/modulename', instead got ${title.replace('/', '-')}`,
    );
  const wanted = args.get('version') ?? null;
  if (wanted === null) return { ...common, owner, kind: 'forge', version: undefined };
  const text = textOf(wanted);
  if (text === 'latest') return { ...common, owner, kind: 'forge', version: 'latest' };
  if (typeof wanted !== 'string' || !version.test(wanted))
    throw new DeployError(`Module version ${text ?? inspect(wanted)} is not a valid Forge module version`);
  return { ...common, owner, kind: 'forge', version: wanted };
}

function tarballModule(args: NamedArguments, common: CommonModule): TarballModule {
  const location = textOf(args.get('source'));
  if (location === undefined) throw new DeployError(`Module ${common.name} is a tarball without a source`);
  const checksum = textOf(args.get('version')) ?? textOf(args.get('checksum'));
  return { ...common, kind: 'tarball', location, checksum };
}

/** Strings, symbols and numbers as text. */
function textOf(value: ModuleArgument | undefined): string | undefined {
  if (typeof value === 'symbol') return value.description;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}

function asWord(value: ModuleArgument | undefined): string {
  return value === true ? 'true' : (textOf(value) ?? '');
}

function isSet(value: ModuleArgument | undefined): boolean {
  return value !== undefined && value !== null && value !== false;
}
