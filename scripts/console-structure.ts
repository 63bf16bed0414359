/** The laws of `console/`: directions of imports, one place that fetches, no markup from text, colours by their names. */

import { dirname, join, normalize } from 'node:path';

/** A folder imports from those after it, and `api` and `ui` don't know each other. */
const rank: Readonly<Record<string, number>> = { app: 0, pages: 1, features: 2, api: 3, ui: 3, lib: 4 };

/** What a file of `console/` may not say, with the reason. */
const forbidden: readonly (readonly [pattern: RegExp, finding: string])[] = [
  [/\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write\b/, 'makes markup of text: use text nodes'],
  [/dangerouslySetInnerHTML/, 'makes markup of text: use text nodes'],
  [/\beval\(|new Function\(/, 'makes code of text'],
  [/href=\{`?(?:javascript|data):/, 'links to data'],
];

/** Where an API keeps the shapes of its requests and answers. */
const wire = /^src\/services\/(?:[^/]+\/)+wire\.ts$/;

export interface ConsoleFile {
  /** Below the root of the project. */
  readonly file: string;
  readonly text: string;
  /** What it imports, as it is written there. */
  readonly imports: readonly string[];
}

/** @returns what is wrong with the file */
export function consoleFindings({ file, imports, text }: ConsoleFile): readonly string[] {
  if (file.endsWith('.css')) return styleFindings(file, text);
  const findings = forbidden.flatMap(([pattern, finding]) => (pattern.test(text) ? [finding] : []));
  if (/\bfetch\(/.test(text) && folderOf(file) !== 'api') findings.push('calls fetch: that is for api/');
  const typeImports = Array.from(
    text.matchAll(/^import type [^'"]*?from\s+'([^']+)'/gm),
    ([, target = '']) => target,
  );
  return [
    ...findings,
    ...imports.flatMap((target) => importFindings(file, target, typeImports.includes(target))),
  ];
}

/** Files of `services/` whose types pages use: they must not bring anything of the server along. */
export function wireFindings({ file, imports }: Pick<ConsoleFile, 'file' | 'imports'>): readonly string[] {
  return imports
    .filter((target) => target !== 'zod' && !normalize(join(dirname(file), target)).startsWith('src/lib/'))
    .map((target) => `imports ${target}, and pages use its types: nothing but zod and src/lib`);
}

/** @returns the file of the server that a file of the console takes types from */
export function wireOf(file: string, target: string): string | undefined {
  const resolved = normalize(join(dirname(file), target));
  return wire.test(resolved) ? resolved : undefined;
}

function styleFindings(file: string, text: string): readonly string[] {
  const isTokens = file.endsWith('/tokens.css');
  return !isTokens && /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i.test(text)
    ? ['has a colour without a name']
    : [];
}

function importFindings(file: string, target: string, isOfTypes: boolean): readonly string[] {
  if (!target.startsWith('.')) return [];
  const resolved = normalize(join(dirname(file), target));
  if (wire.test(resolved))
    return isOfTypes ? [] : [`imports ${resolved}: its types alone, with "import type"`];
  if (!resolved.startsWith('console/src/')) return [`imports ${resolved}, outside console/src`];
  const [from, to] = [folderOf(file), folderOf(resolved)];
  const [fromRank, toRank] = [rank[from], rank[to]];
  if (fromRank === undefined || toRank === undefined) return [`unknown folder in ${resolved}`];
  if (from === to) {
    const isOtherPage = from === 'pages' && file.split('/')[3] !== resolved.split('/')[3];
    return isOtherPage ? [`imports ${resolved}: pages are strangers, share by features/`] : [];
  }
  return fromRank < toRank ? [] : [`imports ${resolved}: against the direction of imports`];
}

function folderOf(file: string): string {
  return file.split('/')[2] ?? '';
}
