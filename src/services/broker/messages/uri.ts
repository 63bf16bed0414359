/** `pcp://<common name>/<client type>`, and the patterns of inventory queries. */

export interface PcpUri {
  /** Empty for the broker that one is connected to. */
  readonly name: string;
  readonly type: string;
}

const form = /^pcp:\/\/([^/]*)\/([^/]+)$/;

/** The type that is reserved for brokers and controllers. */
export const serverType = 'server';

export function parseUri(text: string): PcpUri | undefined {
  const [, name, type] = form.exec(text) ?? [];
  return name === undefined || type === undefined ? undefined : { name, type };
}

export function renderUri({ name, type }: PcpUri): string {
  return `pcp://${name}/${type}`;
}

/** `*` may stand for the name, the type or both. */
export function hasWildcard({ name, type }: PcpUri): boolean {
  return name === '*' || type === '*';
}

export function matches(pattern: PcpUri, { name, type }: PcpUri): boolean {
  return (pattern.name === '*' || pattern.name === name) && (pattern.type === '*' || pattern.type === type);
}
