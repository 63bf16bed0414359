/** Bundles the console into `dist/console/`, each file also in the forms that browsers take compressed. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outputDirectory = join(root, 'dist', 'console');

/** What the console is made of, and how. */
export const consoleSources = [
  'console/index.html',
  'console/login.html',
  'console/package.json',
  'console/src',
  'console/styles',
  'console/tsconfig.json',
  'console/vite.config.ts',
  'package-lock.json',
  'scripts/bundle-console.ts',
];

/** In a process of its own: what test runners and others set is not for browsers. */
export function buildConsole(): void {
  const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'console/vite.config.ts'];
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('the console could not be built');
  compileFirstScriptsAtOnce();
  compressFiles();
}

/**
 * Marks the scripts of the first page with a comment that tells V8 to compile all functions on a background thread during download,
 * instead of each one on its first call. It has to be the first line of the file, so it cannot be a banner of the bundler, which
 * puts its list of preloaded files before the banner.
 */
function compileFirstScriptsAtOnce(): void {
  const page = readFileSync(join(outputDirectory, 'index.html'), 'utf8');
  for (const [, path = ''] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)) {
    const file = join(outputDirectory, path);
    writeFileSync(file, `//# allFunctionsCalledOnLoad\n${readFileSync(file, 'utf8')}`);
  }
}

/** Fonts are compressed already. Quality 11 would make them 1 % smaller, in five times the time. */
function compressFiles(): void {
  const assets = join(outputDirectory, 'assets');
  for (const name of readdirSync(assets).filter((each) => /\.(?:js|css|svg)$/.test(each))) {
    const content = readFileSync(join(assets, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content, { params }));
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}
