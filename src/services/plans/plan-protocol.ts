/** The messages between the main thread and the thread of a plan. */

import type { EnvironmentConfig } from '../../language/environment/index.ts';
import type { InventoryOptions, PlanAction, PlanEvent } from '../../language/plans/index.ts';
import type { DirectoryMapping } from '../../lib/disk-file-tree.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { BlockingLink } from '../../platform/threads/index.ts';
import type { ActionOutcome } from './termini.ts';

/** One version of an environment's code, as a thread loads it. */
export interface PlanSource {
  /** Where the files below `config.directory` really are. */
  readonly physicalDirectory: string;
  /** Further directories of code that lie elsewhere. */
  readonly mappings?: readonly DirectoryMapping[];
  readonly config: EnvironmentConfig;
}

export interface PlanThreadData {
  readonly source: PlanSource;
  readonly plan: string;
  /** Only tells what the plan takes; `parameters` are not looked at. */
  readonly isDescribed: boolean;
  readonly parameters: JsonObject;
  readonly inventory: InventoryOptions;
  /** Answers `PlanQuestion`. */
  readonly questions: BlockingLink;
  /** Its signal counts the actions that have ended. */
  readonly actions: BlockingLink;
}

export type PlanQuestion =
  | { readonly kind: 'task'; readonly name: string }
  | { readonly kind: 'puppetdb'; readonly query: Json };

export type PlanAnswer =
  | { readonly kind: 'value'; readonly value: Json | undefined }
  | { readonly kind: 'failed'; readonly message: string };

/** To the main thread, over the port of actions. */
export type FromPlan =
  | { readonly kind: 'start'; readonly id: number; readonly action: PlanAction }
  | { readonly kind: 'abandon'; readonly id: number }
  | { readonly kind: 'event'; readonly event: PlanEvent };

/** From the main thread, over the same port. */
export interface ToPlan {
  readonly id: number;
  readonly outcome: ActionOutcome;
}
