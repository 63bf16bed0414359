/** How bodies of `/console-api/v1` are read, and what is said to those that can't be. */

import { allMistakes, JsonBodies } from '../../lib/json-body.ts';
import { ServiceError } from '../../lib/service-error.ts';

export const consoleBodies = new JsonBodies({
  takesEmpty: true,
  notJson: () =>
    new ServiceError('bad-request', 'The body is not JSON', { kind: 'bunraku.console/not-json' }),
  misshapen: (problem) =>
    new ServiceError('bad-request', allMistakes(problem), { kind: 'bunraku.console/schema-violation' }),
});
