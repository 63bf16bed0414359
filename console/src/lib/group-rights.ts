/** The parts of a group that a user may change, and the missing permissions. The classifier decides; this predicts its answer. */

import type { Granted } from './permissions.ts';

/** A part of a group that is changed with permissions of its own. */
export type GroupPart = 'settings' | 'rule' | 'environment' | 'classes' | 'variables' | 'data' | 'existence';

interface Need {
  readonly what: string;
  /** For the group or one above it. */
  readonly here: readonly string[];
  /** For a group above it, as `modify_children`. */
  readonly above: readonly string[];
}

const needs: Readonly<Record<GroupPart, Need>> = {
  settings: { what: 'name, parent and description', here: [], above: [] },
  existence: { what: 'whether the group exists', here: [], above: [] },
  rule: { what: 'the rule', here: [], above: ['edit_child_rules'] },
  environment: { what: 'the environment', here: ['set_environment'], above: [] },
  classes: { what: 'the classes', here: ['edit_classification'], above: [] },
  variables: { what: 'the variables', here: ['edit_params_and_vars', 'edit_classification'], above: [] },
  data: { what: 'the data', here: ['edit_config_data'], above: [] },
};

export interface RightsOf {
  readonly isSuperuser: boolean;
  readonly permissions: readonly Granted[];
}

interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

/** The installation's own groups are below it. */
const infrastructure = 'PE Infrastructure';

/**
 * @param ancestors - from the parent up to the root
 * @returns a sentence; `undefined` when it is allowed
 */
export function refusalOf(
  part: GroupPart,
  group: NamedGroup,
  ancestors: readonly NamedGroup[],
  { isSuperuser, permissions }: RightsOf,
): string | undefined {
  if (isSuperuser) return undefined;
  const { above, here, what } = needs[part];
  const may = (action: string, { id }: NamedGroup) =>
    permissions.some(
      (each) =>
        each.object_type === 'node_groups' &&
        each.action === action &&
        (each.instance === '*' || each.instance === id),
    );
  const isOnHere = [group, ...ancestors].some((each) => here.some((action) => may(action, each)));
  const isAbove = ancestors.some((each) => ['modify_children', ...above].some((action) => may(action, each)));
  const [action = above[0] ?? 'modify_children'] = here;
  const where = here.length > 0 ? 'this group or one above it' : 'a group above it';
  if (!isOnHere && !isAbove)
    return `You may not change ${what} of this group: the permission node_groups:${action} for ${where} is missing.`;
  const isOwn = [group, ...ancestors].some(({ name }) => name === infrastructure);
  const mayServers = permissions.some(
    (each) => each.object_type === 'infrastructure' && each.action === 'edit',
  );
  if (!isOwn || mayServers) return undefined;
  return `${infrastructure} and the groups below it configure the installation itself: to change them, you need the permission infrastructure:edit.`;
}
