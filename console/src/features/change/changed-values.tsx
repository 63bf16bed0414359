/** The old and new values of a change, if the user may see them. */

import type { ReactElement } from 'react';
import type { WholeChange } from '../../api/activity.ts';
import { differences } from '../../lib/undo.ts';
import styles from './change.module.css';
import { DifferenceTable } from './difference-table.tsx';

/** Counters of changes and absent values are left out: no user has set them. */
function shown(state: unknown): unknown {
  if (typeof state !== 'object' || state === null) return {};
  const {
    id: _,
    last_edited: __,
    serial_number: ___,
    ...values
  } = state as Readonly<Record<string, unknown>>;
  return values;
}

export function ChangedValues({ change }: { readonly change: WholeChange }): ReactElement {
  const { after, before } = change;
  return (
    <section aria-labelledby="values">
      <h2 id="values">Old and new values</h2>
      {change.values_shown ? (
        <DifferenceTable rows={differences(shown(before), shown(after))} />
      ) : (
        <p className={styles.reason}>You need permission to view this object to see its values.</p>
      )}
    </section>
  );
}
