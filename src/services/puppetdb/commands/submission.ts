/** A command that was taken in, not decoded yet. */

import { ServiceError } from '../../../lib/service-error.ts';
import { readTimestamp } from '../timestamp.ts';
import { type CommandName, readCommandName, supportedVersions } from './command-name.ts';

/** A command as a sender states it. */
export interface SentCommand {
  /** `replace_facts` or `replace facts` */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** ISO 8601. A time in the payload takes precedence. */
  readonly producerTimestamp?: string;
  /** JSON, UTF-8. */
  readonly payload: Uint8Array;
}

/** Without the payload. */
export interface CommandHead {
  readonly command: CommandName;
  readonly version: number;
  readonly certname: string;
  /** `undefined` when the sender states none, or one that cannot be read. */
  readonly producerTimestamp: string | undefined;
}

export interface Submission extends CommandHead {
  readonly id: string;
  /** JSON in UTF-8. */
  readonly payload: Buffer;
}

/** @throws ServiceError `bad-request` in the reference's words when there is no such command */
export function headOf({
  certname,
  command: name,
  producerTimestamp: time,
  version,
}: SentCommand): CommandHead {
  const stated = { name: name.replaceAll('_', ' '), certname, version, given: neededParameters };
  return {
    ...checkCommand(stated),
    certname,
    producerTimestamp: time === undefined ? undefined : readTimestamp(time),
  };
}

/** A command as its sender states it, with or without mistakes. */
export interface StatedCommand {
  readonly name: string;
  readonly certname: string | undefined;
  /** `undefined` when it is not a number. */
  readonly version: number | undefined;
  /** The names of all parameters. */
  readonly given: readonly string[];
}

const neededParameters = ['certname', 'version', 'command'];
const knownParameters = new Set([
  ...neededParameters,
  'checksum',
  'producer-timestamp',
  'secondsToWaitForCompletion',
]);

/** @throws ServiceError `bad-request` with the first mistake, in the reference's order */
export function checkCommand({ name, certname, version, given }: StatedCommand): {
  command: CommandName;
  version: number;
} {
  const invalid = (reason: string): ServiceError => invalidCommand(name, certname, reason);
  const missing = neededParameters.filter((each) => !given.includes(each));
  if (missing.length > 0) throw invalid(`Command is missing required parameters: ${missing.join(', ')}.`);
  const unknown = given.filter((each) => !knownParameters.has(each));
  if (unknown.length > 0) throw invalid(`Command has invalid parameters: ${unknown.join(', ')}.`);
  if (certname === undefined || certname.trim() === '') throw invalid('Certname must be a non-empty string.');
  // Underscores are understood in parameters alone.
  const command = name.includes('_') ? undefined : readCommandName(name);
  if (command === undefined) {
    throw invalid(`Command must be one of: ${Object.keys(supportedVersions).join(', ')}.`);
  }
  if (version === undefined || !Number.isInteger(version)) throw invalid('Version must be a valid integer.');
  const { min: least } = supportedVersions[command];
  if (version < least) {
    throw invalid(
      `Version ${version} of command ${JSON.stringify(name)} is retired. The minimum supported version is ${least}.`,
    );
  }
  return { command, version };
}

export function invalidCommand(
  name: string | undefined,
  certname: string | undefined,
  reason: string,
): ServiceError {
  const shown = (text: string | undefined): string => (text === undefined ? 'nil' : JSON.stringify(text));
  return new ServiceError(
    'bad-request',
    `Command ${shown(name)} for certname ${shown(certname)} is invalid. ${reason}`,
  );
}
