/** What the orchestrator reads of a task's metadata. */

import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';

export interface DeclaredParameter {
  /** A type expression. */
  readonly type: string;
  readonly hasDefault: boolean;
  readonly defaultValue: Json;
  readonly isSensitive: boolean;
}

export interface TaskMetadata {
  /** `undefined`: the task takes any parameters. */
  readonly parameters: ReadonlyMap<string, DeclaredParameter> | undefined;
  readonly supportsNoop: boolean;
}

const ParameterWire = z.looseObject({
  type: z.string().default('Any'),
  sensitive: z.boolean().default(false),
});

const MetadataWire = z.looseObject({
  supports_noop: z.boolean().default(false),
  parameters: z.record(z.string(), ParameterWire).nullish(),
});

/** @returns `undefined` when it is malformed */
export function readTaskMetadata(metadata: JsonObject): TaskMetadata | undefined {
  const found = checkShape(MetadataWire, metadata).data;
  if (found === undefined) return undefined;
  const { parameters, supports_noop: supportsNoop } = found;
  if (parameters === null || parameters === undefined) return { parameters: undefined, supportsNoop };
  const declared = Object.entries(parameters).map(([name, { sensitive, type, ...rest }]) => {
    const hasDefault = Object.hasOwn(rest, 'default');
    const defaultValue = hasDefault ? (rest['default'] as Json) : null;
    return [name, { type, hasDefault, defaultValue, isSensitive: sensitive }] as const;
  });
  return { parameters: new Map(declared), supportsNoop };
}
