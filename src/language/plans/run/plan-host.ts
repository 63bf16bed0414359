/** What a plan asks of the world. A plan runs in a thread that blocks, so all of it is synchronous. */

import type { Json, JsonObject } from '../../../lib/json.ts';

export interface ActionOptions {
  /** What people see of it: `task facts`, `command 'uptime'`, or what the plan says. */
  readonly description: string;
  readonly runAs?: string;
  readonly noop?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
}

interface OnTargets {
  readonly targets: readonly string[];
  readonly options: ActionOptions;
}

/** Something that takes its time. Paths of files are logical, or absolute where the plan gave them so. */
export type PlanAction =
  | ({ readonly kind: 'command'; readonly command: string } & OnTargets)
  | ({
      readonly kind: 'script';
      /** As the plan names it: `module/path`. */
      readonly script: string;
      readonly path: string;
      readonly arguments: readonly string[];
      readonly powershellParameters?: JsonObject;
    } & OnTargets)
  | ({
      readonly kind: 'task';
      readonly task: string;
      /** For each target, in the order of `targets`: mostly the same for all. */
      readonly parameters: readonly JsonObject[];
      /** Parameters that are not shown to anybody. */
      readonly sensitive: readonly string[];
    } & OnTargets)
  | ({ readonly kind: 'upload'; readonly source: string; readonly destination: string } & OnTargets)
  /** Text that has no file: for `write_file()`. */
  | ({ readonly kind: 'write'; readonly content: string; readonly destination: string } & OnTargets)
  | ({ readonly kind: 'download'; readonly source: string; readonly destination: string } & OnTargets)
  /** Catalogs in rich JSON, in the order of `targets`. */
  | ({ readonly kind: 'apply'; readonly catalogs: readonly string[] } & OnTargets)
  /** Brings plugins of the environment and asks for facts. */
  | ({ readonly kind: 'apply-prep' } & OnTargets)
  /** What Puppet finds of types and of single resources. */
  | ({ readonly kind: 'resources'; readonly resources: readonly string[] } & OnTargets)
  | ({ readonly kind: 'wait'; readonly seconds: number; readonly retrySeconds: number } & OnTargets)
  | { readonly kind: 'sleep'; readonly seconds: number };

/** One for each target, in any order; `value` has `_error` where it failed. */
export interface TargetOutcome {
  readonly target: string;
  readonly value: JsonObject;
}

export type ActionOutcome =
  | { readonly kind: 'results'; readonly results: readonly TargetOutcome[] }
  /** It could not be begun: not allowed, no such task, no agent to do it. */
  | {
      readonly kind: 'failed';
      readonly error: { readonly kind: string; readonly msg: string; readonly details?: JsonObject };
    }
  | { readonly kind: 'slept' };

export interface FinishedAction {
  readonly id: number;
  readonly outcome: ActionOutcome;
}

export type PlanLogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** What people are told while a plan runs. */
export type PlanEvent =
  | { readonly kind: 'message' | 'verbose'; readonly message: string }
  | { readonly kind: 'log'; readonly level: PlanLogLevel; readonly message: string }
  | { readonly kind: 'plan-started' | 'plan-ended'; readonly plan: string }
  | { readonly kind: 'default-logging'; readonly isOn: boolean };

export interface PlanHost {
  /** Begins an action. @returns what it is known by when it ends */
  start(action: PlanAction): number;
  /** Gives up on an action that the plan does not wait for any more. */
  abandon(id: number): void;
  /** Blocks until one of the actions ends that have begun. */
  next(): FinishedAction;
  tell(event: PlanEvent): void;
  /** The metadata of a task, `{}` for one without; `undefined` when there is no such task. */
  findTask(name: string): JsonObject | undefined;
  /** Rows, as PuppetDB answers them. @throws PuppetError when it cannot be asked */
  queryPuppetdb(query: Json): Json;
  environmentVariable(name: string): string | undefined;
}
