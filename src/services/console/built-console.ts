/** The files that `npm run build` makes of `console/`: pages and their assets. */

import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { HttpRequest, HttpResponse } from '../../platform/http/index.ts';
import { contentSecurityPolicy, newNonce } from './security-headers.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Best first. */
const codings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

/** Names of files below here hold a digest of their content. */
const hashedDirectory = 'assets/';
const forever = 'public, max-age=31536000, immutable';

export type PageName = 'index.html' | 'login.html' | 'reset.html';

interface PageLink {
  readonly text: string;
  /** A path of ours. */
  readonly href: string;
}

/** What stands in a page at `{{name}}`: text, or links. */
type PageTexts = Readonly<Record<string, string | readonly PageLink[]>>;

export class BuiltConsole {
  private readonly directory: string;
  private readonly names: ReadonlySet<string>;
  private readonly pages: ReadonlyMap<string, string>;

  private constructor(directory: string, names: ReadonlySet<string>, pages: ReadonlyMap<string, string>) {
    this.directory = directory;
    this.names = names;
    this.pages = pages;
  }

  /** Reads the list of files and the pages. Assets are read when they are asked for. */
  static async read(directory: string): Promise<BuiltConsole> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const names = files.map(({ name, parentPath }) => join(parentPath, name).slice(directory.length + 1));
    const pages = await Promise.all(
      names
        .filter((name) => extname(name) === '.html')
        .map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const),
    );
    return new BuiltConsole(directory, new Set(names), new Map(pages));
  }

  /** A page, with a policy that lets it run nothing but our own files. */
  page(name: PageName, texts: PageTexts = {}, status = 200): HttpResponse {
    const nonce = newNonce();
    const values: PageTexts = { ...texts, nonce };
    const page = this.pages.get(name);
    if (page === undefined) throw new Error(`the console was built without ${name}`);
    const body = page.replace(/\{\{(\w+)\}\}/g, (_, key: string) => rendered(values[key] ?? ''));
    const headers = {
      'Content-Type': types['.html'],
      'Content-Security-Policy': contentSecurityPolicy(nonce),
    };
    return { status, headers, body };
  }

  /** @param name - `assets/index-0a1b.js` @returns `undefined` for a file that isn't there */
  async file(name: string, { headers }: Pick<HttpRequest, 'headers'>): Promise<HttpResponse | undefined> {
    const type = types[extname(name)];
    if (type === undefined || !this.names.has(name) || extname(name) === '.html') return undefined;
    const accepted = String(headers['accept-encoding'] ?? '');
    const coding = codings.find(
      (each) => this.names.has(name + each.suffix) && new RegExp(`\\b${each.name}\\b`).test(accepted),
    );
    return {
      status: 200,
      headers: {
        'Content-Type': type,
        'Cache-Control': name.startsWith(hashedDirectory) ? forever : 'no-cache',
        Vary: 'Accept-Encoding',
        ...(coding === undefined ? {} : { 'Content-Encoding': coding.name }),
      },
      body: await readFile(join(this.directory, name + (coding?.suffix ?? ''))),
    };
  }
}

function rendered(value: string | readonly PageLink[]): string {
  if (typeof value === 'string') return escaped(value);
  return value.map(({ href, text }) => `<a href="${escaped(href)}">${escaped(text)}</a>`).join('');
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
