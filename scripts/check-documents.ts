/** Whether what documents name exists: linked files, commands of the program, folders on the map. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands } from '../src/cli/commands.ts';
import { findRequest } from '../src/cli/find-command.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const findings: string[] = [];
const documents = globSync(['*.md', '{docs,src,test,bench,packaging,examples}/**/*.md'], { cwd: root });
for (const file of documents) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const finding of [...deadLinks(file, text), ...unknownCommands(text)])
    findings.push(`${file}: ${finding}`);
}
for (const folder of unnamedFolders()) findings.push(`ARCHITECTURE.md: does not name ${folder}`);
for (const command of unnamedCommands()) findings.push(`README.md: does not name 'bunraku ${command}'`);
for (const finding of findings) console.error(finding);
console.log(`documents: ${findings.length === 0 ? 'no' : findings.length} findings in ${documents.length}`);
process.exitCode = findings.length === 0 ? 0 : 1;

/** Folders of services and of the platform that are missing on the map. */
function unnamedFolders(): readonly string[] {
  const map = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const words = new Set(map.match(/[a-z][a-z0-9-]*/g));
  return globSync('src/{services,platform}/*/index.ts', { cwd: root })
    .map((file) => dirname(file))
    .filter((folder) => !words.has(basename(folder)));
}

/** First words of commands that the README does not have. */
function unnamedCommands(): readonly string[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const words = new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''));
  return [...words].filter((word) => !text.includes(`bunraku ${word}`));
}

function* deadLinks(file: string, text: string): Iterable<string> {
  for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    const [path = '', heading] = link.split('#');
    const target = path === '' ? join(root, file) : join(root, dirname(file), path);
    if (!existsSync(target)) yield `links to ${link}, which is not there`;
    else if (heading !== undefined && !headingsOf(target).includes(heading))
      yield `links to ${link}, which has no such heading`;
  }
}

/** As GitHub makes anchors of them. */
function headingsOf(file: string): readonly string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** In code spans, and in blocks of code at the beginning of a line. */
function* unknownCommands(text: string): Iterable<string> {
  const found = text.matchAll(/(?:`|^\s*)(?:bin\/)?bunraku ([a-z][^`\n]*)/gm);
  for (const [, line = ''] of found) {
    const words = line.trim().split(/\s+/);
    if (findRequest(words, commands).kind === 'mistake')
      yield `speaks of a command 'bunraku ${words.join(' ')}', which is not there`;
  }
}
