/** A fact and its value, taken into the rule of a group: leads to its rule editor with the comparison filled in. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { GroupRow } from '../api/classifier.ts';
import { mayDo } from '../api/session.ts';
import { isRulePath } from '../lib/fact-paths.ts';
import { ancestorsOf } from '../lib/group-lineage.ts';
import { refusalOf } from '../lib/group-rights.ts';
import { type RuleOperator, ruleOperators } from '../lib/group-rule.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ChoiceField, TextField } from '../ui/text-field.tsx';
import { groupOptions, groupRows } from './group-choice.ts';
import { useSession } from './session.ts';

interface UseInRuleProps {
  /** `os.name`, `trusted.extensions.pp_role` */
  readonly fact: string;
  readonly value: unknown;
}

/** Nothing where rules can't name the fact or its value, and for users who may not change any rule. */
export function UseInRule({ fact, value }: UseInRuleProps): ReactElement | undefined {
  const [isOpen, setOpen] = useState(false);
  const session = useSession();
  if (!['edit_child_rules', 'modify_children'].some((action) => mayDo(session, 'node_groups', action)))
    return undefined;
  if (!isRulePath(fact) || value === null || typeof value === 'object') return undefined;
  return (
    <>
      <Button
        look="quiet"
        label={`Use in rule: ${fact} ${String(value).slice(0, 80)}`}
        onPress={() => setOpen(true)}
      >
        Use in rule
      </Button>
      {isOpen ? <Question fact={fact} value={String(value)} onClose={() => setOpen(false)} /> : undefined}
    </>
  );
}

interface QuestionProps {
  readonly fact: string;
  readonly value: string;
  readonly onClose: () => void;
}

function Question({ onClose, ...begun }: QuestionProps): ReactElement {
  const navigate = useNavigate();
  const { data: groups = [], isSuccess } = useQuery(groupRows());
  const { permissions, user } = useSession();
  const [id, setId] = useState('');
  const [fact, setFact] = useState(begun.fact);
  const [operator, setOperator] = useState<RuleOperator>('=');
  const [value, setValue] = useState(begun.value);
  const mayChange = (group: GroupRow) =>
    refusalOf('rule', group, ancestorsOf(group, groups), { isSuperuser: user.is_superuser, permissions }) ===
    undefined;
  const allowed = groups.filter(mayChange);
  const open = () => {
    onClose();
    void navigate({
      to: '/groups/{-$id}',
      params: { id },
      search: { fact: fact.trim(), operator, value },
    });
  };
  return (
    <Dialog
      title="Use in rule"
      action="Open the rule"
      isDisabled={id === '' || fact.trim() === '' || value === ''}
      onAct={open}
      onClose={onClose}
    >
      <ChoiceField
        label="Node group"
        value={id}
        options={groupOptions(allowed)}
        onChange={setId}
        hint={
          isSuccess && allowed.length === 0
            ? 'You may not change the rule of any group.'
            : 'Nothing changes yet: the group opens with this rule and shows how many nodes match.'
        }
      />
      <TextField label="Fact" value={fact} onChange={setFact} />
      <ChoiceField
        label="Operator"
        value={operator}
        options={ruleOperators.map((each) => [each, each] as const)}
        onChange={setOperator}
      />
      <TextField label="Value" value={value} onChange={setValue} />
    </Dialog>
  );
}
