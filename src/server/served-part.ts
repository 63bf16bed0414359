/** A part of a role, as it shows on the port for agents. */

import type { Route } from '../platform/http/index.ts';
import type { StatusRegistry } from '../services/status/index.ts';

export interface ServedPart {
  readonly routes: readonly Route[];
  /** Says how it is. */
  register?(status: StatusRegistry): void;
}
