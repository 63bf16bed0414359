/** `bunraku parser validate` */

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Environment, type EnvironmentConfig, ParseCache } from '../../language/environment/index.ts';
import {
  type Diagnostic,
  PuppetError,
  parseAndValidateEpp,
  renderPosition,
} from '../../language/syntax/index.ts';
import { DiskFileTree } from '../../lib/disk-file-tree.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { languageSettings } from '../../server/compiler/language-settings.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { readStdin } from '../read-stdin.ts';
import { findManifests } from './manifest-files.ts';

export const parserValidateCommand: Command = {
  name: 'parser validate',
  summary: 'Check the syntax of manifests',
  usage: `
Usage: bunraku parser validate [FILE|DIRECTORY ...] [OPTIONS] [--SETTING VALUE ...]

  --render-as FORMAT   console (default) or json; --format is the same

Reads standard input when no files are named. In directories every .pp file is checked; a file whose name ends with .epp
is checked as a template. Reports all findings of each file. Exit code 1 when there are errors.
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: ['--render-as', '--format'], flags: [] });
    const format = formatOf(line);
    const errors = new Map<string, PuppetError>();
    const check = (name: string, validate: () => void): void => {
      try {
        validate();
      } catch (error) {
        if (!(error instanceof PuppetError)) throw error;
        errors.set(name, error);
      }
    };
    const log = (finding: Diagnostic): void => (format === 'json' ? undefined : printFinding(finding, io));
    const { settings } = line;
    const { found, missing } = findManifests(line.positional);
    if (line.positional.length === 0) {
      const text = await readStdin();
      if (text === undefined) throw new UsageError('name files, or pipe a manifest in');
      check('STDIN', () => validateManifest({ manifest: '', code: text, directory: '/' }, settings, log));
    }
    for (const file of found) check(file, () => validateFile(file, settings, log));
    if (format === 'json')
      io.stdout(errors.size === 0 ? '' : `${renderErrors(errors, settings.environment)}\n`);
    else for (const error of errors.values()) io.stderr(`Error: ${consoleText(error, settings)}\n`);
    if (missing.length > 0)
      io.stderr(
        `Error: One or more file(s) specified did not exist:\n${missing.map((file) => `   ${file}\n`).join('')}`,
      );
    return errors.size + missing.length === 0 ? 0 : 1;
  },
};

type Log = (finding: Diagnostic) => void;

function formatOf(line: CommandLine): 'console' | 'json' {
  const format = lastOf(line, '--render-as') ?? lastOf(line, '--format') ?? 'console';
  if (format === 'console' || format === 'json') return format;
  throw new UsageError(`I don't know how to render '${format}'`);
}

function validateFile(file: string, settings: Settings, log: Log): void {
  const path = resolve(file);
  if (path.endsWith('.epp')) {
    const { level, strict } = languageSettings(settings);
    parseAndValidateEpp(
      { file: path, text: templateText(path) },
      { level, strict, ...limits(settings), log },
    );
  } else validateManifest({ manifest: path, directory: dirname(path) }, settings, log);
}

function templateText(file: string): string {
  const bytes = readFileSync(file);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new PuppetError({
    code: 'syntax_error',
    severity: 'error',
    message: 'invalid byte sequence in UTF-8',
    file,
  });
}

/** As the main manifest of an environment: any name will do, and nothing may be defined twice. */
function validateManifest(
  source: Pick<EnvironmentConfig, 'manifest' | 'code' | 'directory'>,
  settings: Settings,
  log: Log,
): void {
  const config: EnvironmentConfig = {
    ...source,
    name: settings.environment,
    modulepath: [],
    configVersion: '',
    codeId: null,
    settings: languageSettings(settings),
  };
  const environment = new Environment(config, new DiskFileTree('/', '/'), new ParseCache());
  try {
    environment.mainPrograms();
  } finally {
    for (const warning of environment.takeWarnings())
      if (warning.kind === 'diagnostic') log(warning.diagnostic);
  }
}

function limits({ disableWarnings, maxDeprecations, maxErrors, maxWarnings }: Settings) {
  const isSilent = disableWarnings.includes('deprecations');
  return { maxErrors, maxWarnings, maxDeprecations: isSilent ? 0 : maxDeprecations };
}

function printFinding(finding: Diagnostic, io: CommandIo): void {
  const label = finding.severity === 'error' ? 'Error' : 'Warning';
  io.stderr(`${label}: ${finding.message}${renderPosition(finding)}\n`);
}

/** The count of findings that have been printed stands alone, without a place. */
function consoleText(error: PuppetError, settings: Settings): string {
  return isCount(error) ? error.diagnostic.message : fullText(error, settings.environment);
}

function fullText(error: PuppetError, environment: string): string {
  if (error.diagnostic.code === 'already_defined') return error.message;
  return `Could not parse for environment ${environment}: ${error.message}`;
}

function isCount({ diagnostic }: PuppetError): boolean {
  return diagnostic.code === 'validation_failed';
}

function renderErrors(errors: ReadonlyMap<string, PuppetError>, environment: string): string {
  const byFile = Array.from(errors, ([file, error]) => {
    const { code, column, file: path, line, message } = error.diagnostic;
    const wire = {
      issue_code: isCount(error) ? null : code.toUpperCase(),
      message,
      full_message: fullText(error, environment),
      file: path ?? null,
      line: line ?? null,
      pos: column ?? null,
    };
    return [file, wire] as const;
  });
  return JSON.stringify(Object.fromEntries(byFile), undefined, 2);
}
