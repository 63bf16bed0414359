/** `bunraku db import` */

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { askPuppetDb, puppetDbOptions, puppetDbUsage, textOf } from './connection.ts';

export const dbImportCommand: Command = {
  name: 'db import',
  summary: 'Load an archive of a PuppetDB',
  usage: `
Usage: bunraku db import FILE [OPTIONS] [--SETTING VALUE ...]

An archive of 'bunraku db export' or 'puppet db export'. Newer data stays. After an interruption it may be run again:
nothing is stored twice.

${puppetDbUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: puppetDbOptions, flags: [] });
    const [file, unexpected] = line.positional;
    if (file === undefined || unexpected !== undefined) throw new UsageError('name one file to read');
    await access(file);
    const boundary = randomUUID();
    const answer = await askPuppetDb(line, {
      method: 'POST',
      path: '/pdb/admin/v1/archive',
      // A form, as the reference wants it.
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Readable.from(form(file, boundary), { objectMode: false }),
      signal: io.signal,
    });
    await textOf(answer);
    return 0;
  },
};

async function* form(file: string, boundary: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="archive"; filename="archive.tgz"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  for await (const chunk of createReadStream(file)) yield chunk as Buffer;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}
