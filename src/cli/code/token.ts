/** `bunraku code token` */

import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';
import { RbacClient, rbacOptions, rbacUsage } from '../user/rbac-client.ts';

const role = 'Code Deployers';

export const codeTokenCommand: Command = {
  name: 'code token',
  summary: 'Make a token that may deploy, for a webhook or a pipeline',
  usage: `
Usage: bunraku code token NAME [--ttl TTL] [OPTIONS]

Prints a token on standard output. It goes into the header X-Authentication, or into the query parameter 'token' of a
webhook. It belongs to the user NAME, who is made with the role '${role}' if there is none. 'bunraku user token
NAME --revoke' revokes it.

  --ttl TTL            How long it is valid: 1h, 90d, 1y (default: the longest allowed, 10y)
${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...rbacOptions, '--ttl'], flags: [] });
    const [name, ...more] = line.positional;
    if (name === undefined || more.length > 0) throw new UsageError('name whose token it is');
    const client = new RbacClient(line);
    if ((await client.findUser(name)) === undefined)
      await client.createUser({ login: name, role_ids: await client.roleIds([role]) });
    const order = { lifetime: lastOf(line, '--ttl') ?? '0', description: 'bunraku code token' };
    io.stdout(`${await client.createToken(await client.user(name), order)}\n`);
    return 0;
  },
};
