/** The file `fileserver.conf`: sections that are mounts, each with a path. */

import { isAbsolute } from 'node:path';

/** Mounts that are always there and need no path; naming one in the file changes nothing. */
const builtInMounts = ['modules', 'plugins', 'locales', 'pluginfacts', 'scripts', 'tasks'] as const;

export interface FileserverConf {
  /** Mount -> directory, in the order of the file. */
  readonly directories: ReadonlyMap<string, string>;
  /** What was ignored, worth a line in the log. */
  readonly warnings: readonly string[];
}

class FileserverConfError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileserverConfError';
  }
}

/**
 * @param file - named in messages
 * @throws FileserverConfError naming file and line
 */
export function parseFileserverConf(text: string, file: string): FileserverConf {
  const directories = new Map<string, string | undefined>();
  const warnings: string[] = [];
  let mount: string | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const location = `(file: ${file}, line: ${index + 1})`;
    if (/^\s*(#|$)/.test(line)) continue;
    const section = /\[([-\w]+)\]/.exec(line)?.[1];
    if (section !== undefined) {
      if (directories.has(section)) {
        throw new FileserverConfError(`mount[${section}] is already mounted at ${section} at ${location}`);
      }
      directories.set(section, undefined);
      mount = section;
      continue;
    }
    const [, name, rawValue = ''] = /^\s*(\w+)\s+(.+?)(?:\s*#.*)?$/.exec(line) ?? [];
    const value = rawValue.trim();
    if (name === undefined) throw new FileserverConfError(`Invalid entry at ${location}: '${line}'`);
    if (value.startsWith('=')) {
      throw new FileserverConfError("Fileserver configuration file does not use '=' as a separator");
    }
    if (name === 'path') setPath(directories, mount, value, { location, warnings });
    else if (name !== 'allow' && name !== 'deny') {
      throw new FileserverConfError(`Invalid argument '${name}' at ${location}`);
    } else if (name !== 'allow' || value !== '*') {
      warnings.push(`Entry '${line}' is unsupported and will be ignored at ${location}`);
    }
  }
  return { directories: withPaths(directories), warnings };
}

function setPath(
  directories: Map<string, string | undefined>,
  mount: string | undefined,
  path: string,
  { location, warnings }: { location: string; warnings: string[] },
): void {
  if (mount === undefined) throw new FileserverConfError(`Invalid argument 'path' at ${location}`);
  if (isBuiltIn(mount)) {
    warnings.push(`The '${mount}' module can not have a path. Ignoring attempt to set it`);
    return;
  }
  if (!isAbsolute(path)) throw new FileserverConfError(`Paths must be fully qualified at ${location}`);
  directories.set(mount, path);
}

function withPaths(directories: ReadonlyMap<string, string | undefined>): ReadonlyMap<string, string> {
  const usable = new Map<string, string>();
  for (const [mount, path] of directories) {
    if (path !== undefined) usable.set(mount, path);
    else if (!isBuiltIn(mount)) throw new FileserverConfError('Mounts without paths are not usable');
  }
  return usable;
}

function isBuiltIn(mount: string): boolean {
  return builtInMounts.some((name) => name === mount);
}
