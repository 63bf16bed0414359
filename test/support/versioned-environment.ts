/**
 * An environment in which every file says which version it is of, and whose catalogs repeat what each file said: a
 * catalog in which two of them differ was made from a mixture of two versions.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface VersionedEnvironmentOptions {
  /** How many modules; three when absent. */
  readonly modules?: number;
  /** Files in each module that no catalog mentions, to make it larger; none when absent. */
  readonly ballast?: number;
}

const defaultModules = 3;

/** The files of a version, by their names in the environment. */
export function versionedFiles(
  version: number | string,
  { ballast = 0, modules = defaultModules }: VersionedEnvironmentOptions = {},
): Readonly<Record<string, string>> {
  const names = Array.from({ length: modules }, (_, index) => `versioned${index + 1}`);
  const files: Record<string, string> = {
    'environment.conf': `# ${version}\nmodulepath = modules\n`,
    'hiera.yaml': `# ${version}\n---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n`,
    'data/common.yaml': `---\nenvironment_data: '${version}'\n`,
    'manifests/site.pp': `notify { 'site': message => '${version}' }
notify { 'environment data': message => lookup('environment_data') }
include ${names.join(', ')}
`,
    'manifests/zz.pp': `notify { 'second manifest': message => '${version}' }\n`,
  };
  for (const name of names) {
    for (const [path, text] of Object.entries(moduleFiles(name, version)))
      files[`modules/${name}/${path}`] = text;
    for (let index = 0; index < ballast; index += 1)
      files[`modules/${name}/files/ballast/${Math.floor(index / 10)}/${index}`] =
        `${name} ${index} ${'x'.repeat(200)}\n`;
  }
  return files;
}

function moduleFiles(name: string, version: number | string): Readonly<Record<string, string>> {
  return {
    'manifests/init.pp': `class ${name} (String $from_data = 'none') {
  notify { '${name} class': message => '${version}' }
  notify { '${name} data': message => $from_data }
  notify { '${name} function': message => ${name}::version() }
  notify { '${name} template': message => epp('${name}/version.epp') }
  notify { '${name} file': message => file('${name}/version') }
  ${name}::part { '${name} part': }
  include ${name}::other
}
`,
    'manifests/other.pp': `class ${name}::other {\n  notify { '${name} other class': message => '${version}' }\n}\n`,
    'manifests/part.pp': `define ${name}::part () {\n  notify { "\${title} inside": message => '${version}' }\n}\n`,
    'functions/version.pp': `function ${name}::version() {\n  '${version}'\n}\n`,
    'templates/version.epp': `${version}`,
    'files/version': `${version}`,
    'hiera.yaml': `# ${version}\n---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n`,
    'data/common.yaml': `---\n${name}::from_data: '${version}'\n`,
  };
}

/**
 * Replaces the content of a directory by a version, file by file, as people and tools do it: what is seen
 * meanwhile is a mixture.
 */
export function stageVersion(
  directory: string,
  version: number | string,
  options: VersionedEnvironmentOptions = {},
): void {
  for (const [name, text] of Object.entries(versionedFiles(version, options))) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
}

/** Begins with nothing. */
export function stageAnew(
  directory: string,
  version: number | string,
  options: VersionedEnvironmentOptions = {},
): void {
  rmSync(directory, { recursive: true, force: true });
  stageVersion(directory, version, options);
}

/** What a catalog on the wire has, as far as it matters here. */
interface VersionedCatalog {
  readonly resources: readonly {
    readonly type: string;
    readonly title: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  }[];
}

/** Resources that say a version: three for the environment, seven for each module. */
export function statementsIn({ modules = defaultModules }: VersionedEnvironmentOptions = {}): number {
  return 3 + modules * 7;
}

/**
 * The one version that a catalog was made of.
 *
 * @throws Error naming what disagrees, or how many statements are missing
 */
export function versionOf(catalog: VersionedCatalog, options: VersionedEnvironmentOptions = {}): string {
  const said = catalog.resources.flatMap(({ parameters, title, type }) =>
    type === 'Notify' ? [[title, String(parameters?.['message'])] as const] : [],
  );
  const [first] = said;
  if (first === undefined) throw new Error('the catalog says no version');
  const others = said.filter(([, version]) => version !== first[1]);
  if (others.length > 0)
    throw new Error(
      `a mixture: ${first.join(' says ')}, but ${others.map((pair) => pair.join(' says ')).join(', ')}`,
    );
  if (said.length !== statementsIn(options))
    throw new Error(`${said.length} statements of the version, not ${statementsIn(options)}`);
  return first[1];
}
