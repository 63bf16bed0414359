/** The part of the address that belongs to the record of changes. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const activityServices = [
  'classifier',
  'rbac',
  'code-manager',
  'ca',
  'infrastructure',
  'orchestrator',
  'puppetdb',
] as const;
export const activityTimes = ['1h', '1d', '7d', '30d'] as const;

export interface ActivitySearch {
  readonly service?: (typeof activityServices)[number] | undefined;
  /** The login of the author. */
  readonly author?: string | undefined;
  /** `node_groups:ID` */
  readonly object?: string | undefined;
  readonly q?: string | undefined;
  /** How far back; as far as the record goes when absent. */
  readonly since?: (typeof activityTimes)[number] | undefined;
}

export function activitySearch(search: RawSearch): ActivitySearch {
  return {
    service: oneIn(search, 'service', activityServices),
    author: textIn(search, 'author'),
    object: textIn(search, 'object'),
    q: textIn(search, 'q'),
    since: oneIn(search, 'since', activityTimes),
  };
}
