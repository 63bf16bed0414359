/** Bodies of the CA's HTTP API. */

import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import { ServiceError } from '../../../lib/service-error.ts';

export interface DesiredStatus {
  readonly state: 'signed' | 'revoked';
  readonly ttlSeconds: number | undefined;
  /** Ours alone: what the person who signs allows for this request. */
  readonly allowSubjectAltNames: boolean;
  readonly allowAuthorizationExtensions: boolean;
  /** SHA-256 of the request that is meant, lower-case hexadecimal. Ours alone. */
  readonly fingerprint: string | undefined;
}

export const CertnamesWire = z.object({ certnames: z.array(z.string()) });

/** The body of PUT certificate_status. */
export const DesiredStatusWire = z.looseObject({
  desired_state: z.enum(['signed', 'revoked']),
  /** In seconds. The real command line sends a number in a string when the unit is left out. */
  cert_ttl: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,12}$/)
        .transform(Number),
    ])
    .nullish(),
  /** What is not a consent is none. */
  allow_subject_alt_names: z.boolean().optional().catch(undefined),
  allow_authorization_extensions: z.boolean().optional().catch(undefined),
  fingerprint: z
    .string()
    .regex(/^(?::*[\dA-Fa-f]){64}:*$/)
    .transform((text) => text.replaceAll(':', '').toLowerCase())
    .nullish(),
});

/** @throws ServiceError `bad-request` in the reference's words */
export function decodeDesiredStatus(body: Buffer, certname: string): DesiredStatus {
  if (body.length === 0) throw refused('Empty request body.');
  const json = parseJson(body);
  if (json === undefined) throw refused('Request body is not JSON.');
  const { data, error } = checkShape(DesiredStatusWire, json);
  if (data === undefined) throw refused(mistakeIn(json, String(error.issues[0]?.path[0]), certname));
  return {
    state: data.desired_state,
    ttlSeconds: data.cert_ttl ?? undefined,
    allowSubjectAltNames: data.allow_subject_alt_names === true,
    allowAuthorizationExtensions: data.allow_authorization_extensions === true,
    fingerprint: data.fingerprint ?? undefined,
  };
}

function mistakeIn(json: Readonly<Record<string, unknown>>, field: string, certname: string): string {
  const value = json[field];
  if (field === 'cert_ttl')
    return `cert_ttl specified for host ${certname} must be an integer, not "${shown(value)}"`;
  if (field === 'fingerprint')
    return `fingerprint must be a SHA-256 digest in hexadecimal, not "${shown(value)}"`;
  return typeof value === 'string'
    ? `State ${value} invalid; Must specify desired state of 'signed' or 'revoked' for host ${certname}.`
    : 'Missing required parameter "desired_state"';
}

/** Text as it is; a client's object may have a member `toString`. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The body of PUT clean. @throws ServiceError `bad-request` */
export function decodeClean(body: Buffer): readonly string[] {
  const json = parseJson(body);
  if (json === undefined) throw refused('Request body is not JSON.');
  if (json['async'] === true) throw refused('Async mode is not currently supported.');
  const { data } = checkShape(CertnamesWire, json);
  if (!data) {
    throw refused("Missing required key: 'certnames'. Please supply the list of certs you want to clean.");
  }
  return data.certnames;
}

/** The body of POST sign. `certnames` is undefined unless it is a list of strings. */
export function decodeCertnames(body: Buffer): {
  readonly certnames: readonly string[] | undefined;
  /** The parsed JSON; the body as text when it is not valid JSON. */
  readonly submitted: unknown;
} {
  const submitted = jsonOf(body) ?? body.toString('utf8');
  return { submitted, certnames: checkShape(CertnamesWire, submitted).data?.certnames };
}

function parseJson(body: Buffer): Record<string, unknown> | undefined {
  const value = jsonOf(body);
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    // Not JSON: the caller says so in its own words.
    return undefined;
  }
}

function refused(message: string): ServiceError {
  return new ServiceError('bad-request', message);
}
