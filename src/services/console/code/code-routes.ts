/** `GET /console-api/v1/code/:environment/files`: the files of a version of an environment, to be read. */

import { ServiceError } from '../../../lib/service-error.ts';
import { json, type Route, route, type WantedPermission } from '../../../platform/http/index.ts';
import { type CodePath, CodePathWire } from '../wire.ts';

export interface CodeSource {
  /** The commit that is served; `undefined` for an unknown environment. */
  currentCommit(environment: string): string | undefined;
  /**
   * A directory or file of a commit that is kept; `undefined` when there is none.
   *
   * @param path - below the environment's directory; empty for that directory
   * @throws ServiceError `bad-request` for a path that leaves the environment
   */
  find(environment: string, commit: string, path: string, mostBytes: number): Promise<FoundPath | undefined>;
}

type FoundPath =
  | { readonly kind: 'directory'; readonly entries: readonly FoundEntry[] }
  | { readonly kind: 'file'; readonly bytes: number; readonly content: Buffer | undefined };

interface FoundEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link';
  readonly bytes: number | undefined;
}

/** Larger files are not shown. */
const mostBytes = 1024 * 1024;

export function codeRoutes(source: CodeSource): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/console-api/v1/code/:environment/files',
      allow: { kind: 'permission', permission: { objectType: 'environment', action: 'deploy_code' } },
      shapes: { answer: CodePathWire },
      async handle({ identity, params, query }) {
        const environment = params['environment'] ?? '';
        const wanted: WantedPermission = {
          objectType: 'environment',
          action: 'deploy_code',
          instance: environment,
        };
        if (identity.kind !== 'user' || !identity.permits(wanted)) throw notPermitted(environment);
        const commit = query.get('commit') ?? source.currentCommit(environment);
        const path = query.get('path') ?? '';
        const found =
          commit === undefined ? undefined : await source.find(environment, commit, path, mostBytes);
        if (commit === undefined || found === undefined) throw notFound(environment, commit, path);
        return json(encode(found, commit, path));
      },
    }),
  ];
}

function encode(found: FoundPath, commit: string, path: string): CodePath {
  if (found.kind === 'file') {
    const { bytes, content } = found;
    return { kind: 'file', commit, path, bytes, text: textOf(content) };
  }
  const entries = found.entries.map(({ bytes = null, kind, name }) => ({ name, kind, bytes }));
  return { kind: 'directory', commit, path, entries };
}

/** `null` for what is not UTF-8, or has bytes that no text has. */
function textOf(content: Buffer | undefined): string | null {
  if (content === undefined || content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return null; // not UTF-8
  }
}

function notPermitted(environment: string): ServiceError {
  const message = `The permission environment:deploy_code for ${environment} is missing`;
  return new ServiceError('forbidden', message, { kind: 'puppetlabs.rbac/permission-denied' });
}

function notFound(environment: string, commit: string | undefined, path: string): ServiceError {
  const message =
    commit === undefined
      ? `There is no environment ${environment}`
      : `The version ${commit} of ${environment} is not kept, or has no ${path === '' ? 'files' : path}`;
  return new ServiceError('not-found', message, {
    kind: 'bunraku.console/unknown-path',
    details: { environment, commit: commit ?? null, path },
  });
}
