/** Values as they were found, before anybody knows what they mean. */

/** A text and where it came from: `/etc/.../puppet.conf:12`, `BUNRAKU_CA_TTL`, `--ca-ttl`. */
export interface RawValue {
  readonly text: string;
  readonly origin: string;
}

export type RawValues = ReadonlyMap<string, RawValue>;

/** A file, flag or variable that cannot be used; nothing has been started yet. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/** The spelling that settings have inside: `ca-ttl` and `CA_TTL` are `ca_ttl`. */
export function settingKey(name: string): string {
  return name.replaceAll('-', '_').toLowerCase();
}
