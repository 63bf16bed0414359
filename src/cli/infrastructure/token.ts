/** `bunraku infrastructure token` */

import { z } from 'zod';
import { parseTtl } from '../../services/ca/index.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { primaryUrl } from '../primary-connection.ts';
import { askInfrastructure, connectionOptions, connectionUsage } from './connection.ts';

const CreatedWire = z.object({ id: z.string(), token: z.string() });
const TokenWire = z.object({
  id: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
  uses_left: z.number().nullable(),
  certnames: z.array(z.string()),
  alt_names: z.array(z.string()),
});

const path = '/tokens';
const defaultTtl = '1h';

export const infrastructureTokenCommand: Command = {
  name: 'infrastructure token',
  summary: 'Make a token that a compile server joins with; list and delete them',
  usage: `
Usage: bunraku infrastructure token [--uses N] [--ttl TTL] [--certname PATTERN ...] [--alt-name PATTERN ...]
       bunraku infrastructure token list [--format json]
       bunraku infrastructure token delete ID

Prints a token on standard output. A compile server that joins with it gets its certificate at once, with the role of a
compile server; the token also says which CA to trust. Run it on the primary, with the settings that it runs with, or with
a user's token.

  --uses N             How many servers may join with it (default 1); 0 for any number
  --ttl TTL            How long it is valid: 30m, 1h (default), 90d; 0 for no limit
  --certname PATTERN   Which certnames may join: a name, '*.example.com' or '/regular expression/' (default: any)
  --alt-name PATTERN   Which alternative names they may have, 'DNS:*.example.com' or 'IP:10.0.0.0/8' (default: puppet
                       and the primary's own dns_alt_names); their certname is always one
${connectionUsage}`,
  async run(args, io) {
    const names = ['--uses', '--ttl', '--certname', '--alt-name', '--format', ...connectionOptions];
    const [action, ...rest] = args;
    if (action === 'list') return list(readCommandLine(rest, { withValue: names, flags: [] }), io);
    if (action === 'delete')
      return remove(readCommandLine(rest, { withValue: [...connectionOptions], flags: [] }), io);
    return create(readCommandLine(args, { withValue: names, flags: [] }), io);
  },
};

async function create(line: CommandLine, io: CommandIo): Promise<number> {
  if (line.positional.length > 0) throw new UsageError(`Unknown action ${line.positional[0]}`);
  const uses = usesOf(lastOf(line, '--uses') ?? '1');
  const ttl = lastOf(line, '--ttl') ?? defaultTtl;
  const seconds = ttl === '0' ? 0 : parseTtl(ttl);
  if (seconds === undefined) throw new UsageError(`--ttl: '${ttl}' is no time to live`);
  const certnames = line.values.get('--certname');
  const altNames = line.values.get('--alt-name');
  const body = {
    ...(uses === 0 ? {} : { uses }),
    ...(seconds === 0 ? {} : { ttl_seconds: seconds }),
    ...(certnames === undefined ? {} : { certnames }),
    ...(altNames === undefined ? {} : { alt_names: altNames }),
  };
  const { token } = CreatedWire.parse(await askInfrastructure(line, { method: 'POST', path, body }));
  io.stdout(`${token}\n`);
  if (io.isTerminal)
    io.stderr(
      `\nOn the new compile server:\n\n  bunraku compile-server join ${primaryUrl(line.settings)} --token ${token}\n`,
    );
  return 0;
}

/** Nothing at all is not a number: it would stand for any number of uses. */
function usesOf(text: string): number {
  const uses = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(uses)) return uses;
  throw new UsageError(`--uses takes a number, not '${text}'`);
}

async function list(line: CommandLine, io: CommandIo): Promise<number> {
  refuseWords(line.positional);
  const format = outputFormat(line);
  const tokens = z.array(TokenWire).parse(await askInfrastructure(line, { method: 'GET', path }));
  if (format === 'json') {
    io.stdout(renderJson(tokens));
    return 0;
  }
  for (const token of tokens) {
    const uses = token.uses_left === null ? 'any number of uses' : `${token.uses_left} uses left`;
    const end = token.expires_at === null ? 'no end' : `until ${token.expires_at}`;
    io.stdout(`${token.id}  ${uses}, ${end}, for ${token.certnames.join(' ')}, by ${token.created_by}\n`);
  }
  if (tokens.length === 0) io.stdout('There are no tokens.\n');
  return 0;
}

async function remove(line: CommandLine, io: CommandIo): Promise<number> {
  const { positional } = line;
  const [id] = positional;
  if (id === undefined || positional.length > 1)
    throw new UsageError('name one token: bunraku infrastructure token delete ID');
  await askInfrastructure(line, { method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` });
  io.stdout(`Deleted token ${id}\n`);
  return 0;
}
