/** The host's name with its domain, found without asking a name server. */

/**
 * Looks into `/etc/hosts`, then for the domain of `/etc/resolv.conf`.
 *
 * @param hostname - lower case, with or without domain
 * @returns `hostname` itself when it has a domain or nothing knows one
 */
export function qualifiedName(hostname: string, readFile: (path: string) => string | undefined): string {
  if (hostname.includes('.')) return hostname;
  const names = (readFile('/etc/hosts') ?? '').replaceAll(/#.*/g, '').toLowerCase().split(/\s+/);
  const listed = names.find((name) => name.startsWith(`${hostname}.`));
  if (listed !== undefined) return listed;
  const resolver = readFile('/etc/resolv.conf') ?? '';
  const domain = /^\s*domain\s+(\S+)/m.exec(resolver) ?? /^\s*search\s+(\S+)/m.exec(resolver);
  const suffix = domain?.[1]?.replace(/\.$/, '').toLowerCase() ?? '';
  return suffix === '' ? hostname : `${hostname}.${suffix}`;
}
