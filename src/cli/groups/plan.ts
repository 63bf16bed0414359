/** `bunraku groups plan` and `bunraku groups apply` */

import { randomUUID } from 'node:crypto';
import type { Command, CommandIo } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import type { CommandLine } from '../own-options.ts';
import { readApplyLine, readPlanLine } from '../plan-files.ts';
import {
  askClassifier,
  askGroups,
  connectionOptions,
  connectionUsage,
  type WireGroup,
} from './connection.ts';
import {
  groupDifferences,
  nodeDifferences,
  type Preview,
  PreviewWire,
  renderDifference,
} from './differences.ts';
import { readGroupFiles } from './group-file.ts';
import { type PlannedGroup, planGroups } from './group-plan.ts';

const options = `  --format json        Print the plan for programs
${connectionUsage}
Groups that the files don't name stay as they are, and of groups with 'rest: people' whatever the files don't name. The primary finds the nodes with the facts that PuppetDB has of them.
`;

export const groupsPlanCommand: Command = {
  name: 'groups plan',
  summary: 'Show which groups and nodes files of groups would change, and how',
  usage: `
Usage: bunraku groups plan FILE ... [OPTIONS]

FILE is YAML as 'bunraku groups export' prints it; '-' reads it from standard input.
Exit code: 0 nothing to do, 2 there are changes, 1 it failed.

${options}`,
  async run(args, io) {
    const plan = await makePlan(readPlanLine(args, connectionOptions));
    printPlan(plan, io);
    return plan.planned.length === 0 ? 0 : 2;
  },
};

export const groupsApplyCommand: Command = {
  name: 'groups apply',
  summary: 'Change groups of nodes to what files say, in one step',
  usage: `
Usage: bunraku groups apply FILE ... [OPTIONS]

FILE is YAML as 'bunraku groups export' prints it; '-' reads it from standard input.
All groups change, or none. Someone else's change since the plan was made is refused, not overwritten.

${options}`,
  async run(args, io) {
    const plan = await makePlan(readApplyLine(args, connectionOptions));
    printPlan(plan, io);
    if (plan.planned.length === 0) return 0;
    const body = { groups: plan.planned.map(({ after }) => after) };
    await askClassifier(plan.line, { method: 'POST', path: '/v1/commands/change-groups', body });
    if (!plan.isJson) io.stdout(`Changed ${counted(plan.planned.length, 'group')}\n`);
    return 0;
  },
};

interface Plan {
  readonly line: CommandLine;
  readonly isJson: boolean;
  readonly current: readonly WireGroup[];
  readonly planned: readonly PlannedGroup[];
  readonly preview: Preview;
}

async function makePlan(line: CommandLine): Promise<Plan> {
  const files = readGroupFiles(line.positional);
  const current = await askGroups(line);
  const planned = planGroups(current, files, randomUUID);
  const preview = planned.length === 0 ? { total: 0, nodes: [] } : await askPreview(line, planned);
  return { line, isJson: outputFormat(line) === 'json', current, planned, preview };
}

/** All nodes are classified twice. */
const previewTimeoutMs = 600_000;

async function askPreview(line: CommandLine, planned: readonly PlannedGroup[]): Promise<Preview> {
  const body = { groups: planned.map(({ after }) => after) };
  const path = '/v1/commands/preview-groups';
  return PreviewWire.parse(
    await askClassifier(line, { method: 'POST', path, body, timeoutMs: previewTimeoutMs }),
  );
}

function printPlan({ current, isJson, planned, preview }: Plan, io: CommandIo): void {
  const lines = planLines(current, planned, preview);
  io.stdout(isJson ? renderJson(planAsJson(current, planned, preview)) : `${lines.join('\n')}\n`);
}

/** For people. */
export function planLines(
  current: readonly WireGroup[],
  planned: readonly PlannedGroup[],
  { nodes, refused, total }: Preview,
): readonly string[] {
  if (planned.length === 0) return ['Nothing to do: the groups are as the files have them'];
  const nameOf = namesOf(current, planned);
  const groupLines = planned.flatMap((each) => [
    headOf(each),
    ...groupDifferences(each, nameOf).map((difference) => `    ${renderDifference(difference)}`),
  ]);
  const nodeLines = nodes.flatMap((node) => [
    `  ${node.name}`,
    ...nodeDifferences(node).map((difference) => `    ${renderDifference(difference)}`),
  ]);
  return [
    `${counted(planned.length, 'group')} to change:`,
    ...groupLines,
    `${nodes.length} of ${counted(total, 'node')} to change${nodes.length === 0 ? '' : ':'}`,
    ...nodeLines,
    ...(refused === undefined ? [] : [`You may not do this. ${refused}`]),
  ];
}

function headOf({ after, before }: PlannedGroup): string {
  if (before === undefined) return `  + ${after.name}`;
  return `  ~ ${before.name}${before.name === after.name ? '' : `, renamed to ${after.name}`}`;
}

function planAsJson(current: readonly WireGroup[], planned: readonly PlannedGroup[], preview: Preview) {
  const nameOf = namesOf(current, planned);
  const { nodes, refused, total } = preview;
  return {
    groups: planned.map((each) => ({
      name: each.after.name,
      id: each.after.id,
      action: each.before === undefined ? 'create' : 'change',
      differences: groupDifferences(each, nameOf),
    })),
    nodes: nodes.map((node) => ({ name: node.name, differences: nodeDifferences(node) })),
    nodes_total: total,
    ...(refused === undefined ? {} : { refused }),
  };
}

function namesOf(current: readonly WireGroup[], planned: readonly PlannedGroup[]): (id: string) => string {
  const all = [...current, ...planned.map(({ after }) => after)];
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
