/** How values travel: the formats of the Puppet API and how one is chosen. */

import { ServiceError } from '../../lib/service-error.ts';

/** Puppet's names for formats that a server of ours reads or writes. */
export type Format = 'json' | 'pson' | 'binary' | 'rich_data_json' | 's';

/** What a request or a reply names a format by. Names are compared as they are: parameters make them unknown. */
const mediaTypes: { readonly [F in Format]: string } = {
  json: 'application/json',
  pson: 'text/pson',
  binary: 'application/octet-stream',
  rich_data_json: 'application/vnd.puppet.rich+json',
  s: 'text/plain',
};

/** The header `Content-Type` of replies, as Puppet Server writes it for each. */
export const contentTypes: { readonly [F in Format]: string } = {
  json: 'application/json;charset=utf-8',
  pson: 'text/pson',
  binary: 'application/octet-stream',
  rich_data_json: 'application/vnd.puppet.rich+json; charset=utf-8',
  s: 'text/plain;charset=utf-8',
};

/**
 * The first format of the header that is supported; qualities are ignored, as the reference does.
 *
 * @param accept - the header `Accept`
 * @param supported - most preferred first, which is what the all-media range gives
 * @throws ServiceError `bad-request` without a header, `not-acceptable` when nothing fits
 */
export function acceptedFormat(accept: string | undefined, supported: readonly Format[]): Format {
  if (accept === undefined) {
    throw new ServiceError('bad-request', 'Missing required Accept header', { kind: 'MISSING_HEADER_FIELD' });
  }
  // No expression that begins with white space: one header of blanks would take half a minute.
  for (const item of accept.split(',')) {
    const name = item.trim().replace(/;q=.*$/, '');
    const format = name === '*/*' ? supported[0] : supported.find((known) => mediaTypes[known] === name);
    if (format !== undefined) return format;
  }
  throw new ServiceError('not-acceptable', `No supported formats are acceptable (Accept: ${accept})`, {
    kind: 'UNSUPPORTED_FORMAT',
  });
}

/**
 * The format of a request's body.
 *
 * @throws ServiceError `bad-request` without a header, `unsupported-media-type` when it is none of `supported`
 */
export function bodyFormat(contentType: string | undefined, supported: readonly Format[]): Format {
  if (contentType === undefined) {
    throw new ServiceError(
      'bad-request',
      "No Content-Type header was received, it isn't possible to unserialize the request",
      { kind: 'MISSING_HEADER_FIELD' },
    );
  }
  const [name = ''] = contentType.split(';', 1).map((text) => text.trimEnd());
  const format = supported.find((known) => mediaTypes[known] === name.toLowerCase());
  if (format !== undefined) return format;
  throw new ServiceError(
    'unsupported-media-type',
    `Client sent a mime-type (${name}) that doesn't correspond to a format we support`,
    { kind: 'UNSUPPORTED_MEDIA_TYPE' },
  );
}
