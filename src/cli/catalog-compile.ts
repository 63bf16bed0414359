/** `bunraku catalog compile` */

import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Json } from '../language/evaluator/index.ts';
import { ServiceError } from '../lib/service-error.ts';
import { silentLogger } from '../platform/log/index.ts';
import { compileOffline } from '../server/offline-compile.ts';
import type { CompileLogLine } from '../services/compiler/index.ts';
import { type Command, type CommandIo, UsageError } from './command.ts';
import { readSettings } from './serve.ts';

export const catalogCompileCommand: Command = {
  name: 'catalog compile',
  summary: 'Compile the catalog of one node without a server',
  usage: `
Usage: bunraku catalog compile CERTNAME [OPTIONS] [--SETTING VALUE ...]

  --code DIR           The environment's directory, for instance a checkout of the control repository
                       (default: ENVIRONMENT below the setting environmentpath)
  --environment NAME   The environment's name (default: production)
  --facts FILE         JSON: what 'puppet facts' or 'facter --json' prints, or {"name", "values"}
  --extension NAME=V   A trusted extension, for instance pp_role=webserver; may be given several times
  --node FILE          JSON of an external node classifier: {"classes", "parameters"}
  --plain              Render as application/json instead of application/vnd.puppet.rich+json

The catalog goes to standard output, messages of the manifests to standard error. Exit code 1 when it does not compile.
`,
  async run(args, io) {
    const own = parseOwn(args);
    const { settings } = readSettings(own.settingArgs);
    const root = settings.environmentPath[0] ?? '';
    const directory = own.code ?? join(root, own.environment ?? settings.environment);
    try {
      const compiled = await compileOffline(
        {
          certname: own.certname,
          directory,
          environment: own.environment ?? nameOf(directory),
          facts: own.facts,
          trustedExtensions: own.extensions,
          node: own.node,
          format: own.isPlain ? 'json' : 'rich_data_json',
        },
        settings,
        silentLogger,
      );
      printMessages(compiled.logs, io);
      io.stdout(`${Buffer.from(compiled.catalog).toString('utf8')}\n`);
      return 0;
    } catch (error) {
      return refuse(error, io);
    }
  },
};

function refuse(error: unknown, io: CommandIo): number {
  if (!(error instanceof ServiceError) || error.reason !== 'compile-failed') throw error;
  printMessages((error.details['logs'] ?? []) as readonly CompileLogLine[], io);
  io.stderr(`Error: ${error.message}\n`);
  return 1;
}

function printMessages(lines: readonly CompileLogLine[], io: CommandIo): void {
  for (const { level, message } of lines)
    io.stderr(`${level.charAt(0).toUpperCase()}${level.slice(1)}: ${message}\n`);
}

interface OwnArguments {
  readonly certname: string;
  readonly code: string | undefined;
  readonly environment: string | undefined;
  readonly facts: Readonly<Record<string, Json>>;
  readonly extensions: Readonly<Record<string, string>>;
  readonly node: {
    readonly classes: Readonly<Record<string, Record<string, Json> | null>>;
    readonly parameters: Readonly<Record<string, Json>>;
  };
  readonly isPlain: boolean;
  readonly settingArgs: readonly string[];
}

const withValue = ['--code', '--environment', '--facts', '--node', '--extension'];

function parseOwn(args: readonly string[]): OwnArguments {
  const given = new Map<string, string[]>();
  const settingArgs: string[] = [];
  let certname: string | undefined;
  let isPlain = false;
  for (let index = 0; index < args.length; index += 1) {
    const [name, attached] = splitFlag(args[index] ?? '');
    if (withValue.includes(name)) {
      const value = attached ?? args[(index += 1)];
      if (value === undefined) throw new UsageError(`${name} needs a value`);
      given.set(name, [...(given.get(name) ?? []), value]);
    } else if (name === '--plain') isPlain = true;
    else if (!name.startsWith('-') && certname === undefined && !settingArgs.at(-1)?.startsWith('--'))
      certname = name;
    else settingArgs.push(args[index] ?? '');
  }
  if (certname === undefined) throw new UsageError('name the node whose catalog is wanted');
  return {
    certname: certname.toLowerCase(),
    code: given.get('--code')?.at(-1),
    environment: given.get('--environment')?.at(-1),
    facts: readFacts(given.get('--facts')?.at(-1)),
    extensions: readExtensions(given.get('--extension') ?? []),
    node: readNode(given.get('--node')?.at(-1)),
    isPlain,
    settingArgs,
  };
}

function splitFlag(argument: string): readonly [string, string | undefined] {
  const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

function readFacts(file: string | undefined): Readonly<Record<string, Json>> {
  if (file === undefined) return {};
  const data = readJson(file);
  const isNamed = 'values' in data && typeof data['values'] === 'object' && data['values'] !== null;
  return isNamed ? (data['values'] as Record<string, Json>) : data;
}

function readNode(file: string | undefined): OwnArguments['node'] {
  if (file === undefined) return { classes: {}, parameters: {} };
  const data = readJson(file);
  const classes = data['classes'] ?? {};
  const byName = Array.isArray(classes)
    ? Object.fromEntries(classes.map((name) => [String(name), null]))
    : (classes as Record<string, Record<string, Json> | null>);
  return { classes: byName, parameters: (data['parameters'] ?? {}) as Record<string, Json> };
}

function readJson(file: string): Record<string, Json> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return data as Record<string, Json>;
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  throw new UsageError(`${file} does not hold a JSON object`);
}

function readExtensions(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new UsageError(`--extension takes NAME=VALUE, not '${pair}'`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/** A checkout's directory is rarely called as its environment is; then it stands for production. */
function nameOf(directory: string): string {
  const name = basename(resolve(directory));
  return /^\w+$/.test(name) ? name : 'production';
}
