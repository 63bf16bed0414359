/** `environment.conf`: the settings of one environment. */

export interface EnvironmentConf {
  readonly modulepath?: string;
  readonly manifest?: string;
  readonly configVersion?: string;
  readonly environmentTimeout?: string;
}

export interface ParsedConf {
  readonly conf: EnvironmentConf;
  /** What is there and means nothing, for a warning. */
  readonly unknown: readonly string[];
}

const names: Readonly<Record<string, keyof EnvironmentConf>> = {
  modulepath: 'modulepath',
  manifest: 'manifest',
  config_version: 'configVersion',
  environment_timeout: 'environmentTimeout',
};
/** Known to Puppet, without a meaning here: never a reason for a warning. */
const accepted = new Set(['static_catalogs', 'rich_data']);

/** Reads `name = value` lines; comments begin with `#`; section headings mean nothing, as in the reference. */
export function parseEnvironmentConf(text: string): ParsedConf {
  const conf: Record<string, string> = {};
  const unknown: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line);
    const [, name = '', value = ''] = match ?? [];
    if (match === null) continue;
    const known = names[name];
    if (known !== undefined) conf[known] = unquote(value.replace(/\s+#.*$/, ''));
    else if (!accepted.has(name)) unknown.push(name);
  }
  return { conf, unknown };
}

function unquote(value: string): string {
  const match = /^(["'])(.*)\1$/.exec(value);
  return match?.[2] ?? value;
}
