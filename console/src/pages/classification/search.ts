/** The part of the address that belongs to the groups. */

import { type RuleOperator, ruleOperators } from '../../lib/group-rule.ts';
import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const groupTabs = ['rules', 'nodes', 'classes', 'configuration', 'variables', 'activity'] as const;
export type GroupTab = (typeof groupTabs)[number];

export interface ClassificationSearch {
  /** The rules when absent. */
  readonly tab?: GroupTab | undefined;
  /** The recorded change that is open. */
  readonly change?: string | undefined;
  /** A comparison that is typed into the rule, and not added yet. */
  readonly fact?: string | undefined;
  readonly operator?: RuleOperator | undefined;
  readonly value?: string | undefined;
}

export function classificationSearch(search: RawSearch): ClassificationSearch {
  const tab = oneIn(search, 'tab', groupTabs);
  return {
    tab: tab === 'rules' ? undefined : tab,
    change: textIn(search, 'change'),
    fact: textIn(search, 'fact'),
    operator: oneIn(search, 'operator', ruleOperators),
    value: textIn(search, 'value'),
  };
}
