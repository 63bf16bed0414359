/** Shared by the tabs of a group: the edited group, its ancestors, and the user's rights to change it. */

import { type ReactElement, useMemo } from 'react';
import { useSession } from '../../features/session.ts';
import type { GroupDefinition } from '../../lib/group-edits.ts';
import { ancestorsOf } from '../../lib/group-lineage.ts';
import { type GroupPart, refusalOf } from '../../lib/group-rights.ts';
import styles from './page.module.css';

export interface PartProps {
  readonly group: GroupDefinition;
  /** All groups as they would be. */
  readonly groups: readonly GroupDefinition[];
  /** Classes and parameters that are missing in the code of its environment. */
  readonly missing: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly onChange: (group: GroupDefinition) => void;
}

/** Why this user may not change a part of the group; `undefined` when they may. */
export function useRefusal(
  part: GroupPart,
  { group, groups }: Pick<PartProps, 'group' | 'groups'>,
): string | undefined {
  const { permissions, user } = useSession();
  return useMemo(
    () => refusalOf(part, group, ancestorsOf(group, groups), { isSuperuser: user.is_superuser, permissions }),
    [part, group, groups, permissions, user],
  );
}

export function ReadOnly({ reason }: { readonly reason: string | undefined }): ReactElement | undefined {
  return reason === undefined ? undefined : <p className={styles.readOnly}>{`Read-only. ${reason}`}</p>;
}
