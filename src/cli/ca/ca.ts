/** `bunraku ca ACTION`: the certificate authority's command line, as `puppetserver ca` has it. */

import type { Command } from '../command.ts';
import type { CaAction } from './action.ts';
import { parseCaArguments, renderCaErrors } from './arguments.ts';
import { caCleanAction } from './clean.ts';
import { caDeleteAction } from './delete.ts';
import { caExtendAction } from './extend.ts';
import { caGenerateAction } from './generate.ts';
import { caImportAction } from './import.ts';
import { caListAction } from './list.ts';
import { caMigrateAction } from './migrate.ts';
import { caPruneAction } from './prune.ts';
import { caRenewAction } from './renew.ts';
import { caRevokeAction } from './revoke.ts';
import { caSetupAction } from './setup.ts';
import { caSignAction } from './sign.ts';
import { caSignerAction } from './signer.ts';
import { caVerifyAction } from './verify.ts';

const actions: readonly CaAction[] = [
  caCleanAction,
  caDeleteAction,
  caExtendAction,
  caGenerateAction,
  caImportAction,
  caListAction,
  caMigrateAction,
  caPruneAction,
  caRenewAction,
  caRevokeAction,
  caSetupAction,
  caSignAction,
  caSignerAction,
  caVerifyAction,
];

export const caCommand: Command = {
  name: 'ca',
  summary: 'Manage the certificate authority: setup, list, sign, revoke, clean, verify and more',
  usage: renderUsage(),
  async run(args, io) {
    const [name, ...rest] = args;
    const action = actions.find((candidate) => candidate.name === name);
    if (!action) {
      io.stderr(`Unknown action: ${name ?? ''}\n${renderUsage()}`);
      return 1;
    }
    const { flags, errors } = parseCaArguments(rest, action.flags);
    if (flags.has('help')) {
      io.stdout(`${action.summary}\n\n${action.usage}`);
      return 0;
    }
    const problems = [...errors, ...action.problems(flags)];
    if (problems.length > 0) {
      io.stderr(`${renderCaErrors(problems)}\n${action.usage}`);
      return 1;
    }
    return action.run(flags, io);
  },
};

function renderUsage(): string {
  const lines = actions.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`).join('\n');
  return `Usage: bunraku ca <action> [options]

Available actions:

${lines}

clean, generate, list, renew, revoke and sign work on the CA directory of this machine (--ca-dir) while no server
runs there, or through a running server (--server HOST[:PORT]) with the certificate of this machine. All others work
on the directory.

See \`bunraku ca <action> --help\` for detailed info
`;
}
