/** `bunraku groups export` */

import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { askGroups, connectionOptions, connectionUsage, findGroup, type WireGroup } from './connection.ts';
import { renderGroups } from './group-file.ts';

export const groupsExportCommand: Command = {
  name: 'groups export',
  summary: 'Print groups of nodes as YAML, for review and for a repository',
  usage: `
Usage: bunraku groups export [GROUP ...] [OPTIONS]

  bunraku groups export > groups.yaml
  bunraku groups export 'Web servers' > web.yaml

GROUP is the name of a group, or its id: it is printed with all groups below it. Without one, all groups are printed.

${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: connectionOptions, flags: [] });
    const all = await askGroups(line);
    const tops = line.positional.map((wanted) => findGroup(all, wanted));
    io.stdout(renderGroups(tops.length === 0 ? all : tops.flatMap((top) => subtree(top, all)), all));
    return 0;
  },
};

function subtree(top: WireGroup, all: readonly WireGroup[]): readonly WireGroup[] {
  const children = all.filter(({ id, parent }) => parent === top.id && id !== top.id);
  return [top, ...children.flatMap((child) => subtree(child, all))];
}
