/** Settings of an identity provider from the command line. */

import { UsageError } from '../command.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import type { ListedProvider, ProviderFields } from './provider-client.ts';

const options: Readonly<Record<string, string>> = {
  '--display-name': 'display_name',
  '--issuer': 'issuer',
  '--client-id': 'client_id',
};

/** @param before - the provider as it is; absent for a new one @throws UsageError */
export function providerFieldsOf(
  line: CommandLine,
  name: string,
  before: ListedProvider | undefined,
): ProviderFields {
  const given = Object.entries(options).flatMap(([option, field]) => {
    const value = lastOf(line, option);
    return value === undefined ? [] : [[field, value] as const];
  });
  const others = (line.values.get('--set') ?? []).map((text) => {
    const [, field, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (field === undefined || value === undefined)
      throw new UsageError(`--set takes NAME=VALUE, not '${text}'`);
    if (field === 'client_secret')
      throw new UsageError('--secret asks for the secret; --set does not take it');
    return [field, value] as const;
  });
  const fields = { display_name: name, ...before, name, ...Object.fromEntries([...given, ...others]) };
  const missing = ['--issuer', '--client-id'].filter((option) => !((options[option] ?? '') in fields));
  if (missing.length > 0) throw new UsageError(`a new identity provider needs ${missing.join(' and ')}`);
  return fields;
}
