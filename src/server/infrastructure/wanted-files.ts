/** Which files compile servers need besides code: what settings say, and what is found by them. */

import { readFile, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { ifThere } from '../../lib/if-there.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { ServedEnvironment } from '../../services/environments/index.ts';
import { isWithin, pathsIn, type WantedFiles, type WantedPath } from '../../services/server-files/index.ts';

type FileSettings = Pick<
  Settings,
  | 'codeDir'
  | 'codeStagingDir'
  | 'compileServerFiles'
  | 'externalNodes'
  | 'hieraConfig'
  | 'nodeTerminus'
  | 'trustedExternalCommand'
>;

export interface WantedFilesOptions {
  readonly settings: FileSettings;
  /** Directories that belong to each server alone. */
  readonly ownDirectories: readonly string[];
  /** The environments that are served. */
  readonly live: () => readonly Pick<
    ServedEnvironment,
    'config' | 'configVersionCommand' | 'directory' | 'key'
  >[];
}

/** In an environment, or in the global `hiera.yaml`. */
interface Named {
  readonly path: string;
  readonly source: string;
  /** Directories are not looked for, but for the home of gpg. */
  readonly mayBeDirectory: boolean;
  /** A path that may be something else than a file is no mistake when there is no such file. */
  readonly isSurelyFile: boolean;
}

export function wantedFiles({
  live,
  ownDirectories,
  settings,
}: WantedFilesOptions): () => Promise<WantedFiles> {
  const { compileServerFiles } = settings;
  const listed = compileServerFiles
    .filter((path) => path !== 'auto')
    .map((path) => ({ path: plain(path), source: 'compile_server_files', isRequired: true }));
  const isAuto = compileServerFiles.includes('auto');
  const named = new NamedInEnvironments();
  return async () => {
    const hieraText = await ifThere(readFile(settings.hieraConfig));
    const hieraConfig = hieraText === undefined ? {} : { hieraConfig: plain(settings.hieraConfig) };
    if (!isAuto) return { paths: listed, ...hieraConfig };
    const candidates = [
      ...(hieraText === undefined ? [] : namedInHiera(hieraText, settings.hieraConfig)),
      ...(await named.of(live())),
    ].filter(({ path }) => !ownDirectories.some((directory) => isWithin(path, directory)));
    const found = await Promise.all(merged(candidates).map((candidate) => foundPath(candidate, settings)));
    const paths = [...listed, ...ofSettings(settings, hieraText !== undefined), ...found.flat()];
    return { paths: withoutRepetitions(paths), ...hieraConfig };
  };
}

/** Without them no server could compile as the primary does. */
function ofSettings(
  { externalNodes, hieraConfig, nodeTerminus, trustedExternalCommand }: FileSettings,
  hasHiera: boolean,
): readonly WantedPath[] {
  const [program = ''] = externalNodes.split(/\s+/).filter((word) => word !== '');
  return [
    ...(hasHiera ? [{ path: hieraConfig, source: 'hiera_config' }] : []),
    ...(nodeTerminus === 'exec' ? [{ path: program, source: 'external_nodes' }] : []),
    { path: trustedExternalCommand, source: 'trusted_external_command' },
  ].flatMap(({ path, source }) =>
    path.startsWith('/') ? [{ path: plain(path), source, isRequired: true }] : [],
  );
}

/** The code of one version does not change: it is looked at once. */
class NamedInEnvironments {
  private known = new Map<string, readonly Named[]>();

  async of(
    environments: readonly Pick<ServedEnvironment, 'config' | 'configVersionCommand' | 'directory' | 'key'>[],
  ): Promise<readonly Named[]> {
    const known = new Map<string, readonly Named[]>();
    for (const environment of environments) {
      const { key } = environment;
      known.set(key, this.known.get(key) ?? (await namedIn(environment)));
    }
    this.known = known;
    return [...known.values()].flat();
  }
}

async function namedIn({
  config,
  configVersionCommand,
  directory,
}: Pick<ServedEnvironment, 'config' | 'configVersionCommand' | 'directory'>): Promise<readonly Named[]> {
  const text = await ifThere(readFile(join(directory, 'hiera.yaml')));
  const [program = ''] = configVersionCommand.split(/\s+/);
  const isInside = isWithin(program, config.directory);
  return [
    ...(text === undefined ? [] : namedInHiera(text, `hiera.yaml of ${config.name}`)),
    ...(program.startsWith('/') && !isInside
      ? [
          {
            path: plain(program),
            source: `config_version of ${config.name}`,
            mayBeDirectory: false,
            isSurelyFile: false,
          },
        ]
      : []),
  ];
}

function namedInHiera(text: Buffer, where: string): readonly Named[] {
  return pathsIn(text).map(({ option, path }) => ({
    path,
    source: `${option} in ${where}`,
    mayBeDirectory: option.endsWith('gnupghome'),
    isSurelyFile: option.startsWith('pkcs7_'),
  }));
}

/** A thousand environments name the same few keys. */
function merged(candidates: readonly Named[]): readonly Named[] {
  const byPath = new Map<string, Named>();
  for (const named of candidates) {
    const known = byPath.get(named.path) ?? named;
    byPath.set(named.path, {
      ...known,
      mayBeDirectory: known.mayBeDirectory || named.mayBeDirectory,
      isSurelyFile: known.isSurelyFile || named.isSurelyFile,
    });
  }
  return [...byPath.values()];
}

/** What lies among the code travels with it. */
async function foundPath(
  { isSurelyFile, mayBeDirectory, path, source }: Named,
  { codeDir, codeStagingDir }: FileSettings,
): Promise<readonly WantedPath[]> {
  if (isWithin(path, codeDir)) {
    const staged = join(codeStagingDir, path.slice(codeDir.length));
    if (isWithin(path, join(codeDir, 'environments')) || (await kindOf(staged)) !== undefined) return [];
  }
  const kind = await kindOf(path);
  const isWanted =
    kind === 'file' || (kind === 'directory' && mayBeDirectory) || (isSurelyFile && kind !== 'directory');
  return isWanted ? [{ path, source, isRequired: false }] : [];
}

/** Of several that name a path the first counts; it is required when any of them says so. */
function withoutRepetitions(paths: readonly WantedPath[]): readonly WantedPath[] {
  const byPath = new Map<string, WantedPath>();
  for (const wanted of paths) if (!byPath.has(wanted.path)) byPath.set(wanted.path, wanted);
  return [...byPath.values()];
}

/** `unreadable` when it can't be looked at; `undefined` when nothing is there. */
async function kindOf(path: string): Promise<'file' | 'directory' | 'unreadable' | undefined> {
  try {
    const stats = await stat(path);
    return stats.isDirectory() ? 'directory' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'unreadable';
  }
}

function plain(path: string): string {
  return normalize(path).replace(/(.)\/+$/, '$1');
}
