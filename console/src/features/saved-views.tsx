/** Filters and queries that are saved under a name: a button that saves, and the list of those that are there. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { addView, deleteView, readViews, type SavedView, type ViewKind } from '../api/views.ts';
import { visibleText } from '../lib/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import styles from './saved-views.module.css';
import { useChange } from './use-change.ts';

const viewsKey = ['console', 'views'] as const;

interface SaveViewProps {
  readonly kind: ViewKind;
  /** The part of the address, or the query. */
  readonly content: string;
  /** `Save view` */
  readonly label: string;
}

export function SaveView({ content, kind, label }: SaveViewProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const { failure, isBusy, run } = useChange(...viewsKey);
  const save = async () => {
    if (await run(() => addView({ kind, name, content, is_shared: isShared }))) setOpen(false);
  };
  return (
    <>
      <Button look="quiet" isDisabled={content.trim() === ''} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? (
        <Dialog
          title={label}
          action="Save"
          isDisabled={isBusy || name.trim() === ''}
          failure={failure}
          onAct={() => void save()}
          onClose={() => setOpen(false)}
        >
          <Field label="Name" name="name" isRequired onChange={setName} />
          <label className={styles.shared}>
            <input type="checkbox" checked={isShared} onChange={(event) => setShared(event.target.checked)} />
            Others who may see nodes see it, too
          </label>
        </Dialog>
      ) : undefined}
    </>
  );
}

interface SavedViewsProps {
  readonly kind: ViewKind;
  /** `Saved queries` */
  readonly title: string;
  /** A link to the saved view, or a button that applies it. */
  readonly render: (view: SavedView, name: string) => ReactNode;
}

/** Renders nothing without saved views. */
export function SavedViews({ kind, render, title }: SavedViewsProps): ReactElement | undefined {
  const queries = useQueryClient();
  const { data = [] } = useQuery({
    queryKey: viewsKey,
    queryFn: ({ signal }) => readViews(signal),
    staleTime: 60_000,
  });
  const views = data.filter((view) => view.kind === kind);
  if (views.length === 0) return undefined;
  const forget = async (id: string) => {
    await deleteView(id);
    await queries.invalidateQueries({ queryKey: viewsKey });
  };
  return (
    <details className={styles.views}>
      <summary>
        {title} ({views.length})
      </summary>
      <ul>
        {views.map((view) => (
          <li key={view.id} className={styles.view}>
            <span>{render(view, visibleText(view.name))}</span>
            <span className={styles.owner}>
              {view.is_own ? (view.is_shared ? 'Shared' : '') : `Shared by ${visibleText(view.owner)}`}
            </span>
            {view.is_own ? (
              <Button
                look="quiet"
                label={`Delete ${visibleText(view.name)}`}
                onPress={() => void forget(view.id)}
              >
                Delete
              </Button>
            ) : undefined}
          </li>
        ))}
      </ul>
    </details>
  );
}
