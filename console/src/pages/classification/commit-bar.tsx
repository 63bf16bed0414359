/** All edits together: first what they do to which nodes, then the commit. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactElement, useEffect, useState } from 'react';
import { type ChangePreview, changeGroups } from '../../api/classifier.ts';
import { ApiError } from '../../api/client.ts';
import { useChange } from '../../features/use-change.ts';
import { nodesText } from '../../lib/jobs.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, LoadingRows } from '../../ui/states.tsx';
import { CatalogSamples } from './catalog-samples.tsx';
import barStyles from './commit-bar.module.css';
import type { GroupDrafts } from './draft.ts';
import styles from './page.module.css';
import { groupList, preview } from './queries.ts';
import { Committed } from './run-puppet.tsx';

interface CommitBarProps {
  readonly drafts: GroupDrafts;
}

export function CommitBar({ drafts }: CommitBarProps): ReactElement | undefined {
  const [isOpen, setOpen] = useState(false);
  // The nodes that the last commit has changed.
  const [changed, setChanged] = useState<readonly string[]>([]);
  const count = drafts.edits.reduce((sum, { sentences }) => sum + sentences.length, 0);
  if (count === 0)
    return changed.length === 0 ? undefined : (
      <Committed certnames={changed} onClose={() => setChanged([])} />
    );
  const label = count === 1 ? 'Commit 1 change' : `Commit ${count} changes`;
  return (
    <>
      <section aria-label="Edits" className={barStyles.bar}>
        {drafts.conflicts.length === 0 ? (
          <span className={barStyles.barText}>
            {drafts.edits.map(({ group }) => visibleText(group.name)).join(', ')}
          </span>
        ) : (
          <ChangedMeanwhile drafts={drafts} />
        )}
        <Button onPress={drafts.discard}>Discard</Button>
        <Button look="primary" isDisabled={drafts.conflicts.length > 0} onPress={() => setOpen(true)}>
          {label}
        </Button>
      </section>
      {isOpen ? (
        <Commit drafts={drafts} onCommitted={setChanged} onClose={() => setOpen(false)} />
      ) : undefined}
    </>
  );
}

/** Links to the groups with a conflict. */
function ChangedMeanwhile({ drafts: { conflicts } }: CommitBarProps): ReactElement {
  return (
    <span className={barStyles.meanwhile}>
      Another user has changed{' '}
      {conflicts.map(({ base }, index) => (
        <Fragment key={base.id}>
          {index === 0 ? '' : ', '}
          <Link to="/groups/{-$id}" params={{ id: base.id }} className={styles.link}>
            {visibleText(base.name)}
          </Link>
        </Fragment>
      ))}
      . Compare both versions first.
    </span>
  );
}

interface CommitProps extends CommitBarProps {
  /** Gets the nodes that have changed. */
  readonly onCommitted: (certnames: readonly string[]) => void;
  readonly onClose: () => void;
}

function Commit({ drafts, onClose, onCommitted }: CommitProps): ReactElement {
  const { changes } = drafts;
  const result = useQuery(preview(changes));
  const { failure, isBusy, run } = useChange('classifier');
  useNewVersions(result.error);
  const commit = async () => {
    if (!(await run(() => changeGroups(changes)))) return;
    onCommitted(result.data?.nodes.map(({ name }) => name) ?? []);
    drafts.discard();
    onClose();
  };
  const mayCommit =
    drafts.conflicts.length === 0 && result.data !== undefined && result.data.refused === undefined;
  return (
    <Dialog
      title="What will change"
      action="Commit changes"
      cancel="Go on editing"
      isDisabled={isBusy || !mayCommit}
      failure={failure}
      failureTitle="Nothing was committed"
      onAct={() => void commit()}
      onClose={onClose}
    >
      {drafts.edits.map(({ group, sentences }) => (
        <section key={group.id} aria-label={group.name}>
          <h3>{visibleText(group.name)}</h3>
          <ul className={barStyles.sentences}>
            {sentences.map((sentence) => (
              <li key={sentence}>{visibleText(sentence)}</li>
            ))}
          </ul>
        </section>
      ))}
      {drafts.conflicts.length > 0 ? (
        <p className={styles.warning}>
          Another user has changed {drafts.conflicts.map(({ base }) => visibleText(base.name)).join(', ')}{' '}
          meanwhile. Go on editing to compare both versions.
        </p>
      ) : undefined}
      {result.data !== undefined ? (
        <>
          <Effect preview={result.data} />
          <CatalogSamples changes={changes} certnames={result.data.nodes.map(({ name }) => name)} />
        </>
      ) : result.isError ? (
        <Failure title="This can’t be committed" error={result.error} />
      ) : (
        <LoadingRows label="The nodes that change are being counted" rows={2} />
      )}
    </Dialog>
  );
}

/** After a conflict the groups are read again, to be compared. */
function useNewVersions(error: unknown): void {
  const queries = useQueryClient();
  const isConflict = error instanceof ApiError && error.status === 409;
  useEffect(() => {
    if (isConflict) void queries.invalidateQueries({ queryKey: groupList().queryKey });
  }, [queries, isConflict]);
}

const shownNodes = 20;

function Effect({ preview: { nodes, refused, total } }: { readonly preview: ChangePreview }): ReactElement {
  return (
    <section aria-label="Nodes">
      <h3>Nodes</h3>
      <p>{summaryOf(nodes, total)}</p>
      <ul className={barStyles.sentences}>
        {nodes.slice(0, shownNodes).map(({ after, name }) => (
          <li key={name}>
            {visibleText(name)}
            {after.error === undefined ? '' : `: ${visibleText(after.error)}`}
          </li>
        ))}
      </ul>
      {nodes.length > shownNodes ? <p>{`and ${nodes.length - shownNodes} more`}</p> : undefined}
      {refused === undefined ? undefined : (
        <p className={styles.warning}>{`You may not commit this: ${visibleText(reasonOf(refused))}`}</p>
      )}
    </section>
  );
}

function summaryOf(nodes: ChangePreview['nodes'], total: number): string {
  const groupsOf = (names: readonly string[] | undefined) => names?.length ?? 0;
  const kinds = nodes.map(({ after, before }) => {
    if (after.error !== undefined) return 'in conflict';
    const more = groupsOf(after.groups) - groupsOf(before.groups);
    return more > 0 ? 'gained' : more < 0 ? 'lost' : 'changed';
  });
  const parts = ['gained', 'lost', 'changed', 'in conflict'].flatMap((kind) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? 'node' : 'nodes'} ${kind}`];
  });
  return `${parts.length === 0 ? 'No node changes' : parts.join(', ')}; ${nodesText(total)} checked.`;
}

function reasonOf(refused: unknown): string {
  if (typeof refused === 'object' && refused !== null && 'msg' in refused) return String(refused.msg);
  return typeof refused === 'string' ? refused : JSON.stringify(refused);
}
