/** What a group gives its nodes: classes with parameters, data for classes, variables. */

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { KnownClass } from '../../api/classifier.ts';
import { typedValue, withoutName, withoutValue, withValue } from '../../lib/group-edits.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';
import { type PartProps, ReadOnly, useRefusal } from './part.tsx';
import { knownClasses } from './queries.ts';
import { Row } from './row.tsx';
import { ValueForm } from './value-form.tsx';

/** Groups of agents that choose their environment have the classes of production to choose from. */
function useClasses(environment: string): readonly KnownClass[] | undefined {
  const { data } = useQuery(knownClasses(environment === 'agent-specified' ? 'production' : environment));
  return data;
}

function classNamed(
  known: readonly KnownClass[] | undefined,
  name: string,
): KnownClass['details'] | undefined {
  return known?.find((each) => each.name === name.trim().replace(/^::/, ''))?.details;
}

const deleted = 'puppetlabs.classifier/deleted';

export function Classes(props: PartProps): ReactElement {
  const { group, onChange } = props;
  const known = useClasses(group.environment);
  const refusal = useRefusal('classes', props);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('class')).trim().replace(/^::/, '');
    if (name !== '' && !(name in group.classes))
      onChange({ ...group, classes: { ...group.classes, [name]: {} } });
    event.currentTarget.reset();
  };
  return (
    <section aria-label="Classes">
      <h3>Classes</h3>
      <ReadOnly reason={refusal} />
      {Object.keys(group.classes).length === 0 ? <p className={styles.hint}>No classes.</p> : undefined}
      {Object.keys(group.classes)
        .toSorted()
        .map((name) => (
          <Class
            {...props}
            key={name}
            name={name}
            details={classNamed(known, name)}
            isReadOnly={refusal !== undefined}
          />
        ))}
      {refusal === undefined ? (
        <form className={styles.line} onSubmit={add}>
          <Field
            label="Add new class"
            name="class"
            isRequired
            suggestions={known?.map((each) => each.name) ?? []}
          />
          <Button type="submit">Add class</Button>
        </form>
      ) : undefined}
    </section>
  );
}

interface ClassProps extends PartProps {
  readonly name: string;
  readonly details: KnownClass['details'] | undefined;
  readonly isReadOnly: boolean;
}

function Class({ details, group, isReadOnly, missing, name, onChange }: ClassProps): ReactElement {
  const { classes } = group;
  const isGone = missing[name]?.[deleted] === true;
  return (
    <section className={styles.class} aria-label={`Class ${name}`}>
      <ul>
        <Row
          label={`the class ${name}`}
          onRemove={
            isReadOnly ? undefined : () => onChange({ ...group, classes: withoutName(classes, name) })
          }
        >
          <code className={styles.className}>{visibleText(name)}</code>
          {isGone ? <Gone /> : undefined}
        </Row>
        {Object.entries(classes[name] ?? {}).map(([parameter, value]) => (
          <Row
            key={parameter}
            label={parameter}
            onRemove={
              isReadOnly
                ? undefined
                : () => onChange({ ...group, classes: withoutValue(classes, name, parameter, false) })
            }
          >
            <span className={styles.parameter}>{visibleText(parameter)}</span>
            <code>{valueText(value)}</code>
            {!isGone && missing[name]?.[parameter] !== undefined ? <Gone /> : undefined}
          </Row>
        ))}
      </ul>
      {details?.description === null || details === undefined ? undefined : (
        <p className={styles.hint}>{visibleText(details.description)}</p>
      )}
      {isReadOnly ? undefined : (
        <ValueForm
          parameters={details?.parameters}
          action="Add parameter"
          onAdd={(parameter, value) =>
            onChange({ ...group, classes: withValue(classes, name, parameter, value) })
          }
        />
      )}
    </section>
  );
}

/** Kept, because the code may get it back; nodes that get it do not compile until then. */
function Gone(): ReactElement {
  return <span className={styles.warning}>not in the code</span>;
}

export function Data(props: PartProps): ReactElement {
  const { group, onChange } = props;
  const known = useClasses(group.environment);
  const refusal = useRefusal('data', props);
  const [name, setName] = useState('');
  const { config_data: data } = group;
  const rows = Object.entries(data).flatMap(([owner, values]) =>
    Object.entries(values).map(([parameter, value]) => ({ owner, parameter, value })),
  );
  return (
    <section aria-label="Data">
      <h3>Data</h3>
      <p className={styles.hint}>
        Parameter values for classes that this group does not declare, for example classes declared in the
        code.
      </p>
      <ReadOnly reason={refusal} />
      <ul>
        {rows.map(({ owner, parameter, value }) => (
          <Row
            key={`${owner}::${parameter}`}
            label={`${owner}::${parameter}`}
            onRemove={
              refusal === undefined
                ? () => onChange({ ...group, config_data: withoutValue(data, owner, parameter, true) })
                : undefined
            }
          >
            <span className={styles.parameter}>{visibleText(`${owner}::${parameter}`)}</span>
            <code>{valueText(value)}</code>
          </Row>
        ))}
      </ul>
      {refusal === undefined ? (
        <>
          <div className={styles.line}>
            <TextField
              label="Class"
              value={name}
              suggestions={known?.map((each) => each.name) ?? []}
              onChange={setName}
            />
          </div>
          <ValueForm
            parameters={classNamed(known, name)?.parameters}
            action="Add data"
            onAdd={(parameter, value) => {
              if (name.trim() === '') return;
              onChange({ ...group, config_data: withValue(data, name.trim(), parameter, value) });
              setName('');
            }}
          />
        </>
      ) : undefined}
    </section>
  );
}

export function Variables(props: PartProps): ReactElement {
  const { group, onChange } = props;
  const refusal = useRefusal('variables', props);
  const { variables } = group;
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name')).trim();
    onChange({ ...group, variables: { ...variables, [name]: typedValue(String(form.get('value'))) } });
    event.currentTarget.reset();
  };
  return (
    <section aria-label="Variables">
      <ReadOnly reason={refusal} />
      {Object.keys(variables).length === 0 ? <p className={styles.hint}>No variables.</p> : undefined}
      <ul>
        {Object.entries(variables).map(([name, value]) => (
          <Row
            key={name}
            label={name}
            onRemove={
              refusal === undefined
                ? () => onChange({ ...group, variables: withoutName(variables, name) })
                : undefined
            }
          >
            <span className={styles.parameter}>{visibleText(name)}</span>
            <code>{valueText(value)}</code>
          </Row>
        ))}
      </ul>
      {refusal === undefined ? (
        <form className={styles.line} onSubmit={add}>
          <Field label="Variable" name="name" isRequired />
          <Field label="Value" name="value" isRequired />
          <Button type="submit">Add variable</Button>
        </form>
      ) : undefined}
    </section>
  );
}
