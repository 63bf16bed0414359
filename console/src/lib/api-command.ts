/** A request of the console as a command for a shell, with the token that `bunraku access login` and `puppet access login` keep. */

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
}

/** @param origin - of the console: `https://primary.example.com` */
export function apiCommand({ body, method, path }: Request, origin: string): string {
  const words = [
    'curl --fail --cacert "$(puppet config print localcacert)"',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "X-Authentication: $(cat ~/.puppetlabs/token)"',
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`]),
    shellWord(origin + path),
  ];
  return words.join(' ');
}

/** Quotes a word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_:=.,@%+/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
