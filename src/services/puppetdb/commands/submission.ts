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
  const name = parameters.get('command') ?? '';
  const certname = parameters.get('certname') ?? undefined;
  const command = requireCommand(name, certname);
  if (certname === undefined) {
    throw new QueryError(
      `Command "${command}" for certname nil is invalid. Command is missing required parameters: certname.`,
    );
  }
  const version = Number(parameters.get('version') ?? Number.NaN);
  assertParameters(command, certname, parameters);
  if (!Number.isInteger(version)) {
    throw new QueryError(
      `Command "${command}" for certname "${certname}" is invalid. Version must be a valid integer.`,
    );
  }
  const time = parameters.get('producer-timestamp');
  const producerTimestamp = time === null ? undefined : readTimestamp(time);
  return { id, command, version, certname, producerTimestamp, payload: body };
}

/**
 * Reads the older form: `{"command":...,"version":...,"payload":...}`; the payload may be JSON within a string.
 *
 * @throws QueryError when it is not of that form
 */
export function readOldSubmission(body: Buffer, id: string): Submission {
  const value = parseObject(body.toString('utf8'));
  if (!['command', 'version', 'payload'].every((key) => Object.hasOwn(value, key))) throw notOldForm(value);
  const certnameOf = (payload: unknown): string | undefined => {
    if (typeof payload === 'string') return payload.replaceAll('"', '');
    if (!isObject(payload)) return undefined;
    const name = payload['certname'] ?? payload['name'];
    return typeof name === 'string' ? name : undefined;
  };
  const { payload } = value;
  const certname = certnameOf(payload);
  const command = requireCommand(String(value['command'] ?? ''), certname);
  if (certname === undefined) {
    throw new QueryError(
      `Command "${command}" for certname nil is invalid. Command is missing required parameters: certname.`,
    );
  }
  return {
    id,
    command,
    version: Number(value['version'] ?? supportedVersions[command].max),
    certname,
    producerTimestamp: undefined,
    payload: Buffer.from(JSON.stringify(payload)),
  };
}

function requireCommand(name: string, certname: string | undefined): CommandName {
  const command = readCommandName(name);
  if (command !== undefined) return command;
  const known = Object.keys(supportedVersions).join(', ');
  const whose = certname === undefined ? 'nil' : JSON.stringify(certname);
  throw new QueryError(
    `Command ${JSON.stringify(name)} for certname ${whose} is invalid. Command must be one of: ${known}.`,
  );
}

function parseObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return value;
  } catch {
    // Said below: whatever it is, it is no command.
  }
  throw notOldForm({});
}

function notOldForm(value: Readonly<Record<string, unknown>>): QueryError {
  const name = readCommandName(String(value['command'] ?? ''));
  return new QueryError(
    `Command ${name === undefined ? 'nil' : JSON.stringify(name)} for certname nil is invalid. ` +
      'Command was submitted without query parameters (old format). The request body must be a JSON map with ' +
      'required keys: command, version, payload.',
  );
}

const knownParameters = new Set([
  'command',
  'version',
  'certname',
  'checksum',
  'producer-timestamp',
  'secondsToWaitForCompletion',
]);

function assertParameters(command: string, certname: string, parameters: URLSearchParams): void {
  const unknown = [...parameters.keys()].filter((name) => !knownParameters.has(name));
  if (unknown.length === 0) return;
  throw new QueryError(
    `Command "${command}" for certname "${certname}" is invalid. Command has invalid parameters: ${unknown.join(', ')}.`,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
