/** `bunraku node groups` and `bunraku node explain` */

import { type Command, UsageError } from '../command.ts';
import { askClassifier, askGroups, connectionOptions, connectionUsage } from '../groups/connection.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, readCommandLine } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import {
  type Explanation,
  ExplanationWire,
  givenItems,
  type Membership,
  memberships,
} from './explanation.ts';

const options = `  --format json        Print it for programs
${connectionUsage}
The primary evaluates the groups with the facts that PuppetDB has of the node. Without facts, rules see only its name.
`;

export const nodeGroupsCommand: Command = {
  name: 'node groups',
  summary: 'Show which groups a node is in, and why: the rule or a pin',
  usage: `
Usage: bunraku node groups CERTNAME [OPTIONS]

${options}`,
  async run(args, io) {
    const { explanation, groups, isJson } = await explain(args);
    if (isJson) io.stdout(renderJson(groups));
    else {
      io.stderr(noteOn(explanation));
      for (const text of tableLines(groups.map(rowOf))) io.stdout(`${text}\n`);
    }
    return 0;
  },
};

export const nodeExplainCommand: Command = {
  name: 'node explain',
  summary: 'Show which group gives a node each class, parameter, variable and its environment',
  usage: `
Usage: bunraku node explain CERTNAME [OPTIONS]

${options}`,
  async run(args, io) {
    const { all, explanation, groups, isJson } = await explain(args);
    const gives = givenItems(explanation, all);
    if (isJson) {
      const { conflicts } = explanation;
      io.stdout(renderJson({ groups, gives, ...(conflicts === undefined ? {} : { conflicts }) }));
      return 0;
    }
    io.stderr(noteOn(explanation));
    for (const text of tableLines(groups.map(rowOf))) io.stdout(`${text}\n`);
    io.stdout('\n');
    if (explanation.final_classification === undefined)
      io.stdout('The groups contradict each other, so the node gets no catalog:\n');
    const rows = gives.map(({ from, kind, name, value }) => ({ kind, name, value, group: from.join(', ') }));
    for (const text of tableLines(rows)) io.stdout(`${text}\n`);
    return 0;
  },
};

async function explain(args: readonly string[]) {
  const line = readCommandLine(args, { withValue: [...connectionOptions, '--format', '-F'], flags: [] });
  const isJson = outputFormat(line) === 'json';
  const certname = onlyNode(line);
  const path = `/v1/classified/nodes/${encodeURIComponent(certname)}/explanation?facts=stored`;
  const all = await askGroups(line);
  const explanation = ExplanationWire.parse(await askClassifier(line, { method: 'POST', path }));
  return { all, explanation, groups: memberships(explanation, all), isJson };
}

/** @throws UsageError unless there is exactly one */
function onlyNode({ positional: [certname, ...more] }: CommandLine): string {
  if (certname === undefined || more.length > 0) throw new UsageError('name one node');
  return certname;
}

function noteOn({ node_as_received: { fact, name } }: Explanation): string {
  if (Object.keys(fact).length > 0) return '';
  return `PuppetDB has no facts of ${name}: rules see only its name\n`;
}

function rowOf({ group, why }: Membership) {
  return { group, why: why.join('; ') };
}
