/** Sources that list their environments: a YAML file, a directory of them, or a command's output. */

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import { parseYaml, YamlError } from '../../../lib/yaml/index.ts';
import type { HashSourceConfiguration } from '../configuration/configuration.ts';
import { ConfigurationError, plain } from '../configuration/read-configuration.ts';
import type {
  EnvironmentContent,
  EnvironmentDefinition,
  ModuleArguments,
  SourceListing,
} from './environment-definition.ts';
import { correctedName, environmentName } from './environment-name.ts';

const EnvironmentWire = z.looseObject({
  type: z.enum(['git', 'plain', 'bare', 'tarball', 'svn']).default('git'),
  remote: z.string().optional(),
  source: z.string().optional(),
  ref: z.coerce.string().optional(),
  version: z.coerce.string().optional(),
  checksum: z.string().optional(),
  modules: z.record(z.string(), z.union([z.string(), z.null(), z.record(z.string(), z.unknown())])).nullish(),
  moduledir: z.string().optional(),
  module_conflicts: z.enum(['override_and_warn', 'override', 'error']).default('override_and_warn'),
  puppetfile_name: z.string().optional(),
});

type Wire = z.infer<typeof EnvironmentWire>;

const commandTimeoutMs = 60_000;
const largestOutput = 16 * 1024 * 1024;

/**
 * @param basedir - where the source's environments go
 * @throws ConfigurationError for what can't be read or is no list of environments
 */
export async function listHash(source: HashSourceConfiguration, basedir: string): Promise<SourceListing> {
  const environments = Object.entries(await readHash(source)).map(([name, value]) =>
    definitionOf(source, basedir, name, value),
  );
  return { environments, warnings: [] };
}

async function readHash(source: HashSourceConfiguration): Promise<Readonly<Record<string, unknown>>> {
  switch (source.kind) {
    case 'yaml':
      return asHash(await parseFile(source.config), source.config);
    case 'yamldir':
      return await readDirectory(source.config);
    case 'exec':
      return asHash(parseText(await runCommand(source.config), source.config), source.config);
    default:
      return source.kind satisfies never;
  }
}

async function readDirectory(directory: string): Promise<Readonly<Record<string, unknown>>> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw new ConfigurationError(`Error opening ${directory}: config must be a directory`, error);
  });
  const files = names.filter((name) => name.endsWith('.yaml')).sort();
  return Object.fromEntries(
    await Promise.all(
      files.map(
        async (name) => [name.slice(0, -'.yaml'.length), await parseFile(join(directory, name))] as const,
      ),
    ),
  );
}

async function parseFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigurationError(
      `Couldn't open environments file ${file}: ${(error as Error).message}`,
      error,
    );
  });
  return parseText(text, file);
}

function parseText(text: string, file: string): unknown {
  try {
    return plain(parseYaml(text));
  } catch (error) {
    if (error instanceof YamlError) throw new ConfigurationError(error.messageFor(file), error);
    throw error;
  }
}

async function runCommand(command: string): Promise<string> {
  try {
    const options = { timeout: commandTimeoutMs, killSignal: 'SIGKILL', maxBuffer: largestOutput } as const;
    return (await promisify(execFile)('/bin/sh', ['-c', command], options)).stdout;
  } catch (error) {
    throw new ConfigurationError(`${command} failed: ${(error as Error).message}`, error);
  }
}

function asHash(value: unknown, file: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new ConfigurationError(`${file} does not list environments: it holds no hash`);
}

function definitionOf(
  source: HashSourceConfiguration,
  basedir: string,
  key: string,
  value: unknown,
): EnvironmentDefinition {
  const place = `${source.config}: ${key}`;
  const name = environmentName(key, source, 'error')?.name;
  if (name === undefined || name !== correctedName(name))
    throw new ConfigurationError(`${place}: an environment's name has letters, digits and underscores only`);
  const result = checkShape(EnvironmentWire, value);
  if (!result.success) {
    const [first] = result.error.issues;
    throw new ConfigurationError(`${place}: ${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`);
  }
  const wire = result.data;
  return {
    name,
    title: key,
    source: source.name,
    directory: join(basedir, name),
    content: contentOf(wire, place),
    puppetfileName: wire.puppetfile_name ?? source.puppetfileName,
    modules: modulesOf(wire),
    moduleDirectory: wire.moduledir ?? 'modules',
    moduleConflicts: wire.module_conflicts,
  };
}

function contentOf(wire: Wire, place: string): EnvironmentContent {
  const location = wire.remote ?? wire.source;
  const version = wire.ref ?? wire.version;
  switch (wire.type) {
    case 'plain':
    case 'bare':
      return { kind: 'plain' };
    case 'svn':
      throw new ConfigurationError(`${place}: Subversion is not supported`);
    case 'tarball':
      if (location === undefined) throw new ConfigurationError(`${place}: a tarball needs a source`);
      return { kind: 'tarball', location, checksum: wire.version ?? wire.checksum };
    case 'git':
      if (location === undefined || version === undefined)
        throw new ConfigurationError(`${place}: a git environment needs a source and a version`);
      return { kind: 'git', remote: location, ref: version };
    default:
      return wire.type satisfies never;
  }
}

function modulesOf({ modules }: Wire): ReadonlyMap<string, ModuleArguments | string | null> {
  return new Map(
    Object.entries(modules ?? {}).map(([title, value]) => [
      title,
      typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : value,
    ]),
  );
}
