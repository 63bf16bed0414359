/** Undoes a change: says first what it does, and what stands in the way. */

import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import {
  changeRole,
  changeUser,
  createRole,
  deleteRole,
  deleteUser,
  type NewRole,
  type RoleRow,
  type UserRow,
} from '../../api/access.ts';
import type { WholeChange } from '../../api/activity.ts';
import {
  type ChangedGroup,
  type ChangePreview,
  changeGroups,
  type GroupChanges,
} from '../../api/classifier.ts';
import { nodesText } from '../../lib/jobs.ts';
import { type RevertWay, revertWay } from '../../lib/revert-way.ts';
import { differences, undo } from '../../lib/undo.ts';
import { settableFields, wireState } from '../../lib/wire-states.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, LoadingRows } from '../../ui/states.tsx';
import { useRecentLogin } from '../log-in-again.ts';
import styles from './change.module.css';
import { currentObject, revertPreview } from './change-queries.ts';
import { DifferenceTable } from './difference-table.tsx';

type Doable = Extract<RevertWay, { readonly of: unknown }>;

interface RevertProps {
  readonly change: WholeChange;
  /** The browser goes to the record of the object when absent. */
  readonly onReverted?: () => Promise<void>;
}

export function Revert({ change, onReverted }: RevertProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const way = revertWay(change);
  if (way.kind === 'none') return <p className={styles.reason}>{way.reason}</p>;
  if (way.kind === 'page') return <Elsewhere way={way} change={change} />;
  if (!change.values_shown)
    return <p className={styles.reason}>You need permission to view this object to revert the change.</p>;
  return (
    <>
      <div>
        <Button onPress={() => setOpen(true)}>Revert</Button>
      </div>
      {isOpen ? (
        <Question
          way={way}
          change={change}
          onClose={() => setOpen(false)}
          {...(onReverted === undefined ? {} : { onReverted })}
        />
      ) : undefined}
    </>
  );
}

interface ElsewhereProps {
  readonly way: Extract<RevertWay, { readonly kind: 'page' }>;
  readonly change: WholeChange;
}

function Elsewhere({ change, way }: ElsewhereProps): ReactElement {
  const { name } = change.object;
  return (
    <p className={styles.reason}>
      {way.text}{' '}
      {way.page === 'code' ? (
        <Link to="/code/$environment" params={{ environment: name }}>
          {name}
        </Link>
      ) : way.page === 'tokens' ? (
        <Link to="/access/{-$tab}" params={{ tab: 'tokens' }} search={{ q: name }}>
          Tokens
        </Link>
      ) : way.page === 'certificates' ? (
        <Link to="/certificates" search={{ state: 'signed', q: name }}>
          Certificates
        </Link>
      ) : undefined}
    </p>
  );
}

interface QuestionProps extends RevertProps {
  readonly way: Doable;
  readonly onClose: () => void;
}

function Question(props: QuestionProps): ReactElement {
  const { change, onClose, way } = props;
  const current = useQuery(currentObject(way.of, change.object.id));
  if (current.data !== undefined) return <Ready {...props} current={current.data} />;
  return (
    <Dialog title="Revert" action="Revert" isDisabled onAct={onClose} onClose={onClose}>
      {current.isError ? (
        <Failure title="The object can’t be read" error={current.error} />
      ) : (
        <LoadingRows label="The object is loading" rows={2} />
      )}
    </Dialog>
  );
}

function Ready({
  change,
  current,
  onClose,
  onReverted,
  way,
}: QuestionProps & { readonly current: object | null }): ReactElement {
  const queries = useQueryClient();
  const withRecentLogin = useRecentLogin();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const plan = planOf(way, change, current);
  const preview = useQuery(revertPreview(plan.act === undefined ? undefined : plan.groups));
  const mayCommit =
    plan.groups === undefined || (preview.data !== undefined && preview.data.refused === undefined);
  const revert = async () => {
    setFailure(undefined);
    setBusy(true);
    try {
      if (plan.act !== undefined) await withRecentLogin(plan.act);
      // The preview is of the object as it was: it is not asked for again.
      onClose();
      const object = `${change.object.type}:${change.object.id}`;
      if (onReverted === undefined) await navigate({ to: '/activity', search: { object } });
      else await onReverted();
      await queries.invalidateQueries();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={plan.title}
      action={way.of === 'group' && way.kind !== 'delete' ? 'Commit changes' : plan.title}
      isDisabled={isBusy || plan.act === undefined || !mayCommit}
      failure={failure}
      onAct={() => void revert()}
      onClose={onClose}
    >
      {plan.obstacle === undefined ? undefined : <p className={styles.warning}>{plan.obstacle}</p>}
      {plan.after === undefined ? undefined : (
        <DifferenceTable
          rows={differences(shownPart(way, plan.before ?? current ?? undefined), shownPart(way, plan.after))}
        />
      )}
      {plan.groups === undefined || plan.act === undefined ? undefined : <Effect preview={preview} />}
    </Dialog>
  );
}

function shownPart({ of }: Doable, state: object | undefined): unknown {
  return state === undefined ? undefined : fieldsOf(of, state);
}

/** The values that can be set. */
function fieldsOf(of: Doable['of'], state: object): Readonly<Record<string, unknown>> {
  const values = state as Readonly<Record<string, unknown>>;
  const fields = settableFields[of].filter((field) => values[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

interface Plan {
  readonly title: string;
  /** Why it can't be done, or not all of it. */
  readonly obstacle?: string;
  readonly act?: () => Promise<unknown>;
  /** The object as it would be, or as it is where it would be deleted. */
  readonly after?: object;
  /** What that is compared with; the object as it is when absent. */
  readonly before?: object;
  /** Their nodes are counted first. */
  readonly groups?: GroupChanges;
}

function planOf(way: Doable, change: WholeChange, current: object | null): Plan {
  const { name } = change.object;
  if (way.kind === 'create')
    return current === null
      ? creation(way.of, wireState(way.of, change.before))
      : { title: 'Create again', obstacle: `${name} exists again.` };
  if (current === null) return { title: 'Revert', obstacle: `${name} does not exist any more.` };
  if (way.kind === 'delete') return deletion(way.of, change, current);
  return edit(way.of, change, current);
}

/** What is shown here is deleted, with what was changed since it was made: another state is refused. */
function deletion(of: Doable['of'], change: WholeChange, current: object): Plan {
  const { id, name } = change.object;
  const { serial_number: serial } = current as Partial<ChangedGroup>;
  const groups = {
    groups: [],
    deleted: [{ id, ...(serial === undefined ? {} : { serial_number: serial }) }],
  };
  const acts = {
    group: () => changeGroups(groups),
    user: () => deleteUser(current as UserRow),
    role: () => deleteRole(current as RoleRow),
  };
  const [before, after] = [fieldsOf(of, wireState(of, change.after)), fieldsOf(of, current)];
  const isChanged = differences(before, after).length > 0;
  const obstacles = [
    ...(isChanged ? ['It has been changed since, and these changes are lost as well.'] : []),
    ...(of === 'role' ? losersOf(current as RoleRow) : []),
  ];
  return {
    title: `Delete ${name}`,
    act: acts[of],
    ...(obstacles.length === 0 ? {} : { obstacle: obstacles.join(' ') }),
    ...(isChanged ? { before, after } : {}),
    ...(of === 'group' ? { groups } : {}),
  };
}

/** The record of a role does not name its members. */
function losersOf({ group_ids: groups, user_ids: users }: RoleRow): readonly string[] {
  const counts = [
    ...(users.length === 0 ? [] : [users.length === 1 ? '1 user' : `${users.length} users`]),
    ...(groups.length === 0 ? [] : [groups.length === 1 ? '1 user group' : `${groups.length} user groups`]),
  ];
  if (counts.length === 0) return [];
  return [`${counts.join(' and ')} ${users.length + groups.length === 1 ? 'loses' : 'lose'} it.`];
}

function creation(of: 'group' | 'role', state: Readonly<Record<string, unknown>>): Plan {
  if (of === 'role') {
    const role = { ...state, user_ids: [], group_ids: [] } as unknown as NewRole;
    return { title: 'Create again', after: state, act: () => createRole(role) };
  }
  const { serial_number: _, ...group } = state;
  const groups = { groups: [group as unknown as ChangedGroup] };
  return { title: 'Create again', after: group, groups, act: () => changeGroups(groups) };
}

function edit(of: 'group' | 'user' | 'role', change: WholeChange, current: object): Plan {
  const [before, after] = [wireState(of, change.before), wireState(of, change.after)];
  const { conflicts, value } = undo(current, before, after, settableFields[of]);
  const isNothing = differences(current, value).length === 0;
  const changed =
    conflicts.length === 0 ? '' : `Changed again since, therefore not reverted: ${conflicts.join(', ')}.`;
  if (isNothing)
    return { title: 'Revert', obstacle: changed === '' ? 'This change has been reverted already.' : changed };
  const groups = { groups: [value as ChangedGroup] };
  const acts = {
    group: () => changeGroups(groups),
    user: () => changeUser(value as UserRow),
    role: () => changeRole(value as RoleRow),
  };
  return {
    title: 'Revert',
    ...(changed === '' ? {} : { obstacle: changed }),
    after: value,
    act: acts[of],
    ...(of === 'group' ? { groups } : {}),
  };
}

/** How many nodes it changes; it can't be committed before that is known. */
function Effect({ preview }: { readonly preview: UseQueryResult<ChangePreview> }): ReactElement {
  const { data } = preview;
  if (data === undefined)
    return preview.isError ? (
      <Failure title="This can’t be committed" error={preview.error} />
    ) : (
      <LoadingRows label="The nodes that change are being counted" rows={1} />
    );
  const count = data.nodes.length;
  return (
    <p>
      {count === 1 ? '1 node changes' : `${count} nodes change`}; {nodesText(data.total)} checked.
      {data.refused === undefined ? '' : ' You may not change this group.'}
    </p>
  );
}
