/** A group to delete that somebody else has changed since: what they changed, and the choice. */

import type { ReactElement } from 'react';
import type { DeletionConflict } from '../../lib/group-drafts.ts';
import { partName, versionDifferences } from '../../lib/group-versions.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import type { GroupDrafts } from './draft.ts';
import pageStyles from './page.module.css';
import styles from './versions.module.css';
import { partText } from './versions.tsx';

interface ChangedDeletionProps {
  readonly conflict: DeletionConflict;
  readonly drafts: GroupDrafts;
}

export function ChangedDeletion({ conflict, drafts }: ChangedDeletionProps): ReactElement {
  const { base, theirs } = conflict;
  const differences = versionDifferences(base, base, theirs);
  return (
    <article aria-label={theirs.name}>
      <header className={pageStyles.groupHead}>
        <h2 className={pageStyles.title}>{visibleText(theirs.name)}</h2>
      </header>
      <section aria-label="Changed meanwhile" className={styles.versions}>
        <h3>Another user has changed this group since you deleted it here</h3>
        <table className={styles.differences}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">As you saw it</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ mine, path, theirs: now }) => (
              <tr key={JSON.stringify(path)}>
                <th scope="row">{visibleText(partName(path))}</th>
                <td>{partText(path, mine, drafts.groups)}</td>
                <td>{partText(path, now, drafts.groups)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className={styles.actions}>
          <Button look="primary" onPress={() => drafts.resolve(conflict, undefined)}>
            Keep the group
          </Button>
          <Button onPress={() => drafts.remove(theirs)}>Delete it anyway</Button>
        </div>
      </section>
    </article>
  );
}
