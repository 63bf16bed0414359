/** `bunraku access login` */

import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ask, askSecret } from '../ask-secret.ts';
import type { Command } from '../command.ts';
import { lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { localAddresses, RequestRefused, requestJson } from '../primary-connection.ts';
import { accessOptions, readAccessConfig } from './access-config.ts';

const TokenWire = z.object({ token: z.string() });

export const accessLoginCommand: Command = {
  name: 'access login',
  summary: 'Get a token for a login and a password, and keep it for other commands',
  usage: `
Usage: bunraku access login [LOGIN] [--lifetime TIME] [--label TEXT] [--code CODE] [--print] [OPTIONS]

Asks for the password, or reads it from standard input. The token is kept in a file, where 'bunraku query', 'bunraku code'
and clients of Puppet Enterprise find it.

  --lifetime TIME     How long the token is good for: 30m, 12h, 7d, 1y; 0 for as long as any (default: what the primary
                      says, 1h)
  --label TEXT        A name for it, by which it can be revoked
  --code CODE         The one-time code of users who have a second factor; asked for on a terminal
  --print             Print the token instead of keeping it
  --service-url URL   The API of users (default: https://PRIMARY:4433/rbac-api)
  --token-file FILE   Where the token is kept (default: ~/.puppetlabs/token)
  --ca-cert FILE      The certificate of the CA (default: the setting localcacert)
  --config-file FILE  A file in JSON with service-url, token-file and certificate-file (default:
                      ~/.puppetlabs/client-tools/puppet-access.conf)
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [...accessOptions, '--lifetime', '--label', '--code'],
      flags: ['--print'],
    });
    const [given, ...more] = line.positional;
    refuseWords(more);
    const config = readAccessConfig(line);
    const login = given ?? (await ask('Login: ', io.signal));
    const password = await askSecret('Password: ', io.signal);
    const [lifetime, label] = [lastOf(line, '--lifetime'), lastOf(line, '--label')];
    const credentials = { addresses: localAddresses(line.settings), ca: readCa(config.caFile) };
    const url = `${config.serviceUrl}/v1/auth/token`;
    const body = {
      login,
      password,
      client: 'bunraku access login',
      ...(lifetime === undefined ? {} : { lifetime }),
      ...(label === undefined ? {} : { label }),
    };
    const logIn = (code: string | undefined) =>
      requestJson(credentials, {
        method: 'POST',
        url,
        body: code === undefined ? body : { ...body, one_time_code: code },
      });
    const answer = await logIn(lastOf(line, '--code')).catch(async (error: unknown) => {
      if (!isCodeMissing(error) || !process.stdin.isTTY) throw error;
      return await logIn(await ask('One-time code: ', io.signal));
    });
    const { token } = TokenWire.parse(answer);
    if (line.flags.has('--print')) {
      io.stdout(`${token}\n`);
      return 0;
    }
    await mkdir(dirname(config.tokenFile), { recursive: true, mode: 0o700 });
    await writeFileAtomically(config.tokenFile, token, 0o600);
    io.stderr(`The token is in ${config.tokenFile}\n`);
    return 0;
  },
};

function isCodeMissing(error: unknown): boolean {
  return error instanceof RequestRefused && error.kind === 'puppetlabs.rbac/second-factor-required';
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read ${file}, the certificate of the CA. Name it with --ca-cert`, { cause });
  }
}
