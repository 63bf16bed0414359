/** Edits nested comparisons of facts, with the number of matching nodes while typing. */

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import {
  type EditableRule,
  encodeRule,
  isClaim,
  isGroup,
  partText,
  type RuleGroup,
  type RuleKind,
  type RuleTerm,
  ruleOperators,
  withInherited,
} from '../../lib/group-rule.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import styles from './page.module.css';
import { matchCount } from './queries.ts';
import { Row } from './row.tsx';

interface RuleEditorProps {
  readonly rule: EditableRule;
  /** The rules of the groups above, which have to hold as well. */
  readonly inherited: readonly unknown[];
  /** A comparison that is typed already. */
  readonly begun: RuleTerm | undefined;
  /** Absent where the user may not change it. */
  readonly onChange?: (rule: EditableRule) => void;
}

const kinds: readonly (readonly [RuleKind, string])[] = [
  ['all', 'All of these'],
  ['any', 'Any of these'],
  ['none', 'None of these'],
];

export function RuleEditor({ begun, inherited, onChange, rule }: RuleEditorProps): ReactElement {
  // Including the comparison that is typed but not added yet.
  const [typed, setTyped] = useState(
    begun === undefined || onChange === undefined ? undefined : withPart(rule.top, begun),
  );
  return (
    <section aria-label="Rule">
      <h3>Nodes match by facts</h3>
      <Conditions
        group={rule.top}
        isTop
        begun={begun}
        onTyped={setTyped}
        {...(onChange === undefined ? {} : { onChange: (top: RuleGroup) => onChange({ ...rule, top }) })}
      />
      <Matches rule={{ ...rule, top: typed ?? rule.top }} inherited={inherited} />
    </section>
  );
}

interface ConditionsProps {
  readonly group: RuleGroup;
  readonly isTop?: boolean;
  /** A comparison that is typed already. */
  readonly begun?: RuleTerm | undefined;
  readonly onChange?: (group: RuleGroup) => void;
  /** Receives the group including the typed comparison; `undefined` when nothing is typed. */
  readonly onTyped: (group: RuleGroup | undefined) => void;
}

function Conditions({ begun, group, isTop = false, onChange, onTyped }: ConditionsProps): ReactElement {
  const { kind, parts } = group;
  const [isNesting, setNesting] = useState(false);
  // A group within it that has lost its last part goes as well.
  const replaced = (index: number, part: RuleGroup | undefined): RuleGroup => ({
    kind,
    parts: parts.flatMap((each, at) =>
      at !== index ? [each] : part === undefined || part.parts.length === 0 ? [] : [part],
    ),
  });
  const nested = (term: RuleTerm) => withPart(group, { kind: kind === 'any' ? 'all' : 'any', parts: [term] });
  return (
    <>
      {parts.length > 1 || kind === 'none' || !isTop ? (
        <Kind kind={kind} onChange={onChange && ((chosen) => onChange({ ...group, kind: chosen }))} />
      ) : undefined}
      <ul>
        {parts.map((part, index) => (
          <Part
            key={index}
            part={part}
            onTyped={(next) => onTyped(next === undefined ? undefined : replaced(index, next))}
            onChange={onChange && ((next) => onChange(replaced(index, next)))}
          />
        ))}
        {isNesting ? (
          <li className={styles.nested} aria-label="New nested rule">
            <TermForm
              onTyped={(term) => onTyped(term === undefined ? undefined : nested(term))}
              onAdd={(term) => {
                onChange?.(nested(term));
                setNesting(false);
              }}
            />
          </li>
        ) : undefined}
      </ul>
      {onChange === undefined || isNesting ? undefined : (
        <>
          <TermForm
            begun={begun}
            onTyped={(term) => onTyped(term === undefined ? undefined : withPart(group, term))}
            onAdd={(term) => onChange(withPart(group, term))}
          />
          {parts.length === 0 ? undefined : (
            <div className={styles.nest}>
              <Button look="quiet" onPress={() => setNesting(true)}>
                Add nested rule
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}

function withPart({ kind, parts }: RuleGroup, part: RuleTerm | RuleGroup): RuleGroup {
  return { kind, parts: [...parts, part] };
}

interface KindProps {
  readonly kind: RuleKind;
  readonly onChange: ((kind: RuleKind) => void) | undefined;
}

function Kind({ kind, onChange }: KindProps): ReactElement {
  if (onChange === undefined)
    return <p className={styles.hint}>{kinds.find(([each]) => each === kind)?.[1]}</p>;
  return (
    <div className={styles.kind}>
      <Select label="How many must hold" value={kind} options={kinds} onChange={onChange} />
    </div>
  );
}

interface PartProps {
  readonly part: RuleTerm | RuleGroup;
  /** Receives the edited nested group, or `undefined` to remove the comparison. */
  readonly onChange: ((part: RuleGroup | undefined) => void) | undefined;
  readonly onTyped: (group: RuleGroup | undefined) => void;
}

function Part({ onChange, onTyped, part }: PartProps): ReactElement {
  const text = partText(part);
  if (isGroup(part))
    return (
      <li className={styles.nested} aria-label={`Nested rule: ${text}`}>
        <Conditions group={part} onTyped={onTyped} {...(onChange === undefined ? {} : { onChange })} />
      </li>
    );
  return (
    <Row label={text} onRemove={onChange && (() => onChange(undefined))}>
      <code>{visibleText(text)}</code>
      {isClaim(part) ? <Claim /> : undefined}
    </Row>
  );
}

function Claim(): ReactElement {
  return <span className={styles.warning}>Nodes can claim this</span>;
}

interface TermFormProps {
  readonly begun?: RuleTerm | undefined;
  readonly onAdd: (term: RuleTerm) => void;
  readonly onTyped: (term: RuleTerm | undefined) => void;
}

const empty: RuleTerm = { fact: '', operator: '=', value: '' };

function TermForm({ begun = empty, onAdd, onTyped }: TermFormProps): ReactElement {
  const [term, setTerm] = useState(begun);
  const isWhole = term.fact.trim() !== '' && term.value !== '';
  const type = (part: Partial<RuleTerm>) => {
    const next = { ...term, ...part };
    setTerm(next);
    onTyped(next.fact.trim() !== '' && next.value !== '' ? { ...next, fact: next.fact.trim() } : undefined);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    onTyped(undefined);
    setTerm(empty);
    onAdd({ ...term, fact: term.fact.trim() });
  };
  const operators = ruleOperators.map((each) => [each, each] as const);
  return (
    <form className={styles.line} onSubmit={add}>
      <TextField
        label="Fact"
        value={term.fact}
        placeholder="trusted.extensions.pp_role"
        onChange={(fact) => type({ fact })}
        hint={
          /^(?:fact\.)?pp_\w+$/.test(term.fact.trim())
            ? 'Nodes can claim this. What certificates prove begins with trusted.extensions.'
            : undefined
        }
      />
      <ChoiceField
        label="Operator"
        value={term.operator}
        options={operators}
        onChange={(operator) => type({ operator })}
      />
      <TextField label="Value" value={term.value} onChange={(value) => type({ value })} />
      <Button type="submit" isDisabled={!isWhole}>
        Add rule
      </Button>
    </form>
  );
}

interface MatchesProps {
  readonly rule: EditableRule;
  readonly inherited: readonly unknown[];
}

/** Counts matches of the whole rule: pins, inherited rules and the typed comparison. */
function Matches({ inherited, rule }: MatchesProps): ReactElement | undefined {
  const encoded = encodeRule(rule);
  const text = useSettled(JSON.stringify(encoded === null ? null : withInherited(encoded, inherited)));
  const { data, error } = useQuery(matchCount(JSON.parse(text)));
  if (text === 'null') return undefined;
  if (error !== null) return <p className={styles.mistake}>{visibleText(error.message)}</p>;
  if (data === undefined) return undefined;
  return <p className={styles.matches} role="status">{`Matches ${data} ${data === 1 ? 'node' : 'nodes'}`}</p>;
}
