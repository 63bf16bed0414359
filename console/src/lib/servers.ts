/** A summary of the state of a server. */

interface Served {
  readonly code: Readonly<Record<string, string>>;
}

/** Environments that a server serves in another version than the primary, or not at all. */
export function environmentsBehind(server: Served, primary: Served): readonly string[] {
  return Object.entries(primary.code)
    .filter(([name, commit]) => server.code[name] !== commit)
    .map(([name]) => name)
    .sort();
}

/** `1 environment`, or the outdated ones: `production and 2 more behind`. */
export function codeText(server: Served, primary: Served): string {
  const [first, ...others] = environmentsBehind(server, primary);
  if (first !== undefined)
    return others.length === 0 ? `${first} behind` : `${first} and ${others.length} more behind`;
  const count = Object.keys(server.code).length;
  return count === 1 ? '1 environment' : `${count} environments`;
}

/** `512 MB`, `1.4 GB`. */
export function bytesText(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes < 1024 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}

export type ServerHealth = 'good' | 'warning' | 'bad';

/** @param severities - of the alerts of all its services */
export function healthOf(state: string, severities: readonly string[]): ServerHealth {
  if (['error', 'unreachable', 'stopped'].includes(state) || severities.includes('error')) return 'bad';
  return state === 'running' && severities.length === 0 ? 'good' : 'warning';
}
