/** The commands that there are, and which versions of them are read. */

interface Supported {
  readonly min: number;
  readonly max: number;
}

export const supportedVersions = {
  'configure expiration': { min: 1, max: 1 },
  'deactivate node': { min: 3, max: 3 },
  'replace catalog': { min: 6, max: 9 },
  'replace catalog inputs': { min: 1, max: 1 },
  'replace facts': { min: 4, max: 5 },
  'store report': { min: 5, max: 8 },
} as const satisfies Readonly<Record<string, Supported>>;

export type CommandName = keyof typeof supportedVersions;

/** `replace_facts` and `replace facts` are the same. */
export function readCommandName(text: string): CommandName | undefined {
  const name = text.replaceAll('_', ' ');
  return Object.hasOwn(supportedVersions, name) ? (name as CommandName) : undefined;
}

export function isSupportedVersion(command: CommandName, version: number): boolean {
  const { min, max } = supportedVersions[command];
  return version >= min && version <= max;
}
