/** Files of modules, as plans name them: `module/path`. */

import type { Environment } from '../../environment/index.ts';
import { joinPath } from '../../environment/index.ts';
import { type Position, PuppetError } from '../../syntax/index.ts';

/** The file or directory of that name below `files` of its module, or else of the module itself; `undefined` when there is none. */
export function findModulePath(reference: string, environment: Environment): string | undefined {
  if (reference.startsWith('/'))
    return environment.files.kind(reference) === undefined ? undefined : reference;
  const [name = '', first = '', ...rest] = reference.split('/');
  const module = environment.modules.get(name);
  if (module === undefined) return undefined;
  const inside = (...path: string[]): string => joinPath(module.directory, ...path);
  const candidates = [inside('files', first, ...rest), inside(first, ...rest)];
  return candidates.find((path) => environment.files.kind(path) !== undefined);
}

/** @throws PuppetError that names the file as the plan does */
export function getModulePath(reference: string, environment: Environment, position: Position): string {
  const path = findModulePath(reference, environment);
  if (path === undefined) throw atLine(`No such file or directory: ${reference}`, position);
  return path;
}

/** A mistake that is reported with the file and line of the call, and no further words. */
export function atLine(message: string, { file, line }: Position): PuppetError {
  return new PuppetError({
    code: 'runtime_error',
    severity: 'error',
    message,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  });
}
