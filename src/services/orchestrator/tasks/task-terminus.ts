/** Where tasks come from: the live code of environments. */

import type { Json, JsonObject } from '../../../lib/json.ts';

export interface TaskFile {
  readonly filename: string;
  /** Lower-case hexadecimal: agents compare text. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly uri: { readonly path: string; readonly params: Readonly<Record<string, string>> };
}

export interface TaskDetails {
  /** `module`, or `module::task`. */
  readonly name: string;
  readonly metadata: JsonObject;
  readonly files: readonly TaskFile[];
}

export type TaskAnswer =
  | { readonly kind: 'found'; readonly value: TaskDetails }
  | { readonly kind: 'no-environment' }
  | { readonly kind: 'no-module' }
  | { readonly kind: 'not-in-module' }
  | {
      readonly kind: 'invalid';
      readonly issue: {
        readonly kind: string;
        readonly message: string;
        readonly details: Readonly<Record<string, unknown>>;
      };
    };

export interface TaskTerminus {
  /** @returns `undefined` when there is no such environment */
  tasks(
    environment: string,
  ): Promise<readonly { readonly name: string; readonly metadata: JsonObject }[] | undefined>;
  task(environment: string, name: string): Promise<TaskAnswer>;
}

export type TaskParameters = Readonly<Record<string, Json>>;
