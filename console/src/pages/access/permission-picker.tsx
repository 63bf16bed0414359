/** What a role allows, as sentences to tick; some for single objects. */

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { ObjectTypeRow } from '../../api/access.ts';
import { mayDo } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { type Granted, instancesOf, withInstances } from '../../lib/permissions.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';
import { nodeGroups, objectTypes } from './queries.ts';

interface PickerProps {
  readonly permissions: readonly Granted[];
  readonly isReadOnly: boolean;
  readonly onChange: (permissions: readonly Granted[]) => void;
}

export function PermissionPicker(props: PickerProps): ReactElement {
  const types = useQuery(objectTypes());
  if (types.data === undefined) return <Pending query={types} what="The permissions" />;
  return (
    <div className={styles.types}>
      {types.data.map((type) => (
        <fieldset key={type.object_type} className={styles.choice}>
          <legend>{type.display_name}</legend>
          {type.actions.map((action) => (
            <Action key={action.name} {...props} type={type.object_type} action={action} />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

interface ActionProps extends PickerProps {
  readonly type: string;
  readonly action: ObjectTypeRow['actions'][number];
}

function Action(props: ActionProps): ReactElement {
  const { action, isReadOnly, onChange, permissions, type } = props;
  const instances = instancesOf(permissions, type, action.name);
  const set = (wanted: readonly string[]) => onChange(withInstances(permissions, type, action.name, wanted));
  return (
    <div className={styles.action}>
      <label className={styles.option}>
        <input
          type="checkbox"
          checked={instances.length > 0}
          disabled={isReadOnly}
          onChange={(event) => set(event.target.checked ? ['*'] : [])}
        />
        <span>
          {action.display_name}
          <small>{action.description}</small>
        </span>
      </label>
      {action.has_instances && instances.length > 0 ? (
        <Instances {...props} instances={instances} onSet={set} />
      ) : undefined}
    </div>
  );
}

interface InstancesProps extends ActionProps {
  readonly instances: readonly string[];
  readonly onSet: (instances: readonly string[]) => void;
}

function Instances({ action, instances, isReadOnly, onSet, type }: InstancesProps): ReactElement {
  const [isNarrowing, setNarrowing] = useState(false);
  const names = useNames(type);
  const isAll = instances.includes('*');
  const label = `${action.display_name}: which`;
  return (
    <div className={styles.instances}>
      {isAll ? (
        <span className={styles.hint}>All of them.</span>
      ) : (
        instances.map((each) => (
          <span key={each} className={styles.term}>
            {visibleText(names.get(each) ?? each)}
            {isReadOnly ? undefined : (
              <button
                type="button"
                aria-label={`Remove ${names.get(each) ?? each}`}
                onClick={() => onSet(instances.filter((other) => other !== each))}
              >
                ×
              </button>
            )}
          </span>
        ))
      )}
      {isReadOnly ? undefined : isAll && !isNarrowing ? (
        <Button look="quiet" label={`Only some: ${action.display_name}`} onPress={() => setNarrowing(true)}>
          Only some
        </Button>
      ) : (
        <AddInstance
          label={label}
          names={names}
          onAdd={(each) => onSet([...instances.filter((other) => other !== '*'), each])}
        />
      )}
    </div>
  );
}

interface AddInstanceProps {
  readonly label: string;
  /** By their identifiers, where these say nothing to people. */
  readonly names: ReadonlyMap<string, string>;
  readonly onAdd: (instance: string) => void;
}

function AddInstance({ label, names, onAdd }: AddInstanceProps): ReactElement {
  const [text, setText] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    const id = Array.from(names).find(([, name]) => name === wanted)?.[0] ?? wanted;
    if (id !== '') onAdd(id);
    setText('');
  };
  return (
    <form className={styles.line} onSubmit={add}>
      <TextField label={label} value={text} onChange={setText} suggestions={Array.from(names.values())} />
      <Button type="submit">Add</Button>
    </form>
  );
}

/** Names of the objects of a type, by their identifiers. */
function useNames(type: string): ReadonlyMap<string, string> {
  const session = useSession();
  const hasGroups =
    type === 'node_groups' &&
    session.features.includes('classifier') &&
    mayDo(session, 'node_groups', 'view');
  const { data = [] } = useQuery(nodeGroups(hasGroups));
  return new Map(hasGroups ? data.map(({ id, name }) => [id, name]) : []);
}
