/** Recorded changes, and the filter of a query for them. */

import type { Author, Change } from '../../platform/changes/index.ts';

export interface RecordedChange extends Change {
  /** Grows with each change. */
  readonly id: number;
}

/** Alternatives of one kind are joined by `or`, kinds by `and`. */
export interface ActivityFilter {
  readonly services: readonly string[];
  readonly alternatives: {
    readonly objects: readonly {
      readonly kind: 'object';
      readonly type: string;
      readonly id: string | undefined;
    }[];
    readonly authors: readonly {
      readonly kind: 'author';
      readonly authorKinds: readonly Author['kind'][];
      readonly id: string | undefined;
    }[];
    readonly addresses: readonly { readonly kind: 'address'; readonly address: string }[];
    readonly times: readonly {
      readonly kind: 'time';
      readonly start: Date | undefined;
      readonly end: Date | undefined;
    }[];
  };
  /** Only later ones. */
  readonly after: Date | undefined;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** The services whose changes are recorded, with the permission that shows them. */
export const recordedServices = [
  { service: 'ca', objectType: 'cert_requests', action: 'accept_reject' },
  { service: 'classifier', objectType: 'node_groups', action: 'view' },
  { service: 'code-manager', objectType: 'environment', action: 'deploy_code' },
  { service: 'infrastructure', objectType: 'infrastructure', action: 'edit' },
  { service: 'orchestrator', objectType: 'orchestrator', action: 'view' },
  { service: 'puppetdb', objectType: 'nodes', action: 'view_data' },
  { service: 'rbac', objectType: 'users', action: 'edit' },
] as const;
