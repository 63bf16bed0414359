/** Installations from before there were preconfigured groups get them, and no node gets anything else than before. */

import type { Condition } from './condition.ts';
import { defaultEnvironment } from './group.ts';
import { partsOf, unpin } from './pinning.ts';
import {
  compilersName,
  everyNode,
  formerCompilersName,
  type IdentifiedDefinition,
  mastersName,
  preconfiguredGroups,
} from './preconfigured-groups.ts';
import { isSame } from './same-value.ts';

/**
 * `Compile servers` becomes `PE Compiler`, below `PE Master`, and the other groups come beside it. Those that would match other nodes
 * than servers have no rule. A hierarchy without `Compile servers` is an operator's own and stays as it is.
 *
 * @param primary - the certname of the primary
 * @returns groups that are new or changed
 */
export function adoptPreconfiguredGroups(
  known: readonly IdentifiedDefinition[],
  primary: string,
  newId: () => string,
): readonly IdentifiedDefinition[] {
  const byName = new Map(known.map((group) => [group.name, group]));
  const former = byName.get(formerCompilersName);
  if (former === undefined || byName.has(compilersName)) return [];
  // The primary is in no group yet: groups of production would contradict others that match it.
  const others = known.every(({ environment }) => environment === defaultEnvironment) ? [] : [primary];
  const fresh = preconfiguredGroups(primary, newId);
  const ids = new Map(fresh.map(({ id, name }) => [id, byName.get(name)?.id ?? id]));
  return fresh.flatMap((definition) => {
    const { name } = definition;
    const existing = byName.get(name);
    const parent = ids.get(definition.parent) ?? definition.parent;
    if (name === compilersName) return [{ ...former, name, parent }];
    const rule = isSame(definition.rule, everyNode) ? undefined : unpin(definition.rule, others);
    if (name === mastersName)
      return [withRule(existing ?? { ...definition, parent }, either(existing?.rule, former.rule, rule))];
    return existing === undefined ? [withRule({ ...definition, parent }, rule)] : [];
  });
}

function withRule(
  { rule: _before, ...rest }: IdentifiedDefinition,
  rule: Condition | undefined,
): IdentifiedDefinition {
  return rule === undefined ? rest : { ...rest, rule };
}

/** A rule that matches what one of these matches. */
function either(...rules: readonly (Condition | undefined)[]): Condition {
  const parts: Condition[] = [];
  for (const part of rules.flatMap((rule) => (rule === undefined ? [] : partsOf(rule))))
    if (!parts.some((each) => isSame(each, part))) parts.push(part);
  return ['or', ...parts];
}
