/** Groups as a YAML file that people review. */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { renderYaml, yamlOfJson } from '../../lib/yaml/index.ts';
import { parseYamlFile } from '../plan-files.ts';
import type { WireGroup } from './connection.ts';
import { type Rule, splitRule } from './pins.ts';

const Name = z.string().min(1);
const Values = z.record(z.string(), z.json());

/** What goes from a group of which the file has a part. */
const RemoveWire = z.strictObject({
  classes: z.array(Name).default([]),
  parameters: z.record(z.string(), z.array(Name)).default({}),
  variables: z.array(Name).default([]),
  config_data: z.record(z.string(), z.array(Name)).default({}),
});

const FileGroupWire = z.strictObject({
  name: Name,
  id: z.string().optional(),
  /** The name that the group had before. */
  formerly: Name.optional(),
  /** The name of a group, or its id where several have the name; the root when absent. */
  parent: Name.optional(),
  description: z.string().optional(),
  environment: Name.optional(),
  environment_trumps: z.boolean().optional(),
  rule: z.json().optional(),
  /** When absent, pins are not the file's. */
  pins: z.array(Name).optional(),
  classes: z.record(z.string(), Values.nullable()).default({}),
  variables: Values.default({}),
  config_data: z.record(z.string(), Values).default({}),
  /** Whose the rest of the group is: the file's, so that what it leaves out goes, or people's. */
  rest: z.enum(['file', 'people']).default('file'),
  remove: RemoveWire.prefault({}),
});

const FileWire = z.strictObject({ groups: z.array(FileGroupWire) });

export type FileGroup = z.infer<typeof FileGroupWire>;

/** @throws Error naming the file and what is wrong with it */
export function readGroupFiles(files: readonly string[]): readonly FileGroup[] {
  return files.flatMap((file) => parseGroups(readFileSync(file === '-' ? 0 : file), file));
}

/** @param name - of the file, for messages @throws as `readGroupFiles` */
export function parseGroups(content: Uint8Array, name: string): readonly FileGroup[] {
  return parseYamlFile(FileWire, content, name).groups;
}

/**
 * Parents come first, then names. Ids are written only where several groups have the same name.
 *
 * @param all - whose names decide
 */
export function renderGroups(groups: readonly WireGroup[], all: readonly WireGroup[]): string {
  const wanted = new Set(groups.map(({ id }) => id));
  const ordered = treeOrder(all).filter(({ id }) => wanted.has(id));
  return ['---\ngroups:\n', ...ordered.map((group) => renderGroup(group, all))].join('');
}

function treeOrder(all: readonly WireGroup[]): readonly WireGroup[] {
  const below = (group: WireGroup): readonly WireGroup[] => [
    group,
    ...all
      .filter(({ id, parent }) => parent === group.id && id !== group.id)
      .sort(byName)
      .flatMap(below),
  ];
  return all.filter(({ id, parent }) => id === parent).flatMap(below);
}

function byName(a: WireGroup, b: WireGroup): number {
  const [first, second] = [`${a.name}\n${a.id}`, `${b.name}\n${b.id}`];
  return first < second ? -1 : 1;
}

function renderGroup(group: WireGroup, all: readonly WireGroup[]): string {
  const { classes, config_data: data, description, environment, id, name, variables } = group;
  const isRoot = id === group.parent;
  const { pins, rule } = splitRule(isRoot ? undefined : group.rule);
  const head = {
    name,
    ...(isUnique(name, all) ? {} : { id }),
    ...(isRoot ? {} : { parent: nameOf(group.parent, all) }),
    ...(description === undefined ? {} : { description }),
    ...(environment === 'production' ? {} : { environment }),
    ...(group.environment_trumps ? { environment_trumps: true } : {}),
  };
  const rest = {
    ...(pins.length === 0 ? {} : { pins }),
    ...(isEmpty(classes) ? {} : { classes: sorted(classes) }),
    ...(isEmpty(variables) ? {} : { variables: sorted(variables) }),
    ...(isEmpty(data) ? {} : { config_data: sorted(data) }),
  };
  const ruleLines = rule === undefined ? [] : ['rule:', ...renderRule(rule)];
  const lines = [...yamlLines(head), ...ruleLines, ...(isEmpty(rest) ? [] : yamlLines(rest))];
  return `${lines.map((line, index) => indented(line, index === 0 ? '- ' : '  ')).join('\n')}\n`;
}

/** An operator that joins conditions has a line for each of them; a comparison is one line. */
function renderRule(rule: Rule): readonly string[] {
  const [operator, ...parts] = Array.isArray(rule) ? (rule as readonly Rule[]) : [rule];
  if (operator !== 'and' && operator !== 'or' && operator !== 'not') return [`  ${JSON.stringify(rule)}`];
  return [`- ${operator}`, ...parts.flatMap(renderPart)];
}

function renderPart(part: Rule): readonly string[] {
  const lines = renderRule(part);
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return [`- ${only.trim()}`];
  return lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
}

function yamlLines(value: object): readonly string[] {
  return renderYaml(yamlOfJson(JSON.stringify(value)))
    .split('\n')
    .slice(1, -1);
}

/** Blank lines of a text stay blank. */
function indented(line: string, indent: string): string {
  return line === '' ? line : `${indent}${line}`;
}

function isUnique(name: string, all: readonly WireGroup[]): boolean {
  return all.filter((each) => each.name === name).length < 2;
}

function nameOf(id: string, all: readonly WireGroup[]): string {
  const name = all.find((each) => each.id === id)?.name ?? id;
  return isUnique(name, all) ? name : id;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** Keys in the order of the alphabet, at every depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}
