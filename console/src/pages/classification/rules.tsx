/** What nodes match a group: by comparisons of facts, or because they are pinned. */

import { useQuery } from '@tanstack/react-query';
import type { FormEvent, ReactElement } from 'react';
import type { GroupDefinition } from '../../lib/group-edits.ts';
import {
  decodeRule,
  type EditableRule,
  encodeRule,
  isClaim,
  pinsOf,
  type RuleTerm,
  ruleOperators,
  withoutPin,
  withPin,
} from '../../lib/group-rule.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './page.module.css';
import { matchCount } from './queries.ts';
import { Row } from './row.tsx';

export interface PartProps {
  readonly group: GroupDefinition;
  readonly onChange: (group: GroupDefinition) => void;
}

/** Puppet Enterprise's All Nodes, whose rule is not to be changed. */
const rootId = '00000000-0000-4000-8000-000000000000';

export function Rules({ group, onChange }: PartProps): ReactElement {
  if (group.id === rootId) return <p className={styles.hint}>Every node is in this group.</p>;
  const rule = decodeRule(group.rule);
  const change = (encoded: unknown) => {
    const { rule: _, ...rest } = group;
    onChange(encoded === null ? rest : { ...rest, rule: encoded });
  };
  return (
    <div className={styles.sections}>
      {rule === undefined ? (
        <Nested rule={group.rule} />
      ) : (
        <Comparisons rule={rule} onChange={(next) => change(encodeRule(next))} />
      )}
      <Pins rule={group.rule} onChange={change} />
    </div>
  );
}

function Nested({ rule }: { readonly rule: unknown }): ReactElement {
  return (
    <section aria-label="Rule">
      <p className={styles.hint}>
        This rule is nested. Change it with <code>bunraku groups export</code> and{' '}
        <code>bunraku groups apply</code>.
      </p>
      <pre className={styles.code}>{visibleText(JSON.stringify(rule, null, 2))}</pre>
    </section>
  );
}

interface RuleProps {
  readonly rule: EditableRule;
  readonly onChange: (rule: EditableRule) => void;
}

function Comparisons({ onChange, rule }: RuleProps): ReactElement {
  const { match, terms } = rule;
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const operator = ruleOperators.find((each) => each === form.get('operator')) ?? '=';
    const term: RuleTerm = {
      fact: String(form.get('fact')).trim(),
      operator,
      value: String(form.get('value')),
    };
    onChange({ ...rule, terms: [...terms, term] });
    event.currentTarget.reset();
  };
  return (
    <section aria-label="Rule">
      <h3>Nodes match by their facts</h3>
      <p className={styles.hint}>A group gets only nodes that match its parent as well.</p>
      {terms.length > 1 ? (
        <Select
          label="How many must hold"
          value={match}
          options={[
            ['all', 'All of these'],
            ['any', 'Any of these'],
          ]}
          onChange={(chosen) => onChange({ ...rule, match: chosen })}
        />
      ) : undefined}
      <ul>
        {terms.map((term) => {
          const text = `${term.fact} ${term.operator} ${term.value}`;
          return (
            <Row
              key={text}
              label={text}
              onRemove={() => onChange({ ...rule, terms: terms.filter((each) => each !== term) })}
            >
              <code>{visibleText(text)}</code>
              {isClaim(term) ? <span className={styles.warning}>Nodes can claim this</span> : undefined}
            </Row>
          );
        })}
      </ul>
      <Matches rule={rule} />
      <form className={styles.line} onSubmit={add}>
        <Field label="Fact" name="fact" placeholder="trusted.extensions.pp_role" isRequired />
        <SelectField
          label="Operator"
          name="operator"
          options={ruleOperators.map((each) => [each, each] as const)}
        />
        <Field label="Value" name="value" isRequired />
        <Button type="submit">Add rule</Button>
      </form>
    </section>
  );
}

/** Of the whole rule, pins included. */
function Matches({ rule }: { readonly rule: EditableRule }): ReactElement | undefined {
  const encoded = encodeRule(rule);
  const { data } = useQuery(matchCount(encoded));
  if (encoded === null || data === undefined) return undefined;
  return <p className={styles.matches} role="status">{`Matches ${data} ${data === 1 ? 'node' : 'nodes'}`}</p>;
}

interface PinsProps {
  readonly rule: unknown;
  readonly onChange: (rule: unknown) => void;
}

function Pins({ onChange, rule }: PinsProps): ReactElement {
  const pins = pinsOf(rule);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('certname')).trim().toLowerCase();
    if (name !== '' && !pins.includes(name)) onChange(withPin(rule, name));
    event.currentTarget.reset();
  };
  return (
    <section aria-label="Pinned nodes">
      <h3>Pinned nodes</h3>
      {pins.length === 0 ? <p className={styles.hint}>None.</p> : undefined}
      <ul>
        {pins.map((name) => (
          <Row key={name} label={name} onRemove={() => onChange(withoutPin(rule, name))}>
            {visibleText(name)}
          </Row>
        ))}
      </ul>
      <form className={styles.line} onSubmit={add}>
        <Field label="Certname" name="certname" placeholder="node name" isRequired />
        <Button type="submit">Pin node</Button>
      </form>
    </section>
  );
}
