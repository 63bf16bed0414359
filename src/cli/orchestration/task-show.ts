/** `bunraku task list` and `task show` */

import { z } from 'zod';
import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { itemPath, listingOptions, listingUsage, listPath } from './code-listing.ts';
import { askOrchestrator } from './connection.ts';

export const taskListCommand: Command = {
  name: 'task list',
  summary: 'List the tasks that you may run',
  usage: `
Usage: bunraku task list [OPTIONS]

${listingUsage('task')}`,
  async run(args, io) {
    const line = readCommandLine(args, listingOptions);
    refuseWords(line.positional);
    const format = outputFormat(line);
    const answer = await askOrchestrator(line, { method: 'GET', path: listPath('task', line) });
    if (format === 'json') io.stdout(renderJson(answer));
    else for (const { name } of TasksWire.parse(answer).items) io.stdout(`${name}\n`);
    return 0;
  },
};

export const taskShowCommand: Command = {
  name: 'task show',
  summary: 'Show what a task does, and its parameters',
  usage: `
Usage: bunraku task show TASK [OPTIONS]

${listingUsage('task')}`,
  async run(args, io) {
    const line = readCommandLine(args, listingOptions);
    const format = outputFormat(line);
    const answer = await askOrchestrator(line, { method: 'GET', path: itemPath('task', line) });
    if (format === 'json') io.stdout(renderJson(answer));
    else io.stdout(describe(TaskWire.parse(answer)));
    return 0;
  },
};

const TasksWire = z.object({ items: z.array(z.object({ name: z.string() })) });
const ParameterWire = z.looseObject({ type: z.string().optional(), description: z.string().optional() });
const TaskWire = z.object({
  name: z.string(),
  metadata: z.looseObject({
    description: z.string().optional(),
    supports_noop: z.boolean().optional(),
    parameters: z.record(z.string(), ParameterWire).nullish(),
  }),
});

function describe({ metadata, name }: z.infer<typeof TaskWire>): string {
  const parameters = Object.entries(metadata.parameters ?? {});
  const lines = [
    metadata.description === undefined ? name : `${name} - ${metadata.description}`,
    ...(metadata.supports_noop === true ? ['Supports --noop'] : []),
    ...(metadata.parameters === null || metadata.parameters === undefined
      ? ['Takes any parameters']
      : parameters.flatMap(([parameter, { description, type = 'Any' }]) => [
          `- ${parameter} : ${type}`,
          ...(description === undefined ? [] : [`    ${description}`]),
        ])),
  ];
  return `${lines.join('\n')}\n`;
}
