/** Tells clients of a server in a test where they are and who they are. */

import { type Route, route } from '../../src/platform/http/index.ts';

/** `GET /who` answers `ADDRESS CERTNAME`, or with the kind of identity where there is no certificate. */
export const whoRoute: Route = route({
  method: 'GET',
  path: '/who',
  allow: { kind: 'anyone' },
  handle: ({ identity }) => ({
    status: 200,
    body: `${identity.address} ${identity.kind === 'certificate' ? identity.certname : identity.kind}`,
  }),
});
