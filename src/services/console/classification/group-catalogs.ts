/** `POST /console-api/v1/classification/catalogs`: the catalogs of some nodes before and after a change of groups. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type Access, json, type Route, route } from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import { type CatalogToCompare, diffOf } from '../inspect/catalog-diff.ts';
import { requirePermission } from '../required-permission.ts';
import { type GroupCatalogs, GroupCatalogsQueryWire, GroupCatalogsWire } from './wire.ts';

export interface GroupCatalogsSource {
  /**
   * Reads a change of groups, and compiles catalogs with the groups as they are and as they would be. Nothing is stored.
   *
   * @param changes - the body of the classifier's preview
   * @returns compiles one node's catalogs; @throws ServiceError `compile-failed` in Puppet's words
   * @throws ServiceError as the classifier's preview does
   */
  tryOut(changes: Buffer): CompileBoth;
}

export type CompileBoth = (
  certname: string,
  signal: AbortSignal,
) => Promise<{ readonly before: CatalogToCompare; readonly after: CatalogToCompare }>;

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };

export function groupCatalogsRoute(source: GroupCatalogsSource): Route {
  return route({
    method: 'POST',
    path: '/console-api/v1/classification/catalogs',
    allow,
    shapes: { body: GroupCatalogsQueryWire, answer: GroupCatalogsWire },
    async handle({ body, identity, signal }) {
      const { certnames, deleted, groups } = consoleBodies.decode(GroupCatalogsQueryWire, await body());
      requirePermission(identity, { objectType: 'node_groups', action: 'view', instance: '*' });
      requirePermission(identity, { objectType: 'puppetserver', action: 'compile_catalogs' });
      const compile = source.tryOut(Buffer.from(JSON.stringify({ groups, deleted })));
      const samples: GroupCatalogs['samples'][number][] = [];
      // One after another: agents wait for the same workers.
      for (const certname of new Set(certnames)) samples.push(await sampleOf(compile, certname, signal));
      return json({ samples } satisfies GroupCatalogs);
    },
  });
}

async function sampleOf(
  compile: CompileBoth,
  certname: string,
  signal: AbortSignal,
): Promise<GroupCatalogs['samples'][number]> {
  try {
    const { after, before } = await compile(certname, signal);
    const { resources } = diffOf({ certname }, before, { certname }, after);
    return {
      certname,
      error: null,
      added: resources.added.map(({ reference }) => reference),
      removed: resources.removed.map(({ reference }) => reference),
      changed: resources.changed.map(({ changes, reference }) => ({
        reference,
        changes: changes.map(withoutNoise),
      })),
    };
  } catch (error) {
    if (!(error instanceof ServiceError) || !['compile-failed', 'not-found'].includes(error.reason))
      throw error;
    return { certname, error: error.message, added: [], removed: [], changed: [] };
  }
}

/** Both catalogs are of the same node: nothing differs in names alone. */
function withoutNoise<T extends { readonly is_noise: boolean }>(change: T): Omit<T, 'is_noise'> {
  const { is_noise: _, ...rest } = change;
  return rest;
}
