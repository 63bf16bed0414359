/** `bunraku cert`: the authority in the words of `puppet cert`, which Puppet had until version 6 and many guides still type. */

import { type Command, UsageError } from '../command.ts';
import { caCommand } from './ca.ts';

const actions: ReadonlySet<string> = new Set(['clean', 'generate', 'list', 'revoke', 'sign', 'verify']);

/** Actions that only looked at files, with what does the same. */
const others: Readonly<Record<string, string>> = {
  fingerprint: 'bunraku ca list --certname NAME',
  print: 'openssl x509 -noout -text -in FILE',
  reinventory: 'bunraku ca prune',
};

/** Flags that have another name now. */
const renamed: Readonly<Record<string, string>> = {
  '-a': '--all',
  '--dns-alt-names': '--subject-alt-names',
  '--dns_alt_names': '--subject-alt-names',
  '--allow_dns_alt_names': '--allow-dns-alt-names',
};

export const certCommand: Command = {
  name: 'cert',
  summary: "The certificate authority in the words of 'puppet cert'",
  usage: `
Usage: bunraku cert [OPTIONS] clean|generate|list|revoke|sign|verify [CERTNAME ...] [OPTIONS]

The same as 'bunraku ca ACTION --certname CERTNAME', for people and scripts that type 'puppet cert'.

  --all, -a              All requests (sign), all certificates (list)
  --allow-dns-alt-names  Sign although the request has alternative names

'bunraku ca ACTION --help' lists all options.
`,
  async run(args, io) {
    const index = args.findIndex((word) => actions.has(word));
    const action = args[index];
    if (action === undefined) throw new UsageError(missingAction(args));
    const rest = args.filter((_, position) => position !== index).map(currentFlag);
    // 'puppet cert generate' signed the names that it was given.
    const isNamed = action === 'generate' && rest.some((word) => word.startsWith('--subject-alt-names'));
    return await caCommand.run([action, ...rest, ...(isNamed ? ['--allow-subject-alt-names'] : [])], io);
  },
};

function missingAction(args: readonly string[]): string {
  const other = args.find((word) => Object.hasOwn(others, word));
  const names = [...actions].join(', ');
  return other === undefined
    ? `name an action: ${names}`
    : `there is no action '${other}' any more; use: ${others[other]}`;
}

function currentFlag(word: string): string {
  const [flag = '', ...values] = word.split('=');
  const name = Object.hasOwn(renamed, flag) ? renamed[flag] : flag;
  return [name, ...values].join('=');
}
