/**
 * The paths of Puppet 3: `/<environment>/certificate/<name>` for `/puppet-ca/v1/certificate/<name>`.
 *
 * They are authorised as the paths that they stand for, so that one `auth.conf` holds for both.
 */

import type { Route } from '../http/index.ts';

const prefix = '/puppet-ca/v1/';
/** What a CA of Puppet 3 had. */
const legacyCaIndirections: readonly string[] = [
  'certificate',
  'certificate_request',
  'certificate_revocation_list',
  'certificate_status',
  'certificate_statuses',
];

/** @param path - `/production/certificate/ca` @returns `/puppet-ca/v1/certificate/ca` */
function currentCaPath(path: string): string {
  return prefix + path.split('/').slice(2).join('/');
}

/** @param routes - of the CA; those that Puppet 3 did not have are left out */
export function legacyCaPaths(routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => {
    const [indirection = '', parameter] = route.path.slice(prefix.length).split('/');
    if (!legacyCaIndirections.includes(indirection) || !parameter?.startsWith(':')) return [];
    const path = `/:environment/${indirection}/${parameter}`;
    return [{ ...route, path, authorizedAs: currentCaPath }];
  });
}
