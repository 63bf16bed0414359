/** `bunraku connection add`, `list` and `delete` */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Command, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { askInventory, connectionOptions, connectionUsage } from './connection.ts';

export const connectionAddCommand: Command = {
  name: 'connection add',
  summary: 'Reach nodes without an agent by SSH',
  usage: `
Usage: bunraku connection add NODE ... --user USER --key FILE | --password-file FILE [OPTIONS]

  bunraku connection add db1.example.com --user deploy --key ~/.ssh/deploy --sudo

  --user USER          Whom to log in as
  --key FILE           The private key, without a passphrase
  --password-file FILE Its first line is the password; '-' reads it from standard input
  --port PORT          (default: 22)
  --host HOST          Where the node is, when that is not its name
  --sudo               Run everything as root
  --sudo-password-file FILE
                       Its first line is the password that sudo asks for
  --directory PATH     For files while they are needed (default: /tmp)
  --group NAME         A group of nodes for jobs and plans; may be given several times
  --no-host-key-check  Accept any key of the host; otherwise it is the one that it had the first time
  --replace            Replace the connections of these nodes
${connectionUsage}
Keys and passwords are stored encrypted, and never shown.
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [
        ...connectionOptions,
        '--user',
        '--key',
        '--password-file',
        '--port',
        '--host',
        '--sudo-password-file',
        '--directory',
        '--group',
      ],
      flags: ['--sudo', '--no-host-key-check', '--replace'],
    });
    const { flags, positional } = line;
    const [user, port, host] = [lastOf(line, '--user'), lastOf(line, '--port'), lastOf(line, '--host')];
    const [key, directory] = [lastOf(line, '--key'), lastOf(line, '--directory')];
    const groups = line.values.get('--group') ?? [];
    const password = firstLine(lastOf(line, '--password-file'));
    const sudoPassword = firstLine(lastOf(line, '--sudo-password-file'));
    if (positional.length === 0) throw new UsageError('name a node');
    if (user === undefined) throw new UsageError('say whom to log in as: --user');
    if (key === undefined && password === undefined) throw new UsageError('give --key or --password-file');
    const body = {
      certnames: positional,
      type: 'ssh',
      parameters: {
        user,
        ...(port === undefined ? {} : { port: Number(port) }),
        ...(host === undefined ? {} : { hostname: host }),
        ...(directory === undefined ? {} : { tmpdir: directory }),
        ...(flags.has('--sudo') ? { 'run-as': 'root' } : {}),
        ...(flags.has('--no-host-key-check') ? { 'host-key-check': false } : {}),
        ...(groups.length === 0 ? {} : { groups }),
      },
      sensitive_parameters: {
        ...(key === undefined ? {} : { 'private-key-content': readFileSync(key, 'utf8') }),
        ...(password === undefined ? {} : { password }),
        ...(sudoPassword === undefined ? {} : { 'sudo-password': sudoPassword }),
      },
      duplicates: flags.has('--replace') ? 'replace' : 'error',
    };
    await askInventory(line, { method: 'POST', path: '/command/create-connection', body });
    io.stdout(`Added ${positional.join(', ')}\n`);
    return 0;
  },
};

export const connectionListCommand: Command = {
  name: 'connection list',
  summary: 'List nodes that are reached by SSH',
  usage: `
Usage: bunraku connection list [OPTIONS]

  --format json        Print what the orchestrator answers
${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...connectionOptions, '--format', '-F'], flags: [] });
    refuseWords(line.positional);
    const answer = await askInventory(line, { method: 'GET', path: '/query/connections' });
    if (outputFormat(line) === 'json') {
      io.stdout(renderJson(answer));
      return 0;
    }
    const rows = ListWire.parse(answer).items.flatMap(({ certnames, parameters }) =>
      certnames.map((node) => ({
        node,
        user: parameters.user,
        host: `${parameters.hostname ?? node}:${parameters.port}`,
        'runs as': parameters['run-as'] ?? parameters.user,
        groups: (parameters.groups ?? []).join(','),
      })),
    );
    for (const text of tableLines(rows)) io.stdout(`${text}\n`);
    return 0;
  },
};

export const connectionDeleteCommand: Command = {
  name: 'connection delete',
  summary: 'Reach nodes by SSH no longer, and forget the keys and passwords',
  usage: `
Usage: bunraku connection delete NODE ... [OPTIONS]

${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: connectionOptions, flags: [] });
    const certnames = line.positional;
    if (certnames.length === 0) throw new UsageError('name a node');
    await askInventory(line, { method: 'POST', path: '/command/delete-connection', body: { certnames } });
    io.stdout(`Deleted ${certnames.join(', ')}\n`);
    return 0;
  },
};

function firstLine(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file === '-' ? 0 : file, 'utf8').split('\n')[0];
}

const ListWire = z.object({
  items: z.array(
    z.object({
      certnames: z.array(z.string()),
      parameters: z.looseObject({
        user: z.string(),
        port: z.number(),
        hostname: z.string().optional(),
        'run-as': z.string().optional(),
        groups: z.array(z.string()).optional(),
      }),
    }),
  ),
});
