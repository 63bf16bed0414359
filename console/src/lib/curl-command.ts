/** A request as a command line, for those who want to do the same without a browser. */

/** @param origin - `https://primary.example.com` @param body - what is sent as JSON; absent for a question in the address */
export function curlCommand(origin: string, path: string, body?: unknown): string {
  const parts = [
    'curl',
    '--cacert "$(puppet config print localcacert)"',
    '-H "X-Authentication: $(cat ~/.puppetlabs/token)"',
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(body))}`]),
    shellQuoted(origin + path),
  ];
  return parts.join(' ');
}

/** Within single quotes a shell changes nothing. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
