/** A new group. It exists once it is committed. */

import { useNavigate } from '@tanstack/react-router';
import type { FormEvent, ReactElement } from 'react';
import type { GroupDefinition } from '../../lib/group-edits.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import styles from './page.module.css';

interface AddGroupProps {
  readonly groups: readonly GroupDefinition[];
  readonly onAdd: (group: GroupDefinition) => void;
}

export function AddGroup({ groups, onAdd }: AddGroupProps): ReactElement {
  const navigate = useNavigate();
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const parent = groups.find(({ id }) => id === form.get('parent'));
    const name = String(form.get('name')).trim();
    if (parent === undefined || name === '') return;
    const id = crypto.randomUUID();
    const { environment } = parent;
    const nothing = { environment_trumps: false, classes: {}, variables: {}, config_data: {} };
    onAdd({ id, name, parent: parent.id, environment, ...nothing });
    event.currentTarget.reset();
    void navigate({ to: '/groups/{-$id}', params: { id } });
  };
  // All Nodes is the usual parent, so it stands first.
  const isRoot = ({ id, parent }: GroupDefinition) => id === parent;
  const sorted = groups.toSorted(
    (a, b) => Number(isRoot(b)) - Number(isRoot(a)) || (a.name < b.name ? -1 : 1),
  );
  return (
    <form className={styles.form} onSubmit={add}>
      <h2>New group</h2>
      <Field label="Node group name" name="name" isRequired />
      <SelectField
        label="Parent name"
        name="parent"
        options={sorted.map(({ id, name }) => [id, name] as const)}
      />
      <Button type="submit">Add group</Button>
    </form>
  );
}
