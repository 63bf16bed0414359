/** What nodes match a group: by comparisons of facts, or because they are pinned. */

import { getRouteApi, Link } from '@tanstack/react-router';
import type { FormEvent, ReactElement } from 'react';
import { ancestorsOf } from '../../lib/group-lineage.ts';
import { decodeRule, encodeRule, pinsOf, ruleText, withoutPin, withPin } from '../../lib/group-rule.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './page.module.css';
import { type PartProps, ReadOnly, useRefusal } from './part.tsx';
import { Row } from './row.tsx';
import { RuleEditor } from './rule-editor.tsx';

/** Puppet Enterprise's All Nodes, whose rule is not to be changed. */
const rootId = '00000000-0000-4000-8000-000000000000';

const route = getRouteApi('/groups/{-$id}');

export function Rules(props: PartProps): ReactElement {
  const { group, groups, onChange } = props;
  const refusal = useRefusal('rule', props);
  const { fact, operator = '=', value } = route.useSearch();
  const navigate = route.useNavigate();
  if (group.id === rootId) return <p className={styles.hint}>Every node is in this group.</p>;
  const rule = decodeRule(group.rule);
  const above = ancestorsOf(group, groups);
  const change = (encoded: unknown) => {
    const { rule: _, ...rest } = group;
    onChange(encoded === null ? rest : { ...rest, rule: encoded });
    // The comparison from the address is used once.
    if (fact !== undefined) void navigate({ search: {}, replace: true });
  };
  return (
    <div className={styles.sections}>
      <ReadOnly reason={refusal} />
      {rule === undefined ? (
        <Unknown rule={group.rule} />
      ) : (
        <RuleEditor
          rule={rule}
          inherited={above.map((each) => each.rule)}
          begun={fact !== undefined && value !== undefined ? { fact, operator, value } : undefined}
          {...(refusal === undefined ? { onChange: (next) => change(encodeRule(next)) } : {})}
        />
      )}
      <section aria-label="Inherited rules">
        <h3>Inherited rules</h3>
        <p className={styles.hint}>A node must also match the rules of all groups above.</p>
        <ul>
          {above.map((each) => (
            <li key={each.id} className={styles.row}>
              <span className={styles.rowText}>
                <Link to="/groups/{-$id}" params={{ id: each.id }} className={styles.link}>
                  {visibleText(each.name)}
                </Link>
                <InheritedRule rule={each.rule} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <Pins rule={group.rule} onChange={refusal === undefined ? change : undefined} />
    </div>
  );
}

function InheritedRule({ rule }: { readonly rule: unknown }): ReactElement {
  if (rule === undefined) return <span>no rule of its own</span>;
  const text = ruleText(rule);
  return text === 'every node' ? <span>{text}</span> : <code>{visibleText(text)}</code>;
}

/** Shows a rule that the editor does not support. */
function Unknown({ rule }: { readonly rule: unknown }): ReactElement {
  return (
    <section aria-label="Rule">
      <p className={styles.hint}>
        This editor can’t show the whole rule. Change it with <code>bunraku groups export</code> and{' '}
        <code>bunraku groups apply</code>.
      </p>
      <pre className={styles.code}>{visibleText(JSON.stringify(rule, null, 2))}</pre>
    </section>
  );
}

interface PinsProps {
  readonly rule: unknown;
  /** Absent where the user may not change it. */
  readonly onChange: ((rule: unknown) => void) | undefined;
}

function Pins({ onChange, rule }: PinsProps): ReactElement {
  const pins = pinsOf(rule);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('certname')).trim().toLowerCase();
    if (name !== '' && !pins.includes(name)) onChange?.(withPin(rule, name));
    event.currentTarget.reset();
  };
  return (
    <section aria-label="Pinned nodes">
      <h3>Pinned nodes</h3>
      {pins.length === 0 ? <p className={styles.hint}>No pinned nodes.</p> : undefined}
      <ul>
        {pins.map((name) => (
          <Row
            key={name}
            label={name}
            onRemove={onChange === undefined ? undefined : () => onChange(withoutPin(rule, name))}
          >
            {visibleText(name)}
          </Row>
        ))}
      </ul>
      {onChange === undefined ? undefined : (
        <form className={styles.line} onSubmit={add}>
          <Field label="Certname" name="certname" placeholder="node name" isRequired />
          <Button type="submit">Pin node</Button>
        </form>
      )}
    </section>
  );
}
