/** On which nodes: a list of names, a query, or a group. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { readGroups } from '../../api/classifier.ts';
import { mayDo } from '../../api/session.ts';
import { scopeOf, type TargetChoice, type TargetKind } from '../../lib/targets.ts';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import { useSession } from '../session.ts';
import { ReachLine, useReach } from './reach.tsx';
import styles from './run.module.css';

const kinds: readonly (readonly [TargetKind, string])[] = [
  ['nodes', 'Node list'],
  ['query', 'PQL query'],
  ['group', 'Node group'],
];

interface TargetPickerProps {
  readonly choice: TargetChoice;
  readonly onChange: (choice: TargetChoice) => void;
  /** Of a plan, the parameter that takes them. */
  readonly label?: string;
  /** Leaves out nodes on which the user may not run it. */
  readonly task?: string;
}

export function TargetPicker({ choice, label = 'Nodes', onChange, task }: TargetPickerProps): ReactElement {
  const reached = useReach(scopeOf(choice), task);
  const { kind, text } = choice;
  const change = (next: string) => onChange({ kind, text: next });
  return (
    <fieldset className={styles.targets}>
      <legend className={styles.legend}>{label}</legend>
      <ChoiceField
        label="Choose by"
        value={kind}
        options={kinds}
        onChange={(next) => onChange({ kind: next, text: '' })}
      />
      {kind === 'group' ? (
        <GroupField value={text} onChange={change} />
      ) : kind === 'query' ? (
        <TextField
          label="PQL query"
          value={text}
          onChange={change}
          rows={3}
          isCode
          placeholder={'nodes[certname] { certname ~ "^web" }'}
        />
      ) : (
        <TextField
          label="Node list"
          value={text}
          onChange={change}
          rows={3}
          placeholder="web01.example.com, web02.example.com"
        />
      )}
      <ReachLine {...reached} />
    </fieldset>
  );
}

interface GroupFieldProps {
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function GroupField({ onChange, value }: GroupFieldProps): ReactElement {
  const session = useSession();
  const isAllowed = session.features.includes('classifier') && mayDo(session, 'node_groups', 'view');
  const { data = [], error } = useQuery({
    queryKey: ['classifier', 'groups', 'names'],
    queryFn: ({ signal }) => readGroups(signal),
    enabled: isAllowed,
  });
  const sorted = data.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const mistake = isAllowed ? error?.message : 'You need the permission node_groups:view.';
  return (
    <ChoiceField
      label="Node group"
      value={value}
      options={[['', 'Choose a group'], ...sorted.map(({ id, name }) => [id, name] as const)]}
      onChange={onChange}
      mistake={mistake}
    />
  );
}
