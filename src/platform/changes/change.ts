/** The record of a change to something people manage: a group, user, role, token, environment or certificate. */

import type { Json } from '../../lib/json.ts';
import type { Author } from './author.ts';

/** What a service states about a change. */
export interface ChangeDetails {
  readonly object: ChangedObject;
  /** What happened, at least one. */
  readonly events: readonly ChangeEvent[];
  /** The object before and after, as its API shows it, without secrets. Absent for what was created, deleted, or has no state. */
  readonly before?: Json;
  readonly after?: Json;
}

/** Names of services and types are those of Puppet Enterprise's activity API. */
export interface ChangedObject {
  /** `rbac`, `classifier`, `code-manager`. */
  readonly service: string;
  /** In the plural: `node_groups`, `users`. */
  readonly type: string;
  readonly id: string;
  readonly name: string;
}

export interface ChangeEvent {
  /** `create`, `edit`, `delete`. */
  readonly action: string;
  /** The part that it happened to: `node_group`, `class`. */
  readonly what: string;
  /** One sentence for people, without secrets. */
  readonly message: string;
}

/** A change together with who made it, as it is stored. */
export interface Change extends ChangeDetails {
  readonly author: Author;
  readonly time: Date;
}
