/** `bunraku node pin` and `bunraku node unpin` */

import { z } from 'zod';
import { type Command, UsageError } from '../command.ts';
import { type CommandLine, readCommandLine } from '../own-options.ts';
import { askService, serviceOptions, serviceUrl, tokenUsage } from '../service-connection.ts';

const options = `  --service-url URL    The API of groups (default: on the primary, https://PRIMARY:4433/classifier-api)
${tokenUsage}`;

export const nodePinCommand: Command = {
  name: 'node pin',
  summary: 'Make nodes members of a group, whatever its rule says',
  usage: `
Usage: bunraku node pin GROUP CERTNAME ... [OPTIONS]

GROUP is the name of a group of nodes, or its id. A node that is pinned to PE Master is a compile server.

${options}`,
  run: (args, io) => changePins(args, 'pin', io.stdout),
};

export const nodeUnpinCommand: Command = {
  name: 'node unpin',
  summary: 'Unpin nodes from a group',
  usage: `
Usage: bunraku node unpin GROUP CERTNAME ... [OPTIONS]

Nodes that match the rule of the group stay members.

${options}`,
  run: (args, io) => changePins(args, 'unpin', io.stdout),
};

async function changePins(
  args: readonly string[],
  action: 'pin' | 'unpin',
  stdout: (text: string) => void,
): Promise<number> {
  const line = readCommandLine(args, { withValue: [...serviceOptions], flags: [] });
  const [group, ...nodes] = line.positional;
  if (group === undefined || nodes.length === 0) throw new UsageError('name a group and at least one node');
  const url = classifierUrl(line);
  const { id, name } = findGroup(
    GroupsWire.parse(await askService(line, url, { method: 'GET', path: '/v1/groups' })),
    group,
  );
  await askService(line, url, { method: 'POST', path: `/v1/groups/${id}/${action}`, body: { nodes } });
  const done = action === 'pin' ? 'pinned to' : 'not pinned to';
  for (const node of nodes) stdout(`${node} is ${done} ${name}\n`);
  return 0;
}

const GroupsWire = z.array(z.object({ id: z.string(), name: z.string() }));

type Groups = z.infer<typeof GroupsWire>;

/** @param wanted - a name or an id @throws Error for a name of no group, or of several */
export function findGroup(groups: Groups, wanted: string): Groups[number] {
  const [found, ...more] = groups.filter(({ id, name }) => name === wanted || id === wanted);
  if (found === undefined)
    throw new Error(`There is no group ${wanted}; there are ${groups.map(({ name }) => name).join(', ')}`);
  if (more.length > 0) throw new Error(`There are several groups ${wanted}: name one by its id`);
  return found;
}

function classifierUrl(line: CommandLine): string {
  const { settings, values } = line;
  const url = serviceUrl(settings, settings.consoleServicesPort, 4433);
  if (url !== undefined) return `${url}/classifier-api`;
  if (values.has('--service-url')) return '';
  throw new Error(
    'The primary has no port for groups: set console_services_port (4433 is usual) and start it again',
  );
}
