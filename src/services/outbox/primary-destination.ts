/** The primary, over mutual TLS. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { type Destination, namedPayload } from './message.ts';

const compress = promisify(gzip);

/** Below it the network costs less than packing. */
const smallestPackedLength = 100_000;
const compression = { level: 1 } as const;
/** A primary that is busy with a large catalog is not away. */
const timeoutMs = 60_000;

/** @param primaryUrl - `https://primary.example.com:8140` */
export function primaryDestination(client: HttpClient, primaryUrl: string): Destination {
  return {
    async send(message, content, signal) {
      const { certname, command, producerTimestamp, version } = message;
      const search = new URLSearchParams({
        command,
        version: String(version),
        certname,
        'producer-timestamp': producerTimestamp,
      });
      const payload = namedPayload(message, content);
      const isPacked = payload.length >= smallestPackedLength;
      const { status, body } = await client.send({
        method: 'POST',
        url: `${primaryUrl}/outbox/v2/commands?${search}`,
        headers: {
          'content-type': 'application/json',
          ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        },
        body: isPacked ? await compress(payload, compression) : payload,
        signal,
        timeoutMs,
      });
      if (status === 204) return 'taken';
      if (status === 409) return 'content-wanted';
      if (status === 400) throw new ServiceError('bad-request', body.toString('utf8'));
      throw new ServiceError('unavailable', `The primary answered a delivery with status ${status}`);
    },
  };
}
