/** Edits of groups that have not been committed: kept in the tab until they are, also when its page is loaded again. */

import { useCallback, useMemo, useState } from 'react';
import type { GroupRow } from '../../api/classifier.ts';
import { editsBetween, type GroupDefinition, withoutName } from '../../lib/group-edits.ts';

const key = 'bunraku.groups';

type Drafts = Readonly<Record<string, GroupDefinition>>;

export interface Edit {
  readonly group: GroupDefinition;
  readonly sentences: readonly string[];
}

export interface GroupDrafts {
  /** All groups as they would be. */
  readonly groups: readonly GroupDefinition[];
  /** Groups that would change. */
  readonly edits: readonly Edit[];
  readonly change: (group: GroupDefinition) => void;
  /** Forgets all edits. */
  readonly discard: () => void;
}

export function useGroupDrafts(stored: readonly GroupRow[]): GroupDrafts {
  const [drafts, setDrafts] = useState(readDrafts);
  const store = useCallback((update: (before: Drafts) => Drafts) => {
    setDrafts((before) => {
      const next = update(before);
      sessionStorage.setItem(key, JSON.stringify(next));
      return next;
    });
  }, []);
  const originals = useMemo(() => new Map(stored.map((row) => [row.id, definitionOf(row)])), [stored]);
  const change = useCallback(
    (group: GroupDefinition) =>
      store((before) => {
        const isSame = originals.has(group.id) && editsBetween(originals.get(group.id), group).length === 0;
        return isSame ? withoutName(before, group.id) : { ...before, [group.id]: group };
      }),
    [store, originals],
  );
  const discard = useCallback(() => store(() => ({})), [store]);
  return useMemo(() => {
    const added = Object.values(drafts).filter(({ id }) => !originals.has(id));
    const edits = Object.values(drafts).map((group) => ({
      group,
      sentences: editsBetween(originals.get(group.id), group),
    }));
    const groups = [...Array.from(originals.values(), (each) => drafts[each.id] ?? each), ...added];
    return { groups, edits: edits.filter(({ sentences }) => sentences.length > 0), change, discard };
  }, [drafts, originals, change, discard]);
}

function readDrafts(): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Drafts;
  } catch {
    return {}; // of another version of the console
  }
}

/** Without what only answers have. */
function definitionOf(row: GroupRow): GroupDefinition {
  const { classes, config_data, description, environment, environment_trumps, id, name, parent, rule } = row;
  return {
    id,
    name,
    parent,
    environment,
    environment_trumps,
    ...(description === undefined ? {} : { description }),
    ...(rule === undefined ? {} : { rule }),
    classes,
    variables: row.variables,
    config_data,
    serial_number: row.serial_number,
  };
}
