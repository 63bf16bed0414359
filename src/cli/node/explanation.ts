/** Reads the classifier's explanation of a node: why it is in its groups, and which group gives what. */

import { z } from 'zod';
import type { WireGroup } from '../groups/connection.ts';

const Values = z.record(z.string(), z.json());
const Classes = z.record(z.string(), Values);
const ClassificationWire = z.object({
  environment: z.string(),
  classes: Classes,
  variables: Values,
  config_data: Classes,
});

interface Explained {
  readonly value: boolean;
  readonly form: readonly unknown[];
}

const ExplainedWire: z.ZodType<Explained> = z.object({ value: z.boolean(), form: z.array(z.unknown()) });

export const ExplanationWire = z.object({
  node_as_received: z.object({ name: z.string(), fact: Values }),
  match_explanations: z.record(z.string(), ExplainedWire),
  leaf_groups: z.record(z.string(), z.object({ environment: z.string(), environment_trumps: z.boolean() })),
  inherited_classifications: z.record(z.string(), ClassificationWire),
  conflicts: z.json().optional(),
  final_classification: ClassificationWire.optional(),
});

export type Explanation = z.infer<typeof ExplanationWire>;

export interface Membership {
  readonly group: string;
  readonly id: string;
  /** `pinned`, or the parts of the rule that match. */
  readonly why: readonly string[];
}

/** By the name of the group. */
export function memberships(
  { match_explanations: matches }: Explanation,
  groups: readonly WireGroup[],
): readonly Membership[] {
  return groups.flatMap((group) => {
    const match = matches[group.id];
    return match === undefined
      ? []
      : [{ group: group.name, id: group.id, why: reasons(ownPart(group, match)) }];
  });
}

/** The root's rule is its own; that of any other group is followed by those of the groups above. */
function ownPart({ id, parent }: WireGroup, match: Explained): Explained {
  return id === parent ? match : (match.form[1] as Explained);
}

function reasons(match: Explained): readonly string[] {
  const [operator, ...parts] = match.form;
  const branches = operator === 'or' ? (parts as readonly Explained[]) : [match];
  const matching = branches.filter(({ value }) => value);
  return matching.map((branch) => (isPin(branch) ? 'pinned' : textOf(branch)));
}

function isPin({ form: [operator, compared] }: Explained): boolean {
  return operator === '=' && (compared as { readonly path?: unknown }).path === 'name';
}

/** With the value that was found where it isn't the one in the rule. */
function textOf({ form: [operator, first, ...rest] }: Explained): string {
  if (operator === 'not') return `not (${textOf(first as Explained)})`;
  if (operator === 'and' || operator === 'or')
    return [first, ...rest].map((part) => inBrackets(part as Explained)).join(` ${operator} `);
  const { path, value } = first as { readonly path: unknown; readonly value: unknown };
  const name = Array.isArray(path) ? path.join('.') : String(path);
  const [target] = rest;
  const found = operator === '=' || value === null ? '' : ` (${JSON.stringify(value)})`;
  return `${name} ${String(operator)} ${JSON.stringify(target)}${found}`;
}

function inBrackets(part: Explained): string {
  const isNested = part.form[0] === 'and' || part.form[0] === 'or';
  return isNested ? `(${textOf(part)})` : textOf(part);
}

export interface GivenItem {
  readonly kind: 'class' | 'data' | 'environment' | 'parameter' | 'variable';
  readonly name: string;
  /** As JSON; empty for a class. */
  readonly value: string;
  /** The names of the groups that say so. */
  readonly from: readonly string[];
}

/** What the groups of a node give, and which says so. Where they contradict each other there are several values of a thing. */
export function givenItems(explanation: Explanation, groups: readonly WireGroup[]): readonly GivenItem[] {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const items = new Map<string, { readonly item: Omit<GivenItem, 'from'>; readonly from: Set<string> }>();
  const add = (item: Omit<GivenItem, 'from'>, from: string) => {
    const key = JSON.stringify(item);
    const known = items.get(key) ?? { item, from: new Set() };
    known.from.add(from);
    items.set(key, known);
  };
  for (const [id, inherited] of Object.entries(explanation.inherited_classifications)) {
    const chain = chainOf(id, byId);
    if (decidesEnvironment(explanation, id))
      add({ kind: 'environment', name: inherited.environment, value: '' }, chain[0]?.name ?? id);
    for (const [item, definer] of valuesIn(inherited, chain)) add(item, definer);
  }
  return Array.from(items.values(), ({ from, item }) => ({ ...item, from: [...from] })).sort(byKindAndName);
}

/** If any group has `environment_trumps`, only such groups decide. */
function decidesEnvironment({ leaf_groups: leaves }: Explanation, id: string): boolean {
  return (
    leaves[id]?.environment_trumps === true || !Object.values(leaves).some((leaf) => leaf.environment_trumps)
  );
}

/** The group and those above. */
function chainOf(id: string, byId: ReadonlyMap<string, WireGroup>): readonly WireGroup[] {
  const group = byId.get(id);
  if (group === undefined) return [];
  return group.parent === id ? [group] : [group, ...chainOf(group.parent, byId)];
}

function* valuesIn(
  { classes, config_data: data, variables }: z.infer<typeof ClassificationWire>,
  chain: readonly WireGroup[],
): Generator<readonly [Omit<GivenItem, 'from'>, string]> {
  for (const [name, parameters] of Object.entries(classes)) {
    for (const group of chain)
      if (Object.hasOwn(group.classes, name)) yield [{ kind: 'class', name, value: '' }, group.name];
    for (const [parameter, value] of Object.entries(parameters))
      yield [
        { kind: 'parameter', name: `${name}::${parameter}`, value: JSON.stringify(value) },
        definer(chain, (group) => group.classes[name], parameter),
      ];
  }
  for (const [name, value] of Object.entries(variables))
    yield [
      { kind: 'variable', name, value: JSON.stringify(value) },
      definer(chain, (group) => group.variables, name),
    ];
  for (const [name, parameters] of Object.entries(data))
    for (const [parameter, value] of Object.entries(parameters))
      yield [
        { kind: 'data', name: `${name}::${parameter}`, value: JSON.stringify(value) },
        definer(chain, (group) => group.config_data[name], parameter),
      ];
}

/** The nearest group that names it. */
function definer(
  chain: readonly WireGroup[],
  read: (group: WireGroup) => Readonly<Record<string, unknown>> | undefined,
  name: string,
): string {
  return chain.find((group) => Object.hasOwn(read(group) ?? {}, name))?.name ?? '';
}

const kinds = ['environment', 'class', 'parameter', 'variable', 'data'];

function byKindAndName(a: GivenItem, b: GivenItem): number {
  const order = kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
  return order === 0 ? Number(a.name > b.name) - Number(a.name < b.name) : order;
}
