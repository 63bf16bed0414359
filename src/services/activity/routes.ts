/** `/activity-api`: who changed what, when and from where. */

import { csvLines } from '../../lib/csv.ts';
import { ServiceError } from '../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  type Identity,
  type IdentityAccess,
  isAllowed,
  json,
  type Route,
  route,
} from '../../platform/http/index.ts';
import { type ActivityFilter, recordedServices } from './activity.ts';
import { changeListRoutes, mayReadObject } from './change-list.ts';
import type { ActivityStore } from './store.ts';
import {
  type CertificateSubject,
  decodeFirst,
  decodeSecond,
  renderFirst,
  renderRows,
  renderSecond,
} from './wire.ts';

export interface ActivityRoutesOptions {
  readonly store: ActivityStore;
  /** Certificates that may see everything. */
  readonly operators: IdentityAccess;
  readonly certificates: CertificateSubject;
}

const usualLimit = 1000;
const usualCsvLimit = 10_000;

/** Users see the changes of the services that their roles let them see. */
export function activityRoutes({ certificates, operators, store }: ActivityRoutesOptions): readonly Route[] {
  const allow: Access = { kind: 'any-of', of: [{ kind: 'permission' }, operators] };
  type Filter = ReturnType<typeof decodeFirst>;
  const find = async ({ identity }: HttpRequest, filter: Filter) => {
    const { service, ...rest } = filter;
    const services = visibleServices(identity, operators, service);
    return await store.find({ ...rest, services } satisfies ActivityFilter);
  };
  return [
    ...changeListRoutes({
      store,
      allow,
      visible: (identity, wanted) => visibleServices(identity, operators, wanted),
      seesValues: (identity, change) => isAllowed(operators, identity) || mayReadObject(identity, change),
    }),
    route({
      method: 'GET',
      path: '/activity-api/v1/events',
      allow,
      async handle(request) {
        const filter = decodeFirst(request.query, certificates, usualLimit);
        return json(renderFirst(await find(request, filter), filter, certificates));
      },
    }),
    route({
      method: 'GET',
      path: '/activity-api/v1/events.csv',
      allow,
      async handle(request) {
        const { changes } = await find(request, decodeFirst(request.query, certificates, usualCsvLimit));
        const lines = csvLines(renderRows(changes, certificates));
        return {
          status: 200,
          headers: { 'content-type': 'text/csv;charset=utf-8' },
          body: lines.map((line) => `${line}\n`).join(''),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/activity-api/v2/events',
      allow,
      async handle(request) {
        const filter = decodeSecond(request.query, certificates, usualLimit);
        return json(renderSecond(await find(request, filter), filter, certificates));
      },
    }),
  ];
}

/**
 * @param wanted - all that the client may see when absent
 * @throws ServiceError `forbidden` when it is one whose changes the client may not see
 */
function visibleServices(
  identity: Identity,
  operators: IdentityAccess,
  wanted: string | undefined,
): readonly string[] {
  const isVisible = ({ action, objectType }: (typeof recordedServices)[number]) =>
    isAllowed(operators, identity) || (identity.kind === 'user' && identity.permits({ objectType, action }));
  const known = recordedServices.filter(({ service }) => wanted === undefined || service === wanted);
  const visible = known.filter(isVisible);
  const [refused] = known;
  if (wanted !== undefined && refused !== undefined && visible.length === 0)
    throw new ServiceError(
      'forbidden',
      `The changes of ${wanted} are shown to users with the permission ${refused.objectType}:${refused.action}`,
      { kind: 'puppetlabs.activity/permission-denied' },
    );
  return visible.map(({ service }) => service);
}
