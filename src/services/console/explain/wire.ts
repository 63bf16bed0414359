/** Why a node gets a value or a resource: the question and its answer. */

import { z } from 'zod';
import type { ReadOnlyAnswer } from '../../../lib/read-only-answer.ts';

/** Exactly one of `lookup`, `parameter` and `resource`. */
export const ExplainQueryWire = z
  .strictObject({
    certname: z.string().min(1),
    /** That of the node when absent. */
    environment: z.string().regex(/^\w+$/, 'must be the name of an environment').optional(),
    /** A key of Hiera. */
    lookup: z.string().min(1).max(1000).optional(),
    /** `ntp::servers`: a parameter of a class. */
    parameter: z.string().min(1).max(1000).optional(),
    /** `File[/etc/motd]` */
    resource: z.string().min(1).max(4000).optional(),
  })
  .refine(
    ({ lookup, parameter, resource }) =>
      [lookup, parameter, resource].filter((each) => each !== undefined).length === 1,
    'needs exactly one of lookup, parameter and resource',
  );

/** A file and line of code or data. */
const PlaceWire = z.strictObject({
  /** As compiles name it. */
  path: z.string(),
  /** Below the directory of the environment; null for files elsewhere. */
  file: z.string().nullable(),
  line: z.int().nullable(),
});

/** Values that are encrypted or sensitive, or come from an own function, are hidden. */
const ExplainedValueWire = z.union([
  z.strictObject({ is_hidden: z.literal(true) }),
  z.strictObject({ is_hidden: z.literal(false), value: z.unknown() }),
]);

const valueSources = ['code', 'group', 'data', 'default', 'none'] as const;

export const ExplainAnswerWire = z.strictObject({
  certname: z.string(),
  environment: z.string(),
  /** The version of code that was compiled. */
  commit: z.string().nullable(),
  /** Why manifests and classes were left out: the code does not compile. */
  problem: z.string().nullable(),
  /** The source of the value; null for resources. */
  source: z.enum(valueSources).nullable(),
  /** Null when there is none. */
  value: ExplainedValueWire.nullable(),
  /** The type of the parameter, as it is written. */
  type: z.string().nullable(),
  /** How the values of several levels become one; null where the first one counts. */
  merge: z.strictObject({ strategy: z.string(), is_from_data: z.boolean() }).nullable(),
  remarks: z.array(z.string()),
  /** In the order in which they count; for a resource from itself outwards. */
  steps: z.array(
    z.strictObject({
      kind: z.enum(['code', 'group', 'level', 'default']),
      /** The name of the level, the declared resource, or the text of the default. */
      name: z.string(),
      result: z.enum(['found', 'not-found', 'no-file']),
      /** Whether the value, or a part of it, comes from here. */
      is_decisive: z.boolean(),
      /** `global`, `environment` or `module` for a level; `class` or `data` for a group. */
      layer: z.string().nullable(),
      /** The id of the group. */
      group: z.string().nullable(),
      place: PlaceWire.nullable(),
      /** The `hiera.yaml` of a level. */
      config: PlaceWire.nullable(),
      /** Where a class or defined type is defined. */
      definition: PlaceWire.nullable(),
      /** The path of a level as `hiera.yaml` has it. */
      original: z.string().nullable(),
      value: ExplainedValueWire.nullable(),
      /** Expressions within the value, such as other lookups. */
      uses: z.array(z.string()),
    }),
  ),
  /** Of a class. */
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      source: z.enum(valueSources),
      type: z.string().nullable(),
      value: ExplainedValueWire.nullable(),
      place: PlaceWire.nullable(),
    }),
  ),
});

export type ExplainQuery = z.input<typeof ExplainQueryWire>;
export type ExplainAnswer = ReadOnlyAnswer<z.infer<typeof ExplainAnswerWire>>;
