/** A setting is defined once: its name, type, default and documentation. */

/** How the text of a value becomes the value. */
export interface SettingType<T> {
  /** For the reference page: `duration`, `boolean`. */
  readonly name: string;
  /**
   * @param text - trimmed and interpolated
   * @throws InvalidValue in Puppet's words
   */
  readonly parse: (text: string, setting: string) => T;
}

export interface Setting<T> {
  /** As in `puppet.conf`. Files may write hyphens, flags do (`--ca-ttl`), the environment writes `BUNRAKU_CA_TTL`. */
  readonly name: string;
  readonly type: SettingType<T>;
  /** As it would be written, `$other` included; `undefined` is only for types that have a value for it. */
  readonly default: string;
  /** The default when everything lives in one folder (`--data DIR`). */
  readonly dataDefault?: string;
  readonly doc: string;
  /** The heading of the reference page that it stands under. */
  readonly section: string;
  /** Older names that are still understood. */
  readonly aliases?: readonly string[];
  /** Whether `puppet.conf` may set it. */
  readonly inPuppetConf: boolean;
}

/** A value that its setting does not take. */
export class InvalidValue extends Error {}

export type SettingDefinition<T> = Omit<Setting<T>, 'inPuppetConf'>;

/** One of Puppet's own settings, which `puppet.conf` may set too. */
export function puppetSetting<T>(definition: SettingDefinition<T>): Setting<T> {
  return Object.freeze({ ...definition, inPuppetConf: true });
}

/** A setting of our own. */
export function setting<T>(definition: SettingDefinition<T>): Setting<T> {
  return Object.freeze({ ...definition, inPuppetConf: false });
}
