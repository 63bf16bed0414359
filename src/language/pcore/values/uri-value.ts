import { fault } from '../fault.ts';
import { type IntegerValue, OpaqueValue, type Value } from '../value.ts';

/** The parts of a URI; absent parts are `undefined`. */
export interface UriParts {
  readonly scheme?: string;
  readonly userinfo?: string;
  readonly host?: string;
  readonly port?: IntegerValue;
  readonly path?: string;
  readonly query?: string;
  readonly fragment?: string;
  /** What follows the scheme when it is not followed by a slash: `mailto:a@b`. */
  readonly opaque?: string;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ftp: 21,
  ldap: 389,
  ldaps: 636,
  ws: 80,
};
const CLASSES: Readonly<Record<string, string>> = {
  http: 'HTTP',
  https: 'HTTPS',
  ftp: 'FTP',
  file: 'File',
  mailto: 'MailTo',
  ldap: 'LDAP',
  ldaps: 'LDAPS',
  ws: 'WS',
};

const PATTERN =
  /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?(?=[/?#]|$))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/;
const ALLOWED = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/** A URI as Ruby's library writes it: the scheme in lower case, a port that is the usual one left out. */
export class UriValue extends OpaqueValue {
  readonly parts: UriParts;
  private readonly text: string;

  private constructor(parts: UriParts, text: string) {
    super();
    this.parts = parts;
    this.text = text;
  }

  /** @throws PuppetError in Ruby's words when `text` is no URI */
  static parse(text: string): UriValue {
    // oxlint-disable-next-line no-control-regex
    if (/[^\u0000-\u007f]/.test(text)) throw fault(`URI must be ascii only ${asciiText(text)}`);
    const found = ALLOWED.test(text) ? PATTERN.exec(text) : null;
    if (found === null) throw fault(`bad URI(is not URI?): ${JSON.stringify(text)}`);
    const [, scheme, userinfo, host, port, path = '', query, fragment] = found;
    if (scheme !== undefined && host === undefined && path !== '' && !path.startsWith('/')) {
      const opaque = query === undefined ? path : `${path}?${query}`;
      return UriValue.fromParts(defined({ scheme: scheme.toLowerCase(), opaque, fragment }));
    }
    const number = port === undefined || port === '' ? undefined : Number(port);
    const known = scheme?.toLowerCase();
    // An empty host is kept, as current versions of Ruby's library do.
    const isKept = host !== '' || known !== undefined;
    const server = known === 'file' ? (host ?? '') : isKept ? host : undefined;
    return UriValue.fromParts(
      defined({ scheme: known, userinfo, host: server, port: number, path, query, fragment }),
    );
  }

  static fromParts(parts: UriParts): UriValue {
    const { scheme, userinfo, host, port, path = '', query, fragment, opaque } = parts;
    const user = userinfo === undefined ? '' : `${userinfo}@`;
    const known = scheme === undefined ? undefined : DEFAULT_PORTS[scheme];
    const tail = port === undefined || port === known ? '' : `:${port}`;
    const authority = host === undefined ? '' : `//${user}${host}${tail}`;
    const text = [
      scheme === undefined ? '' : `${scheme}:`,
      opaque ?? authority + path,
      query === undefined ? '' : `?${query}`,
      fragment === undefined ? '' : `#${fragment}`,
    ].join('');
    return new UriValue(
      defined({ ...parts, path: opaque === undefined ? path : undefined, port: port ?? known }),
      text,
    );
  }

  /** The Ruby class of such URIs. */
  get className(): string {
    return `URI::${CLASSES[this.parts.scheme ?? ''] ?? 'Generic'}`;
  }
  /** As Ruby's `inspect`. */
  inspect(): string {
    return `#<${this.className} ${this.text}>`;
  }

  /** A part by name; undef when it is absent. */
  part(name: string): Value {
    if (name === 'path' && this.parts.scheme === 'ftp') return ftpPath(this.parts.path ?? '');
    return (this.parts as Readonly<Record<string, Value | undefined>>)[name] ?? null;
  }

  override toString(): string {
    return this.text;
  }
  equalityKey(): string {
    return `URI:${this.text}`;
  }
}

export const URI_PARTS: readonly (keyof UriParts)[] = [
  'scheme',
  'userinfo',
  'host',
  'port',
  'path',
  'query',
  'fragment',
  'opaque',
];

/** Relative to where the login leads, without the type of transfer. */
function ftpPath(path: string): string {
  return path
    .replace(/;type=[aid]$/i, '')
    .replace(/^\//, '')
    .replace(/^%2F/i, '/');
}

/** As Ruby's `String#dump`. */
function asciiText(text: string): string {
  const escaped = Array.from(JSON.stringify(text), (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return character;
    const hex = code.toString(16).toUpperCase();
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });
  return escaped.join('');
}

function defined(parts: { readonly [K in keyof UriParts]?: UriParts[K] | undefined }): UriParts {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}
