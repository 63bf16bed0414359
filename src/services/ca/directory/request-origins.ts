/**
 * Where the requests that wait came from, when, and why they were not signed: for the people who decide. Beside Puppet Server's
 * own files, in `bunraku.requests/`; what is lost of it is lost to no agent.
 */

import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../../platform/log/index.ts';
import { type CertificateRequest, encodeCertificateRequest } from '../../../platform/x509/index.ts';
import type { CaDirectory } from './ca-directory.ts';

export interface RequestOrigin {
  /** Absent where it came from a file. */
  readonly address: string | undefined;
  readonly receivedAt: Date;
  /** Why it waits, in the words of the log. */
  readonly reason: string;
}

/** Who asks. */
interface Sender {
  readonly certname: string;
  readonly request: CertificateRequest;
  readonly address: string | undefined;
}

const FileWire = z.object({
  request: z.string(),
  address: z.string().optional(),
  received: z.coerce.date(),
  reason: z.string(),
});

export class RequestOrigins {
  private readonly directory: CaDirectory;
  private readonly now: () => Date;
  private readonly log: Logger;

  constructor(directory: CaDirectory, now: () => Date, log: Logger) {
    this.directory = directory;
    this.now = now;
    this.log = log;
  }

  /** Of a request that has just been kept. */
  async note({ address, certname, request: sent }: Sender, reason: string): Promise<void> {
    const request = digestOf(encodeCertificateRequest(sent));
    const known = await this.read(certname);
    const before = known?.request === request ? known : undefined;
    const text = JSON.stringify({
      request,
      // The rules were evaluated again without a new request.
      address: address ?? before?.address,
      received: before?.received ?? this.now(),
      reason,
    });
    // Not synced: a request must not wait for it.
    await writeFile(this.file(certname), text, { mode: 0o600 }).catch((err: unknown) =>
      this.log.warn({ certname, err }, 'could not keep where a certificate request came from'),
    );
  }

  /** @returns `undefined` when unknown */
  async find(certname: string): Promise<RequestOrigin | undefined> {
    const waiting = await this.directory.find('requests', certname);
    const known = waiting && (await this.read(certname));
    if (waiting === undefined || known?.request !== digestOf(waiting.content)) return undefined;
    const { address, reason, received: receivedAt } = known;
    return { address, receivedAt, reason };
  }

  async forget(certname: string): Promise<void> {
    await rm(this.file(certname), { force: true }).catch((err: unknown) =>
      this.log.warn({ certname, err }, 'could not forget where a certificate request came from'),
    );
  }

  private async read(certname: string): Promise<z.infer<typeof FileWire> | undefined> {
    try {
      return FileWire.parse(JSON.parse(await readFile(this.file(certname), 'utf8')));
    } catch {
      // There is none, or it was half written when the server was killed.
      return undefined;
    }
  }

  private file(certname: string): string {
    return join(this.directory.requestOrigins, `${certname}.json`);
  }
}

function digestOf(pem: string): string {
  return createHash('sha256').update(pem).digest('hex');
}
