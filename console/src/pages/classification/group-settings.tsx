/** Edits or deletes a group; both wait for the commit. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { GroupDefinition } from '../../lib/group-edits.ts';
import { descendantsOf } from '../../lib/group-lineage.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, ChoiceField, TextField } from '../../ui/text-field.tsx';
import type { GroupDrafts } from './draft.ts';
import styles from './page.module.css';
import { useRefusal } from './part.tsx';
import { environmentNames } from './queries.ts';

interface GroupSettingsProps {
  readonly group: GroupDefinition;
  readonly drafts: GroupDrafts;
}

export function GroupSettings({ drafts, group }: GroupSettingsProps): ReactElement | undefined {
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const part = { group, groups: drafts.groups };
  const mayEdit = [useRefusal('settings', part), useRefusal('environment', part)].includes(undefined);
  const mayDelete = useRefusal('existence', part) === undefined;
  const isRoot = group.parent === group.id;
  const close = () => setOpen(undefined);
  if (isRoot) return undefined;
  return (
    <div className={styles.actions}>
      {mayEdit ? <Button onPress={() => setOpen('edit')}>Edit group</Button> : undefined}
      {mayDelete ? <Button onPress={() => setOpen('delete')}>Delete group</Button> : undefined}
      {open === 'edit' ? <Edit group={group} drafts={drafts} onClose={close} /> : undefined}
      {open === 'delete' ? <Delete group={group} drafts={drafts} onClose={close} /> : undefined}
    </div>
  );
}

interface QuestionProps extends GroupSettingsProps {
  readonly onClose: () => void;
}

function Edit({ drafts, group, onClose }: QuestionProps): ReactElement {
  const [draft, setDraft] = useState(group);
  const part = { group, groups: drafts.groups };
  const settings = useRefusal('settings', part);
  const ofEnvironment = useRefusal('environment', part);
  const change = (some: Partial<GroupDefinition>) => setDraft((before) => ({ ...before, ...some }));
  const [name, environment] = [draft.name.trim(), draft.environment.trim()];
  const keep = () => {
    const { description = '', ...rest } = draft;
    const text = description.trim();
    drafts.change({ ...rest, name, environment, ...(text === '' ? {} : { description: text }) });
    onClose();
  };
  return (
    <Dialog
      title="Edit group"
      action="Apply"
      isDisabled={name === '' || environment === ''}
      onAct={keep}
      onClose={onClose}
    >
      {settings === undefined ? (
        <PlaceFields draft={draft} groups={drafts.groups} onChange={change} />
      ) : (
        <p className={styles.readOnly}>{settings}</p>
      )}
      {ofEnvironment === undefined ? (
        <EnvironmentFields draft={draft} onChange={change} />
      ) : (
        <p className={styles.readOnly}>{ofEnvironment}</p>
      )}
    </Dialog>
  );
}

interface FieldsProps {
  readonly draft: GroupDefinition;
  readonly onChange: (some: Partial<GroupDefinition>) => void;
}

interface PlaceFieldsProps extends FieldsProps {
  readonly groups: readonly GroupDefinition[];
}

function PlaceFields({ draft, groups, onChange }: PlaceFieldsProps): ReactElement {
  const below = new Set(descendantsOf(draft.id, groups).map(({ id }) => id));
  const parents = groups
    .filter(({ id }) => id !== draft.id && !below.has(id))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return (
    <>
      <TextField
        label="Node group name"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        isRequired
      />
      <ChoiceField
        label="Parent name"
        value={draft.parent}
        options={parents.map((each) => [each.id, visibleText(each.name)] as const)}
        onChange={(parent) => onChange({ parent })}
        hint="The group matches only nodes of its parent and inherits its classes, parameters and variables."
      />
      <TextField
        label="Description"
        value={draft.description ?? ''}
        onChange={(description) => onChange({ description })}
      />
    </>
  );
}

function EnvironmentFields({ draft, onChange }: FieldsProps): ReactElement {
  const { data: environments = [] } = useQuery(environmentNames());
  return (
    <>
      <TextField
        label="Environment"
        value={draft.environment}
        onChange={(environment) => onChange({ environment })}
        suggestions={['agent-specified', ...environments]}
        hint="The classes of this environment are offered."
        isRequired
      />
      <CheckField
        label="Environment group: overrides the environment of other groups"
        isChecked={draft.environment_trumps}
        onChange={(isChecked) => onChange({ environment_trumps: isChecked })}
      />
    </>
  );
}

function Delete({ drafts, group, onClose }: QuestionProps): ReactElement {
  const navigate = useNavigate();
  const below = descendantsOf(group.id, drafts.groups);
  // While the question is open, somebody else may change the group behind it.
  const [shown] = useState(group);
  const act = () => {
    drafts.remove(shown);
    onClose();
    void navigate({ to: '/groups/{-$id}', params: { id: group.parent } });
  };
  return (
    <Dialog
      title={`Delete ${visibleText(group.name)}`}
      action="Delete group"
      isDisabled={below.length > 0}
      onAct={act}
      onClose={onClose}
    >
      {below.length === 0 ? (
        <p>
          The next commit deletes the group. Its preview shows how many nodes lose it.{' '}
          <strong>Discard</strong> keeps the group; after the commit, <strong>Revert</strong> under Activity
          restores it.
        </p>
      ) : (
        <p>
          Move or delete the groups below it first: {below.map(({ name }) => visibleText(name)).join(', ')}.
        </p>
      )}
    </Dialog>
  );
}
