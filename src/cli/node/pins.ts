/** `bunraku node pin` and `bunraku node unpin` */

import { type Command, UsageError } from '../command.ts';
import {
  askClassifier,
  askGroups,
  connectionOptions,
  connectionUsage,
  findGroup,
} from '../groups/connection.ts';
import { readCommandLine } from '../own-options.ts';

export const nodePinCommand: Command = {
  name: 'node pin',
  summary: 'Make nodes members of a group, whatever its rule says',
  usage: `
Usage: bunraku node pin GROUP CERTNAME ... [OPTIONS]

GROUP is the name of a group of nodes, or its id. A node that is pinned to PE Master is a compile server.

${connectionUsage}`,
  run: (args, io) => changePins(args, 'pin', io.stdout),
};

export const nodeUnpinCommand: Command = {
  name: 'node unpin',
  summary: 'Unpin nodes from a group',
  usage: `
Usage: bunraku node unpin GROUP CERTNAME ... [OPTIONS]

Nodes that match the rule of the group stay members.

${connectionUsage}`,
  run: (args, io) => changePins(args, 'unpin', io.stdout),
};

async function changePins(
  args: readonly string[],
  action: 'pin' | 'unpin',
  stdout: (text: string) => void,
): Promise<number> {
  const line = readCommandLine(args, { withValue: connectionOptions, flags: [] });
  const [group, ...nodes] = line.positional;
  if (group === undefined || nodes.length === 0) throw new UsageError('name a group and at least one node');
  const { id, name } = findGroup(await askGroups(line), group);
  await askClassifier(line, { method: 'POST', path: `/v1/groups/${id}/${action}`, body: { nodes } });
  const done = action === 'pin' ? 'pinned to' : 'not pinned to';
  for (const node of nodes) stdout(`${node} is ${done} ${name}\n`);
  return 0;
}
