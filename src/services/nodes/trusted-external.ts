/** `$trusted['external']`: what a program of the site says of a node. */

import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import type { Json } from '../../lib/json.ts';
import { jsonText } from '../../lib/json-bytes.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { type ProgramOptions, runProgram } from './external-program.ts';

export class TrustedExternal {
  private readonly command: string;
  private readonly options: ProgramOptions;

  /** @param command - a program, or a directory of programs; empty when there is none */
  constructor(command: string, options: ProgramOptions) {
    this.command = command;
    this.options = options;
  }

  /**
   * The answer of the program; of a directory, the answers by the programs' names without their suffix.
   *
   * @throws ServiceError `compile-failed` in the reference's words
   */
  async find(certname: string, signal: AbortSignal): Promise<Readonly<Record<string, Json>>> {
    if (this.command === '') return {};
    const locate = (path: string) => this.options.locate?.(path) ?? path;
    if (!(await isDirectory(locate(this.command))))
      return objectOf(await this.ask(this.command, certname, signal));
    const answers: Record<string, Json> = {};
    for (const [name, program] of await programsIn(this.command, locate))
      answers[name] = await this.ask(program, certname, signal);
    return answers;
  }

  private async ask(program: string, certname: string, signal: AbortSignal): Promise<Json> {
    const text = jsonText(await runProgram([program, certname], this.options, signal));
    try {
      return JSON.parse(text) as Json;
    } catch (error) {
      // V8's own words do not help people who know Puppet's.
      throw new ServiceError('compile-failed', `unexpected token at '${text}'`, { cause: error });
    }
  }
}

async function programsIn(
  directory: string,
  locate: (path: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const programs = new Map<string, string>();
  for (const file of (await readdir(locate(directory))).sort()) {
    const path = resolve(join(directory, file));
    if (!(await isExecutableFile(locate(path)))) continue;
    const { name } = parse(file);
    if (programs.has(name))
      throw new ServiceError('compile-failed', `There is more than one '${name}' script in ${directory}`);
    programs.set(name, path);
  }
  return programs;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function isExecutableFile(path: string): Promise<boolean> {
  if ((await stat(path).catch(() => undefined))?.isFile() !== true) return false;
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Only a hash is of use to manifests, which look keys up in it. */
function objectOf(answer: Json): Readonly<Record<string, Json>> {
  if (isRecord(answer)) return answer;
  throw new ServiceError('compile-failed', 'The trusted_external_command did not answer with a JSON object');
}

function isRecord(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
