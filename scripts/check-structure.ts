/** The laws of the house that neither compiler nor linter knows: directions of imports, front doors, names, sizes. */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFindings, wireFindings, wireOf } from './console-structure.ts';
import { commonFolder, runtimeCycles } from './runtime-cycles.ts';
import { longFiles, recursiveFolders } from './structure-exceptions.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const languageOrder = [
  'levels',
  'syntax',
  'pcore',
  'catalog',
  'environment',
  'hiera',
  'ruby',
  'functions',
  'evaluator',
  'plans',
];
/** A folder of `platform` imports only those listed before it. */
const platformOrder = [
  'log',
  'threads',
  'saml',
  'processes',
  'settings',
  'storage',
  'x509',
  'git',
  'ruby',
  'http',
  'http-client',
  'aws',
  'kubernetes',
  'websocket',
  'changes',
  'indirection',
  'metrics',
];
const layerRank: Readonly<Record<string, number>> = {
  lib: 0,
  language: 1,
  platform: 1,
  services: 2,
  server: 3,
  cli: 4,
  'main.ts': 5,
};
const maximumLines = 400;
const forbiddenNames = /^(utils?|helpers?|common|misc)(\.|$)/;
const findings: string[] = [];

for (const file of sourceFiles('src')) {
  const text = readFileSync(join(root, file), 'utf8');
  checkName(file);
  checkLength(file, text);
  if (!file.endsWith('.test.ts')) checkMutableState(file, text);
  checkEnvironmentVariables(file, text);
  checkPrivateMembers(file, text);
  for (const target of importsOf(text)) checkImport(file, target);
}
checkCycles();
const usedByPages = new Set<string>();
for (const file of consoleFiles()) {
  const text = readFileSync(join(root, file), 'utf8');
  if (file.endsWith('.ts') || file.endsWith('.tsx')) {
    checkName(file);
    checkLength(file, text);
    checkMutableState(file, text);
    checkPrivateMembers(file, text);
  }
  const imports = importsOf(text);
  for (const finding of consoleFindings({ file, text, imports })) report(file, finding);
  for (const target of imports) {
    const wire = wireOf(file, target);
    if (wire !== undefined) usedByPages.add(wire);
  }
}
for (const file of usedByPages) {
  const imports = importsOf(readFileSync(join(root, file), 'utf8'));
  for (const finding of wireFindings({ file, imports })) report(file, finding);
}

for (const finding of findings) console.error(finding);
console.log(findings.length === 0 ? 'structure: no findings' : `structure: ${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;

function sourceFiles(directory: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(directory, name));
}

function consoleFiles(): string[] {
  return ['console/src', 'console/styles'].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|css)$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => join(directory, name)),
  );
}

function importsOf(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(/^(?:import|export)\b[^'"]*?from\s+'([^']+)'/gm))
    found.push(match[1] ?? '');
  for (const match of text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)) found.push(match[1] ?? '');
  for (const match of text.matchAll(/^import\s+'([^']+)'/gm)) found.push(match[1] ?? '');
  return found;
}

/** Members are made private in one way: a second one raises the question which to use. */
function checkPrivateMembers(file: string, text: string): void {
  const member = /^ +(?:static |readonly |async |get |set )*#\w+/m.exec(text)?.[0].trim();
  if (member !== undefined) report(file, `${member} is private by its name; write "private"`);
}

function checkName(file: string): void {
  const name = basename(file);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|testing))?\.tsx?$/.test(name)) report(file, 'name is not kebab-case');
  if (forbiddenNames.test(name)) report(file, 'name says nothing: name the idea');
}

function checkLength(file: string, text: string): void {
  if (file.endsWith('.test.ts') || file in longFiles) return;
  const lines = text.split('\n').filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length;
  if (lines > maximumLines) report(file, `${lines} lines of code: would two rooms be clearer?`);
}

function checkMutableState(file: string, text: string): void {
  if (/^(export )?let /m.test(text)) report(file, 'mutable state of a module');
}

function checkEnvironmentVariables(file: string, text: string): void {
  if (file.startsWith('src/platform/settings/') || file.endsWith('.test.ts')) return;
  if (/\bprocess\.env\b/.test(text)) report(file, 'reads process.env: that is for platform/settings');
}

function checkImport(file: string, target: string): void {
  if (file.startsWith('src/language/') && !/\.test(ing)?\.ts$/.test(file)) checkPurity(file, target);
  if (!target.startsWith('.')) return;
  const resolved = normalize(join(dirname(file), target));
  if (!resolved.startsWith('src/')) {
    if (!/\.test(ing)?\.ts$/.test(file)) report(file, `imports ${resolved}, outside src`);
    return;
  }
  const from = roomOf(file);
  const to = roomOf(resolved);
  if (from.room === to.room) return;
  checkDirection(file, resolved, from, to);
  if (basename(resolved) !== 'index.ts' && to.hasFrontDoor && !isDeclaredEntry(resolved))
    report(file, `enters ${to.room} by ${basename(resolved)}, not by its front door`);
}

function checkPurity(file: string, target: string): void {
  const isAllowed = !target.startsWith('node:') || target === 'node:crypto';
  if (!isAllowed) report(file, `the language is pure, but imports ${target}`);
}

interface Room {
  readonly layer: string;
  /** The folder that counts as one room: `src/language/pcore`, `src/services/ca`, `src/cli`. */
  readonly room: string;
  readonly hasFrontDoor: boolean;
}

function roomOf(file: string): Room {
  const [, layer = '', folder = ''] = file.split('/');
  const isDivided = ['language', 'services', 'platform'].includes(layer);
  if (layer === 'lib') {
    const isFolder = file.split('/').length > 3;
    return { layer, room: isFolder ? `src/lib/${folder}` : file, hasFrontDoor: isFolder };
  }
  return { layer, room: isDivided ? `src/${layer}/${folder}` : `src/${layer}`, hasFrontDoor: isDivided };
}

function isDeclaredEntry(file: string): boolean {
  return file.endsWith('-worker.ts');
}

function checkDirection(file: string, resolved: string, from: Room, to: Room): void {
  const isSupport = file.endsWith('.test.ts');
  if (from.layer === to.layer && from.layer === 'language')
    return checkOrder(file, resolved, [basename(from.room), basename(to.room)], languageOrder);
  if (from.layer === to.layer && from.layer === 'platform') {
    if (!isSupport) checkOrder(file, resolved, [basename(from.room), basename(to.room)], platformOrder);
    return;
  }
  if (from.layer === 'services' && to.layer === 'services') {
    if (!isSupport) report(file, `imports ${resolved}: services are strangers, name a terminus`);
    return;
  }
  const fromRank = layerRank[from.layer];
  const toRank = layerRank[to.layer];
  if (fromRank === undefined || toRank === undefined) return report(file, `unknown room in ${resolved}`);
  const isSideways = fromRank === toRank && from.layer !== to.layer;
  if (toRank > fromRank || isSideways) report(file, `imports ${resolved}: against the direction of imports`);
}

function checkOrder(
  file: string,
  resolved: string,
  [from, to]: readonly [string, string],
  order: readonly string[],
): void {
  if (!order.includes(from)) report(file, `${from} has no place in the order of its layer`);
  if (order.indexOf(from) < order.indexOf(to))
    report(file, `imports ${resolved}: ${from} comes before ${to}`);
}

/** Cycles that exist at run time; those of recursive grammars are listed, with their exact size. */
function checkCycles(): void {
  const files = sourceFiles('src').filter((file) => !/\.(test|testing)\.ts$/.test(file));
  const cycles = runtimeCycles(new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])));
  const folders = Map.groupBy(cycles, commonFolder);
  for (const folder of new Set([...folders.keys(), ...Object.keys(recursiveFolders)])) {
    const found = folders.get(folder) ?? [];
    const sizes = found.map((cycle) => cycle.length).toSorted((a, b) => b - a);
    const listed = recursiveFolders[folder]?.files ?? [];
    if (sizes.join() !== listed.join())
      report(
        folder,
        `import cycles of ${sizes.join(', ') || 'no'} files, listed are ${listed.join(', ') || 'none'}:\n  ${found.map((cycle) => cycle.join(' ')).join('\n  ')}`,
      );
  }
}

function report(file: string, finding: string): void {
  findings.push(`${relative('', file)}: ${finding}`);
}
