/** A command as it arrived, not decoded yet. */

import { QueryError } from '../query/query-error.ts';
import { readTimestamp } from '../timestamp.ts';
import { type CommandName, readCommandName, supportedVersions } from './command-name.ts';

export interface Submission {
  readonly id: string;
  readonly command: CommandName;
  readonly version: number;
  readonly certname: string;
  /** What the sender says; the payload's own time counts where there is one. */
  readonly producerTimestamp: string | undefined;
  /** JSON in UTF-8. */
  readonly payload: Buffer;
}

/**
 * Reads the form with query parameters, the payload alone in the body.
 *
 * @throws QueryError in the reference's words
 */
export function readSubmission(parameters: URLSearchParams, body: Buffer, id: string): Submission {
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
  const time = given.get('producer-timestamp');
  const producerTimestamp = time === undefined ? undefined : readTimestamp(time);
  return { id, command, version, certname: certname ?? '', producerTimestamp, payload: body };
}

/**
 * Reads the older form: `{"command":...,"version":...,"payload":...}`.
 *
 * @throws QueryError when it is not of that form
 */
export function readOldSubmission(body: Buffer, id: string): Submission {
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
    id,
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

/** @throws QueryError with the first mistake, in the reference's order */
function check({ name, certname, version, given }: Given): { command: CommandName; version: number } {
  const invalid = (reason: string): QueryError => invalidCommand(name, certname, reason);
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

function notOldForm(name: string | undefined, certname: unknown, reason: string): QueryError {
  return invalidCommand(
    name,
    typeof certname === 'string' ? certname : undefined,
    `Command was submitted without query parameters (old format). ${reason}`,
  );
}

function invalidCommand(name: string | undefined, certname: string | undefined, reason: string): QueryError {
  const shown = (text: string | undefined): string => (text === undefined ? 'nil' : JSON.stringify(text));
  return new QueryError(`Command ${shown(name)} for certname ${shown(certname)} is invalid. ${reason}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
