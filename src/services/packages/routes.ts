/** `/packages`: scripts that install agents, and what they install. Open to everybody: who asks has nothing yet. */

import { type HttpRequest, type HttpResponse, type Route, route } from '../../platform/http/index.ts';
import { type InstallationTarget, type InstallScript, renderInstallScript } from './install-scripts.ts';
import type { PackageSource, ServedFile } from './package-source.ts';
import { tarOf } from './tar-archive.ts';

export interface PackageRoutesOptions {
  readonly source: PackageSource;
  /** Asked for each script: certificates may change. */
  readonly target: () => Promise<InstallationTarget>;
  /** The directory of our PXP agent. */
  readonly pxpAgent: string;
}

const anyone = { kind: 'anyone' } as const;

export function packageRoutes(options: PackageRoutesOptions): readonly Route[] {
  const scripts = (['install.bash', 'install.ps1'] as const).map((name) =>
    route({
      method: 'GET',
      path: `/packages/current/${name}`,
      allow: anyone,
      handle: () => serveScript(name, options),
    }),
  );
  const files = route({
    method: 'GET',
    path: '/packages/*',
    takesInPath: ['dot', 'empty'],
    allow: anyone,
    handle: (request) => serveFile(request, options.source),
  });
  // Made once: the program's own files do not change.
  let archive: Promise<Buffer> | undefined;
  const pxpAgent = route({
    method: 'GET',
    path: '/packages/current/pxp-agent.tar.gz',
    allow: anyone,
    async handle() {
      archive ??= tarOf(options.pxpAgent, 'pxp-agent');
      return { status: 200, headers: { 'content-type': 'application/gzip' }, body: await archive };
    },
  });
  return [...scripts, pxpAgent, files];
}

async function serveScript(name: InstallScript, { target }: PackageRoutesOptions): Promise<HttpResponse> {
  const body = await renderInstallScript(name, await target());
  return { status: 200, headers: { 'content-type': 'text/plain;charset=utf-8' }, body };
}

async function serveFile({ headers, params }: HttpRequest, source: PackageSource): Promise<HttpResponse> {
  // apt asks for `./Packages`, which clients may send as it is.
  const path = (params['*'] ?? '').split('/').filter((name) => name !== '.' && name !== '');
  const isSafe = path.every((name) => name !== '..' && !name.includes('\0') && !name.includes('\\'));
  const file = isSafe && path.length > 0 ? await source.find(path.join('/')) : undefined;
  if (file === undefined)
    return { status: 404, headers: { 'content-type': 'text/plain;charset=utf-8' }, body: 'Not Found' };
  const validators = { 'last-modified': file.modified.toUTCString(), etag: file.etag };
  if (isUnchanged(headers, file)) return { status: 304, headers: validators };
  return {
    status: 200,
    headers: {
      ...validators,
      'content-type': 'application/octet-stream',
      'content-length': file.bytes,
    },
    body: file.stream(),
  };
}

function isUnchanged(headers: HttpRequest['headers'], { etag, modified }: ServedFile): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return known.split(',').some((each) => each.trim() === etag);
  const since = headers['if-modified-since'];
  // HTTP's dates know whole seconds.
  return since !== undefined && Date.parse(since) >= Math.floor(modified.getTime() / 1000) * 1000;
}
