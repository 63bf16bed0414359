/** Commands of `generate()`. */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fault } from '../../language/pcore/index.ts';
import { processEnvironment } from '../../platform/settings/index.ts';

const TIMEOUT_SECONDS = 60;
/** What says who the user is, and in which language programs print. */
const PERSONAL = /^(?:HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+)$/;

/**
 * Runs a command in the directory in which it is.
 *
 * @param command - an absolute path
 * @param elsewhere - where the command is when it is not at its path
 * @returns what it prints, errors included, in the order in which it came
 * @throws PuppetError when it fails
 * @see Puppet::Util::Execution.execute
 */
export function runGenerator(command: string, args: readonly string[], elsewhere = command): string {
  const place = existsSync(command) ? command : elsewhere;
  const directory = path.dirname(place);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw fault(`No such file or directory @ dir_chdir - ${directory}`);
  const { failure, output } = printed(directory, place, args);
  if (failure === undefined) return output;
  throw fault(`Failed to execute generator ${command}: ${failure}`);
}

interface Printed {
  readonly output: string;
  readonly failure: string | undefined;
}

function printed(directory: string, command: string, args: readonly string[]): Printed {
  // Two pipes would not tell in which order things were printed.
  const file = path.join(tmpdir(), `bunraku-generator-${randomUUID()}`);
  const descriptor = openSync(file, 'wx+', 0o600);
  try {
    unlinkSync(file);
    const { error, status } = spawnSync(command, args, {
      cwd: directory,
      env: environment(),
      stdio: ['ignore', descriptor, descriptor],
      timeout: TIMEOUT_SECONDS * 1000,
    });
    const output = contentOf(descriptor);
    if (status === 0) return { output, failure: undefined };
    if (codeOf(error) === 'ETIMEDOUT')
      return { output, failure: `it has taken longer than ${TIMEOUT_SECONDS} seconds` };
    const shown = error === undefined ? (status ?? '') : 1;
    const call = [command, ...args].join(' ');
    return { output, failure: `Execution of '${call}' returned ${shown}: ${output.trim()}` };
  } finally {
    closeSync(descriptor);
  }
}

function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(processEnvironment()).filter(([name]) => !PERSONAL.test(name));
  return { ...Object.fromEntries(kept), LANG: 'C', LC_ALL: 'C' };
}

function contentOf(descriptor: number): string {
  const bytes = Buffer.alloc(fstatSync(descriptor).size);
  const length = readSync(descriptor, bytes, 0, bytes.length, 0);
  return bytes.toString('utf8', 0, length);
}

function codeOf(error: Error | undefined): unknown {
  return error !== undefined && 'code' in error ? error.code : undefined;
}
