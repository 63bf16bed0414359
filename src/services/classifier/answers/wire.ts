/** Answers of `/classifier-api/v1`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

/** Parameters by class, then by name. */
const ClassValues = z.record(z.string(), z.record(z.string(), z.unknown()));
const Values = z.record(z.string(), z.unknown());
/** `["=", ["fact", "kernel"], "Linux"]` */
const Rule = z.array(z.unknown());

export const GroupAnswerWire = z.strictObject({
  id: z.string(),
  name: z.string(),
  parent: z.string(),
  description: z.string().exactOptional(),
  environment: z.string(),
  environment_trumps: z.boolean(),
  /** Absent in a group that matches no node. */
  rule: Rule.exactOptional(),
  classes: ClassValues,
  variables: Values,
  config_data: ClassValues,
  last_edited: z.iso.datetime(),
  /** Counts the changes of the group; a change names the one that it is made of. */
  serial_number: z.int(),
});

export const ListedGroupWire = GroupAnswerWire.extend({
  /** Classes and parameters that the code does not have any more. */
  deleted: z.record(z.string(), Values).exactOptional(),
});
export const GroupsWire = z.array(ListedGroupWire);

export const ChangedGroupsWire = z.strictObject({ groups: z.array(GroupAnswerWire) });

/** What groups give a node; only what differs. */
const OutcomeWire = z.strictObject({
  /** Names of groups. */
  groups: z.array(z.string()).exactOptional(),
  environment: z.string().exactOptional(),
  classes: z.unknown().optional(),
  variables: z.unknown().optional(),
  config_data: z.unknown().optional(),
  /** Of groups that contradict each other. */
  error: z.string().exactOptional(),
});

export const ChangePreviewWire = z.strictObject({
  /** How many nodes were looked at. */
  total: z.int(),
  /** Those that change. */
  nodes: z.array(z.strictObject({ name: z.string(), before: OutcomeWire, after: OutcomeWire })),
  /** Why this user may not make the change. */
  refused: z.string().exactOptional(),
});

const ClassificationWire = z.strictObject({
  environment: z.string(),
  classes: ClassValues,
  variables: Values,
  config_data: ClassValues,
});

export const ExplanationWire = z.strictObject({
  node_as_received: z.unknown(),
  /** By the id of the group. `form`: an operator, then conditions, or what was compared with the value that it had. */
  match_explanations: z.record(
    z.string(),
    z.strictObject({ value: z.boolean(), form: z.array(z.unknown()) }),
  ),
  leaf_groups: z.record(z.string(), GroupAnswerWire),
  inherited_classifications: z.record(z.string(), ClassificationWire),
  conflicts: z.unknown().optional(),
  /** Absent with conflicts. */
  final_classification: ClassificationWire.exactOptional(),
});

export const MemberCountsWire = z.strictObject({
  as_of: z.iso.datetime(),
  /** How many nodes there are. */
  total: z.int(),
  /** By the id of the group. */
  groups: z.record(z.string(), z.int()),
});

/** `null` where PuppetDB can't be asked for the rule. */
const Translated = Rule.nullable();

export const GroupRulesWire = z.strictObject({
  rule: Rule.nullable(),
  rule_with_inherited: Rule.nullable(),
  translated: z.strictObject({ nodes_query_format: Translated, inventory_query_format: Translated }),
});

export const TranslatedRuleWire = z.strictObject({ query: Rule });

export const EnvironmentsWire = z.array(z.strictObject({ name: z.string(), sync_succeeded: z.boolean() }));

const ClassWire = z.strictObject({
  name: z.string(),
  environment: z.string(),
  /** Defaults, by the name of the parameter. */
  parameters: z.record(z.string(), z.unknown()),
  /** With `details=true`. */
  details: z
    .strictObject({
      description: z.string().nullable(),
      parameters: z.record(
        z.string(),
        z.strictObject({
          /** As it is written. */
          type: z.string(),
          is_required: z.boolean(),
          default_text: z.string().nullable(),
          description: z.string().nullable(),
        }),
      ),
    })
    .exactOptional(),
});
export const ClassesWire = z.array(ClassWire);

export const UnpinnedWire = z.strictObject({
  nodes: z.array(
    z.strictObject({
      name: z.string(),
      groups: z.array(z.strictObject({ id: z.string(), name: z.string(), environment: z.string() })),
    }),
  ),
});

export type GroupAnswer = Answer<z.infer<typeof GroupAnswerWire>>;
export type ListedGroup = Answer<z.infer<typeof ListedGroupWire>>;
export type ChangePreview = Answer<z.infer<typeof ChangePreviewWire>>;
export type NodeOutcome = Answer<z.infer<typeof OutcomeWire>>;
export type ClassificationAnswer = Answer<z.infer<typeof ClassificationWire>>;
export type Explanation = Answer<z.infer<typeof ExplanationWire>>;
export type ClassAnswer = Answer<z.infer<typeof ClassWire>>;
export type MemberCountsAnswer = Answer<z.infer<typeof MemberCountsWire>>;
export type GroupRules = Answer<z.infer<typeof GroupRulesWire>>;
export type TranslatedRule = Answer<z.infer<typeof TranslatedRuleWire>>;
