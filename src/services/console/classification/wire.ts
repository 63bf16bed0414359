/** Catalog differences by a change of groups: request and answer. */

import { z } from 'zod';
import type { ReadOnlyAnswer } from '../../../lib/read-only-answer.ts';

/** Compiles take time: the caller picks some of the nodes that change. */
const mostNodes = 5;

export const GroupCatalogsQueryWire = z.strictObject({
  /** As `POST commands/preview-groups` of the classifier takes them, which checks them. */
  groups: z.array(z.unknown()).default([]),
  deleted: z.array(z.unknown()).default([]),
  certnames: z.array(z.string().min(1).max(500)).min(1).max(mostNodes),
});

const ResourceChange = z.strictObject({
  name: z.string(),
  /** Absent when the catalog before has none. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

export const GroupCatalogsWire = z.strictObject({
  samples: z.array(
    z.strictObject({
      certname: z.string(),
      /** Puppet's error when one of the catalogs does not compile. */
      error: z.string().nullable(),
      /** References of resources. */
      added: z.array(z.string()),
      removed: z.array(z.string()),
      changed: z.array(z.strictObject({ reference: z.string(), changes: z.array(ResourceChange) })),
    }),
  ),
});

export type GroupCatalogs = ReadOnlyAnswer<z.infer<typeof GroupCatalogsWire>>;
