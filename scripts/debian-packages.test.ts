import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fleetModules, peerPackages, testPackages } from './debian-packages.ts';

const root = join(import.meta.dirname, '..');
const hasDpkg = spawnSync('dpkg-query', ['--version']).status === 0;

test('the README names every Debian package that the tests need', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');

  const unnamed = testPackages
    .filter((entry) => !fleetModules.includes(entry))
    .filter(({ name }) => !readme.includes(`\`${name}\``));

  expect(unnamed).toEqual([]);
});

describe.skipIf(!hasDpkg)('The table of Debian packages (needs dpkg)', () => {
  test('has every package whose programs and files the tests name', () => {
    const uses = usesOfThisMachine();
    const owners = ownersOf([...uses.keys()]);
    const installed = installedByUs();

    const uncovered = Array.from(owners, ([path, packages]) => ({ path, packages, by: uses.get(path) }))
      .filter(({ packages }) => packages.length > 0)
      .filter(({ packages }) => !packages.some((name) => installed.has(name)));

    expect(uses.size).toBeGreaterThan(20);
    expect(uncovered).toEqual([]);
  });
});

/** Node brings them, wherever it is from. */
const broughtByNode = new Set(['node', 'npm', 'npx']);

/** First words of calls such as `spawnSync('git', ...)` and `start(host, ['nsd', ...])`; not those in shell scripts. */
const startedProgram = /\b(?:spawn|exec|run|start|program)\w*\(\s*(?:\w+,\s*)?\[?\s*['"`]([\w.+-]+)['"`]/g;

/** Paths of programs, libraries and other files that tests name and that are here; with the first file that does. */
function usesOfThisMachine(): ReadonlyMap<string, string> {
  const uses = new Map<string, string>();
  const files = globSync(['test/**/*.{ts,mjs}', 'src/**/*.test.ts', 'demo/*.ts'], { cwd: root });
  for (const file of files.filter((name) => !name.startsWith('test/recorded/'))) {
    const text = readFileSync(join(root, file), 'utf8');
    // There `run` takes a command of ours, such as `import`, which is also a program of ImageMagick.
    const started = file.startsWith('src/cli/') ? [] : text.matchAll(startedProgram);
    const programs = Array.from(started, ([, name = '']) => name)
      .filter((name) => !broughtByNode.has(name))
      .map(onPath);
    const quoted = text.matchAll(/['"`](\/(?:usr|bin|sbin)\/[^'"`\s$]+)/g);
    const named = Array.from(quoted, ([, pattern = '']) => globSync(pattern)).flat();
    for (const path of [...programs, ...named])
      if (path !== undefined && existsSync(path) && !uses.has(path)) uses.set(path, file);
  }
  return uses;
}

function onPath(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return directories.map((directory) => join(directory, name)).find((path) => isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // absent, or not ours to start
  }
}

/** Packages that have the path, by path; none for what does not come from Debian, such as Node. */
function ownersOf(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map(paths.map((path) => [path, spellingsOf(path)]));
  const { stdout } = spawnSync('dpkg-query', ['--search', ...Array.from(spellings.values()).flat()], {
    encoding: 'utf8',
  });
  const owners = new Map<string, readonly string[]>();
  for (const [, packages = '', path = ''] of stdout.matchAll(/^([^/\n]+): (\/.*)$/gm))
    owners.set(
      path,
      packages.split(', ').map((name) => name.replace(/:\w+$/, '')),
    );
  return new Map(
    paths.map((path) => [path, (spellings.get(path) ?? []).flatMap((each) => owners.get(each) ?? [])]),
  );
}

/** The path, where links such as those of alternatives lead, and both without /usr as older packages have them. */
function spellingsOf(path: string): readonly string[] {
  const spellings = [path, realpathSync(path)];
  return [...new Set([...spellings, ...spellings.map((each) => each.replace(/^\/usr(?=\/s?bin\/)/, ''))])];
}

interface Installed {
  readonly name: string;
  readonly isBase: boolean;
  readonly depends: readonly string[];
  readonly provides: readonly string[];
}

/** Names of packages that each Debian has or that the table's bring along. */
function installedByUs(): ReadonlySet<string> {
  const all = installedPackages();
  const providers = new Map<string, readonly Installed[]>();
  for (const entry of all)
    for (const name of [entry.name, ...entry.provides])
      providers.set(name, [...(providers.get(name) ?? []), entry]);
  const found = new Set<string>();
  const waiting = [
    ...all.filter(({ isBase }) => isBase).map(({ name }) => name),
    ...[...testPackages, ...peerPackages].map(({ name }) => name),
  ];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
    for (const entry of providers.get(name) ?? []) {
      if (found.has(entry.name)) continue;
      found.add(entry.name);
      waiting.push(...entry.depends);
    }
  return found;
}

function installedPackages(): readonly Installed[] {
  const fields = ['Package', 'Essential', 'Priority', 'Depends', 'Pre-Depends', 'Provides'];
  const format = `\${db:Status-Status}\\t${fields.map((name) => `\${${name}}`).join('\\t')}\\n`;
  const { stdout } = spawnSync('dpkg-query', ['--show', '--showformat', format], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([status]) => status === 'installed')
    .map(([, name = '', essential, priority, depends = '', before = '', provides = '']) => ({
      name,
      // apt is what the others are installed with.
      isBase: essential === 'yes' || priority === 'required' || name === 'apt',
      depends: [...namesIn(depends), ...namesIn(before)],
      provides: namesIn(provides),
    }));
}

/** Names in a field such as `a (>= 1), b:any | c`. */
function namesIn(field: string): readonly string[] {
  return field
    .split(/[,|]/)
    .map((each) => each.trim().replace(/[ (:].*$/, ''))
    .filter((name) => name !== '');
}
