/** `bunraku db export` */

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';
import { askPuppetDb, puppetDbOptions, puppetDbUsage } from './connection.ts';

export const dbExportCommand: Command = {
  name: 'db export',
  summary: 'Write what PuppetDB knows of active nodes to an archive',
  usage: `
Usage: bunraku db export FILE [--anonymization PROFILE] [OPTIONS] [--SETTING VALUE ...]

Catalogs, facts, reports, inputs of catalogs and expirations of active nodes, in the form that 'puppet db import' reads: a
tar file, gzipped. FILE appears when it is whole.

  --anonymization PROFILE
                 What is replaced by random values, equal values by equal ones: full, everything; moderate, all but
                 names of well-known types and facts; low, names of nodes, values of parameters and texts of logs; none
                 (default)

${puppetDbUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...puppetDbOptions, '--anonymization'], flags: [] });
    const [file, unexpected] = line.positional;
    if (file === undefined || unexpected !== undefined) throw new UsageError('name one file to write');
    const profile = lastOf(line, '--anonymization');
    const query = profile === undefined ? '' : `?${new URLSearchParams({ anonymization_profile: profile })}`;
    const path = `/pdb/admin/v1/archive${query}`;
    const archive = await askPuppetDb(line, { method: 'GET', path, signal: io.signal });
    const unfinished = `${file}.part`;
    try {
      await pipeline(archive, createWriteStream(unfinished, { mode: 0o600 }));
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return 0;
  },
};
