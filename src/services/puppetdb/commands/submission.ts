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
  /** ISO 8601; the payload's own time counts where there is one. */
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
    ...check(stated),
    certname,
    producerTimestamp: time === undefined ? undefined : readTimestamp(time),
  };
}

/**
 * Reads the form with query parameters; the payload is the body.
 *
 * @throws ServiceError `bad-request` in the reference's words
 */
export function readCommandParameters(parameters: URLSearchParams): Omit<SentCommand, 'payload'> {
  const given = new Map(parameters);
  const name = (given.get('command') ?? '').replaceAll('_', ' ');
  const certname = given.get('certname');
  const sent = given.get('version') ?? '';
  // The reference takes a version that is not there for one that is no number.
  const { command, version } = check({
    name,
    certname,
    version: /^[+-]?\d+$/.test(sent) ? Number(sent) : undefined,
    given: [...given.keys(), 'version'],
  });
  const producerTimestamp = given.get('producer-timestamp');
  return {
    command,
    version,
    certname: certname ?? '',
    ...(producerTimestamp === undefined ? {} : { producerTimestamp }),
  };
}

/**
 * Reads the older form: `{"command":...,"version":...,"payload":...}`.
 *
 * @throws ServiceError `bad-request` when it is not of that form
 */
export function readOldForm(body: Buffer): Omit<Submission, 'id'> {
  const value = parseObject(body.toString('utf8'));
  const { command: sent, version: sentVersion, payload } = value;
  const isWhole = [sent, sentVersion, payload].every(
    (part) => part !== undefined && part !== null && part !== false,
  );
  const certname = isObject(payload) ? payload['certname'] : undefined;
  const name = typeof sent === 'string' ? sent : undefined;
  if (!isWhole) {
    throw notOldForm(
      name,
      certname,
      'The request body must be a JSON map with required keys: command, version, payload.',
    );
  }
  if (!isObject(payload)) throw notOldForm(name, certname, 'The payload value must be a JSON map.');
  const given = Object.keys(value).filter((key) => key !== 'payload');
  const { command, version } = check({
    // A client's object may have a member `toString`.
    name: typeof sent === 'string' ? sent : JSON.stringify(sent),
    certname: typeof certname === 'string' ? certname : undefined,
    version: typeof sentVersion === 'number' ? sentVersion : undefined,
    given: [...given, ...(certname === undefined || certname === null ? [] : ['certname'])],
  });
  return {
    command,
    version,
    certname: String(certname),
    producerTimestamp: undefined,
    payload: Buffer.from(JSON.stringify(payload)),
  };
}

interface Given {
  readonly name: string;
  readonly certname: string | undefined;
  /** `undefined` when it is no number. */
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
function check({ name, certname, version, given }: Given): { command: CommandName; version: number } {
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

function parseObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return value;
  } catch {
    // Said below: whatever it is, it is no command.
  }
  return {};
}

function notOldForm(name: string | undefined, certname: unknown, reason: string): ServiceError {
  return invalidCommand(
    name,
    typeof certname === 'string' ? certname : undefined,
    `Command was submitted without query parameters (old format). ${reason}`,
  );
}

function invalidCommand(
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
