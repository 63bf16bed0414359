/** `bunraku user token` */

import type { Command, CommandIo } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { type ListedUser, loginOf, RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userTokenCommand: Command = {
  name: 'user token',
  summary: 'Make a token for a user; list and revoke them',
  usage: `
Usage: bunraku user token LOGIN [--lifetime TIME] [--label TEXT] [OPTIONS]
       bunraku user token LOGIN --list | --revoke [OPTIONS]

Prints a token on standard output, for programs that should not know a password. Its bearer may do what the user may. It
goes into the header X-Authentication, or into the query parameter 'token'.

  --lifetime TIME      How long it is valid: 30m, 12h, 7d, 1y; 0 for the longest allowed (default: the primary's setting, 1h)
  --label TEXT         A name for it
  --list               List the user's tokens: what they are for, when they end, when they were used last
  --revoke             Revoke all of the user's tokens
${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [...rbacOptions, '--lifetime', '--label'],
      flags: ['--list', '--revoke'],
    });
    const login = loginOf(line);
    const client = new RbacClient(line);
    const user = await client.user(login);
    if (line.flags.has('--list')) await list(client, user, io);
    else if (line.flags.has('--revoke')) await client.revokeTokens(user);
    else {
      const [lifetime, label] = [lastOf(line, '--lifetime'), lastOf(line, '--label')];
      const order = {
        ...(lifetime === undefined ? {} : { lifetime }),
        ...(label === undefined ? {} : { label }),
      };
      io.stdout(`${await client.createToken(user, order)}\n`);
    }
    return 0;
  },
};

async function list(client: RbacClient, user: ListedUser, io: CommandIo): Promise<void> {
  const tokens = await client.tokens(user);
  const rows = tokens.map(({ description, expiration_date, label, last_active_date }) => ({
    label,
    description,
    ends: expiration_date,
    'last used': last_active_date,
  }));
  for (const text of tableLines(rows)) io.stdout(`${text}\n`);
}
