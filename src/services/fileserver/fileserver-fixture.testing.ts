/** For tests: a file server over a temporary tree, asked through its routes. */

import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { HttpRequest, HttpResponse } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type CodeVersion, FileServer, fileserverRoutes } from './index.ts';

/** Path -> content, `{ link }` or `{ mode, content }`. */
export type Tree = Readonly<
  Record<string, string | { readonly link: string } | { readonly content: string; readonly mode: number }>
>;

export interface Fixture {
  readonly directory: string;
  readonly version: CodeVersion;
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<HttpResponse & { text: string }>;
  remove(): Promise<void>;
}

export interface FixtureOptions {
  /** Modules in the order of the module path; each lies in `modules/`, or where its path from the environment leads. */
  readonly modules: readonly string[];
  /** Relative to the environment's directory. */
  readonly tree: Tree;
  readonly logicalDirectory: string;
  readonly environment?: string;
  readonly codeId?: string;
  readonly isMutable?: boolean;
  /** Relative to the temporary directory, which is also `codedir`; the environment's own `modules` when absent. */
  readonly modulePath?: readonly string[];
  /** The text of `fileserver.conf`; `DIR` in it is the temporary directory. */
  readonly fileserverConf?: string;
}

export async function makeFixture(options: FixtureOptions): Promise<Fixture> {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-fileserver-'));
  const environment = join(directory, 'environment');
  await mkdir(environment);
  await plant(environment, options.tree);
  const conf = join(directory, 'fileserver.conf');
  if (options.fileserverConf !== undefined) {
    await writeFile(conf, options.fileserverConf.replaceAll('DIR', directory));
  }
  const version: CodeVersion = {
    codeId: options.codeId ?? null,
    directory: environment,
    logicalDirectory: options.logicalDirectory,
    modulePath: (options.modulePath ?? ['environment/modules']).map((path) => join(directory, path)),
    modules: options.modules.map((name) => ({
      name: basename(name),
      directory: join(environment, name.includes('/') ? name : `modules/${name}`),
    })),
    isMutable: options.isMutable ?? false,
  };
  const server = new FileServer({
    code: {
      withVersion: (name, codeId) =>
        name === (options.environment ?? 'production') && (codeId ?? options.codeId) === options.codeId
          ? version
          : undefined,
    },
    log: silentLogger,
    codeDirectory: directory,
    fileserverConf: conf,
    owner: { uid: 103, gid: 106 },
    now: () => Date.now(),
    steadyMs: () => performance.now(),
  });
  return {
    directory,
    version,
    get: async (target, headers) => await ask(server, target, headers),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Makes files below a directory, and the directories they need. */
export async function plant(directory: string, tree: Tree): Promise<void> {
  for (const [path, entry] of Object.entries(tree)) {
    const file = join(directory, path);
    await mkdir(path.endsWith('/') ? file : dirname(file), { recursive: true });
    if (path.endsWith('/')) continue;
    if (typeof entry === 'string') await writeFile(file, entry);
    else if ('link' in entry) await symlink(entry.link, file);
    else {
      await writeFile(file, entry.content);
      await chmod(file, entry.mode);
    }
  }
}

async function ask(server: FileServer, target: string, headers?: Readonly<Record<string, string>>) {
  const url = new URL(target, 'https://localhost');
  // Not from the URL: it would resolve relative segments.
  const path = target.split('?')[0] ?? '';
  const routes = fileserverRoutes(server, silentLogger);
  const found = routes.find((candidate) => path.startsWith(candidate.path.slice(0, -1)));
  if (found === undefined) throw new Error(`no route for ${target}`);
  const request: HttpRequest = {
    method: 'GET',
    path,
    params: { '*': decodeURIComponent(path.slice(found.path.length - 1)) },
    query: url.searchParams,
    headers: { accept: '*/*', ...headers },
    identity: {
      kind: 'certificate',
      certname: 'agent1.bench.test',
      extensions: {},
      serial: '1',
      raw: Buffer.alloc(0),
      address: '127.0.0.1',
    },
    signal: new AbortController().signal,
    body: async () => Buffer.alloc(0),
    stream: () => {
      throw new Error('no body');
    },
  };
  const response = await found.handle(request);
  const { body } = response;
  const sent = typeof body === 'object' && !Buffer.isBuffer(body) ? await text(body) : String(body ?? '');
  return { ...response, text: sent };
}
