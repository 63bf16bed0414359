/** `bunraku code token` */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseTtl } from '../../services/ca/index.ts';
import { TokenFile } from '../../services/code-manager/index.ts';
import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';

export const codeTokenCommand: Command = {
  name: 'code token',
  summary: 'Make a token for whoever may deploy: a webhook, a pipeline',
  usage: `
Usage: bunraku code token NAME [--ttl TTL] [--SETTING VALUE ...]

Prints a token on standard output. It goes into the header X-Authentication, or into the query parameter 'token' of a
webhook. Run it on the primary, with the settings that it runs with: only a digest is kept, in the file that the setting
code_manager_tokens names. To take a token back, delete the line with its name there.

  --ttl TTL   How long it is good for: 1h, 90d, 1y (default: for ever)
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: ['--ttl'], flags: [] });
    const [name, ...more] = line.positional;
    if (name === undefined || more.length > 0) throw new UsageError('name whose token it is');
    if (!/^[\w.@-]+$/.test(name)) throw new UsageError(`'${name}' is not a name: no spaces, please`);
    const ttl = lastOf(line, '--ttl');
    const seconds = ttl === undefined ? undefined : parseTtl(ttl);
    if (ttl !== undefined && seconds === undefined) throw new UsageError(`'${ttl}' is no time: 1h, 90d, 1y`);
    const path = line.settings.codeManagerTokens;
    mkdirSync(dirname(path), { recursive: true });
    const tokens = new TokenFile(path, () => new Date());
    io.stdout(`${await tokens.create(name, seconds === undefined ? undefined : seconds * 1000)}\n`);
    return 0;
  },
};
