/** What browsers have to fetch, in bytes as they travel. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface ConsoleSizes {
  /** Scripts that the shell asks for, and those of the overview: gzip. */
  readonly firstScripts: number;
  /** The largest script of a page: gzip. */
  readonly largestPage: number;
  /** The editor of queries, which is fetched when a page has one: gzip. */
  readonly editor: number;
  /** Style sheets of the shell and of the page that has the most: gzip. */
  readonly styles: number;
  readonly fonts: number;
  /** The log-in page with its style sheet, font and icon. */
  readonly login: number;
}

/** @param directory - with `index.html` and `login.html` */
export function consoleSizes(directory: string): ConsoleSizes {
  const assets = readdirSync(join(directory, 'assets'));
  const size = (name: string) => statSync(join(directory, 'assets', name)).size;
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + size(name), 0);
  const shell = scriptsOf(readFileSync(join(directory, 'index.html'), 'utf8')).map((name) => `${name}.gz`);
  const pages = assets.filter((name) => /^page-.*\.js\.gz$/.test(name)).map(size);
  const fonts = sum(assets.filter((name) => name.endsWith('.woff2')));
  const loginStyles = sum(assets.filter((name) => /^login-.*\.css\.gz$/.test(name)));
  const icon = sum(assets.filter((name) => /^icon-.*\.svg$/.test(name)));
  return {
    firstScripts: sum(shell) + Math.max(...pages),
    largestPage: Math.max(...pages),
    editor: sum(assets.filter((name) => /^code-editor-.*\.js\.gz$/.test(name))),
    styles: sum(assets.filter((name) => /^index-.*\.css\.gz$/.test(name))) + largestStyles(directory),
    fonts,
    login: statSync(join(directory, 'login.html')).size + loginStyles + fonts + icon,
  };
}

/** Of all pages, the most that one of them adds: the shell's script lists what each page needs. */
function largestStyles(directory: string): number {
  const assets = join(directory, 'assets');
  const script = readdirSync(assets).find((name) => /^index-.*\.js$/.test(name)) ?? '';
  const text = readFileSync(join(assets, script), 'utf8');
  const listed = /m\.f\|\|\(m\.f=(\[[^\]]*\])/.exec(text)?.[1];
  if (listed === undefined) throw new Error(`${script} lists no files of pages`);
  const files = JSON.parse(listed) as readonly string[];
  const pages = Array.from(text.matchAll(/__vite__mapDeps\(\[([\d,]+)\]\)/g), ([, numbers = '']) =>
    numbers.split(',').map((number) => files[Number(number)] ?? ''),
  );
  const sizes = pages.map((needed) =>
    needed
      .filter((file) => file.endsWith('.css'))
      .reduce((total, file) => total + statSync(join(directory, `${file}.gz`)).size, 0),
  );
  return Math.max(...sizes);
}

function scriptsOf(page: string): readonly string[] {
  return Array.from(page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g), ([, name = '']) => name);
}
