/** `bunraku access provider set`, `show`, `test` and `delete` */

import { askSecret } from '../ask-secret.ts';
import { type Command, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { tableLines } from '../text-table.ts';
import { rbacUsage } from '../user/rbac-client.ts';
import { ProviderClient, providerNameOf } from './provider-client.ts';
import { providerFieldsOf } from './provider-fields.ts';

export const accessProviderSetCommand: Command = {
  name: 'access provider set',
  summary: 'Connect an OpenID provider by which people log in, or change how it is reached',
  usage: `
Usage: bunraku access provider set NAME --issuer URL --client-id ID [OPTIONS]

Makes an identity provider of this name, or changes the one that there is: what is not given stays as it is. Tests the provider
first, and saves nothing when that fails. NAME becomes a part of URLs: lower-case letters, digits and hyphens.

  --issuer URL         As the provider names itself: https://login.example.com/realms/company
  --client-id ID       What the provider calls this installation
  --display-name TEXT  What the login page shows: "Log in with TEXT"
  --secret             Ask for another secret of the client; a new provider asks for it, too
  --public             The client has no secret
  --set NAME=VALUE     Any other setting, as 'access provider show' names it; may be given several times: scopes,
                       login_claim, groups_claim, client_authentication, ...
  --no-test            Save without a test
${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [...serviceOptions, '--issuer', '--client-id', '--display-name', '--set'],
      flags: ['--secret', '--public', '--no-test'],
    });
    const name = providerNameOf(line);
    const client = new ProviderClient(line);
    const before = await client.find(name);
    const fields = providerFieldsOf(line, name, before);
    const { flags } = line;
    if (flags.has('--secret') && flags.has('--public'))
      throw new UsageError('a public client has no secret: give --secret or --public');
    const needsSecret = flags.has('--secret') || (before === undefined && !flags.has('--public'));
    const secret = needsSecret ? { client_secret: await askSecret('Secret of the client: ', io.signal) } : {};
    const wanted = { ...fields, ...secret };
    if (!flags.has('--no-test')) await client.test(wanted);
    await client.save(wanted);
    const paths = ['callback', 'logout'].map((path) => `/auth/oidc/${name}/${path}`);
    io.stdout(
      `The provider has to know these URLs, with the name by which browsers know the console:\n` +
        `  redirect URI             https://CONSOLE${paths[0]}\n` +
        `  back-channel logout URI  https://CONSOLE${paths[1]}\n`,
    );
    return 0;
  },
};

export const accessProviderShowCommand: Command = {
  name: 'access provider show',
  summary: 'Show the identity providers by which people log in, and their settings',
  usage: `
Usage: bunraku access provider show [NAME] [--format text|json] [OPTIONS]

Without a name, lists the providers. The secret of the client is never shown.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...serviceOptions, '--format', '-F'], flags: [] });
    const client = new ProviderClient(line);
    const isList = line.positional.length === 0;
    const providers = isList ? await client.all() : [await client.get(providerNameOf(line))];
    if (outputFormat(line) === 'json') {
      io.stdout(renderJson(isList ? providers : providers[0]));
      return 0;
    }
    const rows = isList
      ? providers.map(({ display_name: shown, issuer, name }) => ({ name, shown, issuer }))
      : Object.entries(providers[0] ?? {}).map(([setting, value]) => ({ setting, value: value ?? '' }));
    for (const text of tableLines(rows)) io.stdout(`${text}\n`);
    return 0;
  },
};

export const accessProviderTestCommand: Command = {
  name: 'access provider test',
  summary: 'Test whether an identity provider answers, and has keys',
  usage: `
Usage: bunraku access provider test NAME [OPTIONS]

Exit code 0 when the provider answers as it should, else 1 with the reason. The secret of the client shows at the first login.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: serviceOptions, flags: [] });
    const client = new ProviderClient(line);
    const provider = await client.get(providerNameOf(line));
    const elapsed = await client.test(provider);
    io.stdout(`${provider.display_name} answers (${elapsed} ms)\n`);
    return 0;
  },
};

export const accessProviderDeleteCommand: Command = {
  name: 'access provider delete',
  summary: 'Disconnect an identity provider for good, with its users and user groups',
  usage: `
Usage: bunraku access provider delete NAME [OPTIONS]

Its users, their tokens and sessions, and the user groups that were imported from it are deleted at once.

${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, { withValue: serviceOptions, flags: [] });
    const client = new ProviderClient(line);
    await client.delete(await client.get(providerNameOf(line)));
    return 0;
  },
};
