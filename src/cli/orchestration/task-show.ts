/** `bunraku task list` and `task show` */

import { z } from 'zod';
import { type Command, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { askOrchestrator, connectionOptions, connectionUsage } from './connection.ts';

const usage = `  --environment, -e ENVIRONMENT
                       Whose tasks (default: production)
  --format json        Print what the orchestrator answers
${connectionUsage}`;
const options = { withValue: [...connectionOptions, '--environment', '-e', '--format', '-F'], flags: [] };

export const taskListCommand: Command = {
  name: 'task list',
  summary: 'List the tasks that you may run',
  usage: `
Usage: bunraku task list [OPTIONS]

${usage}`,
  async run(args, io) {
    const line = readCommandLine(args, options);
    refuseWords(line.positional);
    const format = outputFormat(line);
    const answer = await askOrchestrator(line, { method: 'GET', path: `/tasks?${environmentIn(line)}` });
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

${usage}`,
  async run(args, io) {
    const line = readCommandLine(args, options);
    const format = outputFormat(line);
    const [name, ...more] = line.positional;
    if (name === undefined || more.length > 0) throw new UsageError('name one task');
    const [module = '', task = 'init'] = name.split(/::(.*)/s);
    const path = `/tasks/${encodeURIComponent(module)}/${encodeURIComponent(task)}?${environmentIn(line)}`;
    const answer = await askOrchestrator(line, { method: 'GET', path });
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

function environmentIn(line: CommandLine): string {
  const environment = lastOf(line, '--environment') ?? lastOf(line, '-e') ?? 'production';
  return new URLSearchParams({ environment }).toString();
}

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
