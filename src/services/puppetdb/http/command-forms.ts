/** The two forms in which commands are sent. */

import type { ServiceError } from '../../../lib/service-error.ts';
import { checkCommand, invalidCommand, type SentCommand, type Submission } from '../commands/submission.ts';

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
  // The reference takes a version that is not there for one that is not a number.
  const { command, version } = checkCommand({
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
  const { command, version } = checkCommand({
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
