/** What differs between two states of a group or of a node, one line for each difference. */

import { z } from 'zod';
import type { WireGroup } from './connection.ts';
import type { PlannedGroup } from './group-plan.ts';
import { splitRule } from './pins.ts';

const Classes = z.record(z.string(), z.record(z.string(), z.json()));

/** What the groups give a node; the members that differ. */
const OutcomeWire = z.object({
  groups: z.array(z.string()).optional(),
  environment: z.string().optional(),
  classes: Classes.optional(),
  variables: z.record(z.string(), z.json()).optional(),
  config_data: Classes.optional(),
  error: z.string().optional(),
});

type Outcome = z.infer<typeof OutcomeWire>;

export const PreviewWire = z.object({
  total: z.int(),
  nodes: z.array(z.object({ name: z.string(), before: OutcomeWire, after: OutcomeWire })),
  refused: z.string().optional(),
});

export type Preview = z.infer<typeof PreviewWire>;

export interface Difference {
  readonly what: string;
  /** As JSON; absent when the value is new. */
  readonly before?: string;
  /** As JSON; absent when the value is removed. */
  readonly after?: string;
}

/** @param nameOf - the name of a group with that id, before or after */
export function groupDifferences(
  { after, before }: PlannedGroup,
  nameOf: (id: string) => string,
): readonly Difference[] {
  return differences(before === undefined ? new Map() : partsOf(before, nameOf), partsOf(after, nameOf));
}

export function nodeDifferences({ after, before }: Preview['nodes'][number]): readonly Difference[] {
  return differences(partsOfNode(before), partsOfNode(after));
}

export function renderDifference({ after, before, what }: Difference): string {
  if (before === undefined) return `+ ${what}${after === '' ? '' : `: ${after}`}`;
  if (after === undefined) return `- ${what}${before === '' ? '' : `: ${before}`}`;
  return `~ ${what}: ${before} -> ${after}`;
}

type Parts = ReadonlyMap<string, string>;

function differences(before: Parts, after: Parts): readonly Difference[] {
  const all = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => rankOf(a) - rankOf(b));
  return all.flatMap((what) => {
    const [earlier, later] = [before.get(what), after.get(what)];
    if (earlier === later) return [];
    return [
      {
        what,
        ...(earlier === undefined ? {} : { before: earlier }),
        ...(later === undefined ? {} : { after: later }),
      },
    ];
  });
}

const firstWords = [
  'name',
  'parent',
  'description',
  'conflict',
  'group',
  'environment',
  'rule',
  'pin',
  'class',
];

/** Parameters come after all classes, then variables and data. */
function rankOf(what: string): number {
  const [word = ''] = what.split(' ');
  if (word === 'variable') return firstWords.length + 1;
  if (word === 'data') return firstWords.length + 2;
  return firstWords.includes(word) ? firstWords.indexOf(word) : firstWords.length;
}

function partsOf(group: WireGroup, nameOf: (id: string) => string): Parts {
  const { pins, rule } = splitRule(group.rule);
  return new Map([
    ['name', JSON.stringify(group.name)],
    ['parent', JSON.stringify(nameOf(group.parent))],
    ...(group.description === undefined ? [] : [pair('description', group.description)]),
    pair('environment', group.environment),
    ...(group.environment_trumps ? [['environment trumps', ''] as const] : []),
    ...(rule === undefined ? [] : [pair('rule', rule)]),
    ...pins.map((name) => [`pin ${name}`, ''] as const),
    ...partsOfNode({ classes: group.classes, variables: group.variables, config_data: group.config_data }),
  ]);
}

function partsOfNode({ classes, config_data: data, environment, error, groups, variables }: Outcome): Parts {
  return new Map([
    ...(error === undefined ? [] : [['conflict', error] as const]),
    ...(groups ?? []).map((name) => [`group ${name}`, ''] as const),
    ...(environment === undefined ? [] : [pair('environment', environment)]),
    ...Object.keys(classes ?? {}).map((name) => [`class ${name}`, ''] as const),
    ...parameters(classes ?? {}, ''),
    ...Object.entries(variables ?? {}).map(([name, value]) => pair(`variable ${name}`, value)),
    ...parameters(data ?? {}, 'data '),
  ]);
}

function parameters(classes: z.infer<typeof Classes>, prefix: string): (readonly [string, string])[] {
  return Object.entries(classes).flatMap(([name, values]) =>
    Object.entries(values).map(([parameter, value]) => pair(`${prefix}${name}::${parameter}`, value)),
  );
}

function pair(what: string, value: unknown): readonly [string, string] {
  return [what, JSON.stringify(sorted(value))];
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}
