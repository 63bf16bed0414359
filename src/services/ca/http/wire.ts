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

const CertnamesWire = z.object({ certnames: z.array(z.string()) });

/**
 * The body of PUT certificate_status.
 *
 * @throws ServiceError `bad-request` in the reference's words
 */
export function decodeDesiredStatus(body: Buffer, certname: string): DesiredStatus {
  if (body.length === 0) throw refused('Empty request body.');
  const json = parseJson(body);
  const state = json?.['desired_state'];
  if (json === undefined) throw refused('Request body is not JSON.');
  if (typeof state !== 'string') throw refused('Missing required parameter "desired_state"');
  if (state !== 'signed' && state !== 'revoked') {
    throw refused(
      `State ${state} invalid; Must specify desired state of 'signed' or 'revoked' for host ${certname}.`,
    );
  }
  const ttl = json['cert_ttl'] ?? undefined;
  // The real command line sends a number in a string when the unit is left out.
  const ttlSeconds = typeof ttl === 'string' && /^\d{1,12}$/.test(ttl) ? Number(ttl) : ttl;
  if (ttlSeconds !== undefined && (typeof ttlSeconds !== 'number' || !Number.isSafeInteger(ttlSeconds))) {
    throw refused(`cert_ttl specified for host ${certname} must be an integer, not "${shown(ttl)}"`);
  }
  return {
    state,
    ttlSeconds,
    allowSubjectAltNames: json['allow_subject_alt_names'] === true,
    allowAuthorizationExtensions: json['allow_authorization_extensions'] === true,
    fingerprint: decodeFingerprint(json['fingerprint'] ?? undefined),
  };
}

function decodeFingerprint(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const digest = typeof value === 'string' ? value.replaceAll(':', '').toLowerCase() : '';
  if (/^[0-9a-f]{64}$/.test(digest)) return digest;
  throw refused(`fingerprint must be a SHA-256 digest in hexadecimal, not "${shown(value)}"`);
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

/** The body of POST sign, or `undefined` when it is not a list of names. */
export function decodeCertnames(body: Buffer): readonly string[] | undefined {
  return checkShape(CertnamesWire, parseJson(body)).data?.certnames;
}

function parseJson(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    // Not JSON: the caller says so in its own words.
    return undefined;
  }
}

function refused(message: string): ServiceError {
  return new ServiceError('bad-request', message);
}
