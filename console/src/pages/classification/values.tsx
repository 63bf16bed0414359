/** What a group gives its nodes: classes with parameters, data for classes, variables. */

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { typedValue, withoutName, withoutValue, withValue } from '../../lib/group-edits.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './page.module.css';
import { knownClasses } from './queries.ts';
import { Row } from './row.tsx';
import type { PartProps } from './rules.tsx';

/** Groups of agents that choose their environment have the classes of production to choose from. */
function useClasses(environment: string) {
  const { data } = useQuery(knownClasses(environment === 'agent-specified' ? 'production' : environment));
  return data;
}

export function Classes({ group, onChange }: PartProps): ReactElement {
  const known = useClasses(group.environment);
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
      {Object.keys(group.classes).length === 0 ? <p className={styles.hint}>None.</p> : undefined}
      {Object.keys(group.classes)
        .toSorted()
        .map((name) => (
          <Class
            key={name}
            name={name}
            group={group}
            onChange={onChange}
            parameters={parametersOf(known, name)}
          />
        ))}
      <form className={styles.line} onSubmit={add}>
        <Field
          label="Add new class"
          name="class"
          isRequired
          suggestions={known?.map((each) => each.name) ?? []}
        />
        <Button type="submit">Add class</Button>
      </form>
    </section>
  );
}

/** @returns `undefined` for a class that the code doesn't have, and while it is not known which it has */
function parametersOf(known: ReturnType<typeof useClasses>, name: string): readonly string[] | undefined {
  const found = known?.find((each) => each.name === name);
  return found === undefined ? undefined : Object.keys(found.parameters);
}

interface ClassProps extends PartProps {
  readonly name: string;
  readonly parameters: readonly string[] | undefined;
}

function Class({ group, name, onChange, parameters }: ClassProps): ReactElement {
  const { classes } = group;
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = typedValue(String(form.get('value')));
    onChange({ ...group, classes: withValue(classes, name, String(form.get('parameter')).trim(), value) });
    event.currentTarget.reset();
  };
  return (
    <section className={styles.class} aria-label={`Class ${name}`}>
      <ul>
        <Row
          label={`the class ${name}`}
          onRemove={() => onChange({ ...group, classes: withoutName(classes, name) })}
        >
          <code className={styles.className}>{visibleText(name)}</code>
        </Row>
        {Object.entries(classes[name] ?? {}).map(([parameter, value]) => (
          <Row
            key={parameter}
            label={parameter}
            onRemove={() => onChange({ ...group, classes: withoutValue(classes, name, parameter, false) })}
          >
            <span className={styles.parameter}>{visibleText(parameter)}</span>
            <code>{valueText(value)}</code>
          </Row>
        ))}
      </ul>
      <form className={styles.line} onSubmit={add}>
        <Field label="Parameter" name="parameter" isRequired suggestions={parameters ?? []} />
        <Field label="Value" name="value" isRequired />
        <Button type="submit">Add parameter</Button>
      </form>
    </section>
  );
}

export function Data({ group, onChange }: PartProps): ReactElement {
  const known = useClasses(group.environment);
  const [name, setName] = useState('');
  const { config_data: data } = group;
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [chosen, parameter] = [String(form.get('class')).trim(), String(form.get('parameter')).trim()];
    const value = typedValue(String(form.get('value')));
    onChange({ ...group, config_data: withValue(data, chosen, parameter, value) });
    event.currentTarget.reset();
  };
  const rows = Object.entries(data).flatMap(([owner, values]) =>
    Object.entries(values).map(([parameter, value]) => ({ owner, parameter, value })),
  );
  return (
    <section aria-label="Data">
      <h3>Data</h3>
      <p className={styles.hint}>Values of parameters for classes that something else declares.</p>
      <ul>
        {rows.map(({ owner, parameter, value }) => (
          <Row
            key={`${owner}::${parameter}`}
            label={`${owner}::${parameter}`}
            onRemove={() => onChange({ ...group, config_data: withoutValue(data, owner, parameter, true) })}
          >
            <span className={styles.parameter}>{visibleText(`${owner}::${parameter}`)}</span>
            <code>{valueText(value)}</code>
          </Row>
        ))}
      </ul>
      <form className={styles.line} onSubmit={add}>
        <Field
          label="Class"
          name="class"
          isRequired
          suggestions={known?.map((each) => each.name) ?? []}
          onChange={setName}
        />
        <Field label="Parameter" name="parameter" isRequired suggestions={parametersOf(known, name) ?? []} />
        <Field label="Value" name="value" isRequired />
        <Button type="submit">Add data</Button>
      </form>
    </section>
  );
}

export function Variables({ group, onChange }: PartProps): ReactElement {
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
      {Object.keys(variables).length === 0 ? <p className={styles.hint}>None.</p> : undefined}
      <ul>
        {Object.entries(variables).map(([name, value]) => (
          <Row
            key={name}
            label={name}
            onRemove={() => onChange({ ...group, variables: withoutName(variables, name) })}
          >
            <span className={styles.parameter}>{visibleText(name)}</span>
            <code>{valueText(value)}</code>
          </Row>
        ))}
      </ul>
      <form className={styles.line} onSubmit={add}>
        <Field label="Variable" name="name" isRequired />
        <Field label="Value" name="value" isRequired />
        <Button type="submit">Add variable</Button>
      </form>
    </section>
  );
}
