/** Files of modules as agents fetch them, and other files of this machine. */

import { createHash } from 'node:crypto';
import { DiskFileTree } from '../../lib/disk-file-tree.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CodeTerminus } from '../../services/compiler/index.ts';

/** As actions name it. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is no JSON: it may have more members
export type ModuleFile = {
  readonly filename: string;
  readonly sha256: string;
  readonly uri: { readonly path: string; readonly params: Readonly<Record<string, string>> };
};

/** `undefined` for anything but a file below `files` or `scripts` of a module. @param path - logical */
export function moduleFile(code: CodeTerminus, environment: string, path: string): ModuleFile | undefined {
  return withModules(code, environment, (modules) => modules.file(path));
}

/**
 * What `file download` of agents takes to bring a file or a whole directory of a module.
 *
 * @returns `undefined` for anything that is not below `files` or `scripts` of a module
 */
export function moduleUpload(
  code: CodeTerminus,
  environment: string,
  source: string,
  destination: string,
): readonly JsonObject[] | undefined {
  return withModules(code, environment, (modules) => modules.upload(source, destination));
}

/** A file of this machine, which agents get nowhere; `undefined` where there is none. @param path - absolute */
export function serverFile(code: CodeTerminus, environment: string, path: string): Uint8Array | undefined {
  return withModules(code, environment, (modules) => modules.content(path));
}

function withModules<T>(
  code: CodeTerminus,
  environment: string,
  use: (modules: ModuleFiles) => T,
): T | undefined {
  const acquired = code.acquire(environment);
  if (acquired === undefined) return undefined;
  try {
    const { config, mappings, physicalDirectory } = acquired.source;
    const files = new DiskFileTree(config.directory, physicalDirectory, mappings);
    return use(new ModuleFiles(files, config.modulepath, environment));
  } finally {
    acquired.release();
  }
}

class ModuleFiles {
  private readonly files: DiskFileTree;
  private readonly modulepath: readonly string[];
  private readonly environment: string;

  constructor(files: DiskFileTree, modulepath: readonly string[], environment: string) {
    this.files = files;
    this.modulepath = modulepath;
    this.environment = environment;
  }

  file(path: string): ModuleFile | undefined {
    const uri = this.uriPath(path);
    const content = this.content(path);
    if (uri === undefined || content === undefined) return undefined;
    return {
      filename: path.split('/').at(-1) ?? path,
      sha256: createHash('sha256').update(content).digest('hex'),
      uri: { path: uri, params: { environment: this.environment } },
    };
  }

  content(path: string): Uint8Array | undefined {
    return this.files.kind(path) === 'file' ? this.files.readBytes(path) : undefined;
  }

  upload(source: string, destination: string): readonly JsonObject[] | undefined {
    if (this.files.kind(source) === 'directory')
      return this.uriPath(source) === undefined ? undefined : this.directory(source, destination);
    const file = this.file(source);
    if (file === undefined) return undefined;
    const { sha256, uri } = file;
    return [{ destination, kind: 'file', link_source: '', uri, sha256 }];
  }

  private directory(source: string, destination: string): readonly JsonObject[] {
    const itself = {
      destination,
      kind: 'directory',
      link_source: '',
      uri: { path: '', params: {} },
      sha256: '',
    };
    const inside = (this.files.list(source) ?? []).flatMap(
      ({ name }) => this.upload(`${source}/${name}`, `${destination.replace(/\/$/, '')}/${name}`) ?? [],
    );
    return [itself, ...inside];
  }

  /** `undefined` where agents get nothing from. */
  private uriPath(path: string): string | undefined {
    const root = this.modulepath.find((directory) => path.startsWith(`${directory}/`));
    const [, module, mount, rest = ''] =
      /^([^/]+)\/(files|scripts)(\/.+)?$/.exec(path.slice((root ?? '').length + 1)) ?? [];
    if (root === undefined || module === undefined) return undefined;
    return `/puppet/v3/file_content/${mount === 'files' ? 'modules' : 'scripts'}/${module}${rest}`;
  }
}
