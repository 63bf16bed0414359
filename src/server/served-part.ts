/** A part of a role, as it shows on the port for agents. */

import type { Route } from '../platform/http/index.ts';
import type { Alert, StatusRegistry } from '../services/status/index.ts';

export interface ServedPart {
  readonly routes: readonly Route[];
  /** What is wrong with it, for the status of the server. */
  alerts?(): readonly Alert[];
  /** Says how it is. */
  register?(status: StatusRegistry): void;
}
