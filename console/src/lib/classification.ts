/** Which group gives a node what, and why the node is in it. */

export interface NamedGroup {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly environment?: string | undefined;
  readonly classes?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly config_data?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

interface Explained {
  readonly value: boolean;
  readonly form: readonly unknown[];
}

/** The groups from one of them up to the root. */
export function lineage<Group extends NamedGroup>(
  id: string,
  groups: ReadonlyMap<string, Group>,
): readonly Group[] {
  const found: Group[] = [];
  for (let at = groups.get(id); at !== undefined && !found.includes(at); at = groups.get(at.parent))
    found.push(at);
  return found;
}

/**
 * The names of the groups that give something: of each line of groups the one that is nearest to the node.
 *
 * @param leaves - the ids of the groups where the lines begin
 */
export function givingGroups<Group extends NamedGroup>(
  leaves: readonly string[],
  groups: ReadonlyMap<string, Group>,
  gives: (group: Group) => boolean,
): readonly string[] {
  const nearest = leaves.flatMap((id) => lineage(id, groups).filter(gives).slice(0, 1));
  return Array.from(new Set(nearest.map(({ name }) => name)));
}

/** The comparisons that made a rule match: `trusted.extensions.pp_role = web`. A pin is a comparison of the name. */
export function matchedTerms(condition: Explained): readonly string[] {
  const [operator, ...rest] = condition.form;
  if (operator === 'and' || operator === 'or' || operator === 'not') {
    const inner = rest.filter(isExplained);
    if (operator === 'not') return [`not (${inner.flatMap(describeAll).join(', ')})`];
    return inner.filter(({ value }) => value).flatMap(matchedTerms);
  }
  return [describe(condition)];
}

/** The rule of All Nodes. */
export const everyNode = 'name ~ .*';

/** The terms that matched, without that of All Nodes where there are others: a rule repeats those of the groups above it. */
export function reasonsOf(condition: Explained): readonly string[] {
  const terms = new Set(matchedTerms(condition));
  if (terms.size > 1) terms.delete(everyNode);
  return Array.from(terms);
}

function describeAll(condition: Explained): readonly string[] {
  const [operator, ...rest] = condition.form;
  if (operator === 'and' || operator === 'or' || operator === 'not')
    return rest.filter(isExplained).flatMap(describeAll);
  return [describe(condition)];
}

function describe({ form }: Explained): string {
  const [operator, subject, target] = form;
  return `${pathOf(subject)} ${String(operator)} ${String(target)}`;
}

function pathOf(subject: unknown): string {
  if (typeof subject !== 'object' || subject === null || !('path' in subject)) return String(subject);
  const { path } = subject;
  return Array.isArray(path) ? path.join('.') : String(path);
}

function isExplained(value: unknown): value is Explained {
  return typeof value === 'object' && value !== null && 'form' in value && 'value' in value;
}
