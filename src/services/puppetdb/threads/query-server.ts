/** A thread that reads: answers queries, in parts as fast as they are read. */

import { randomBytes } from 'node:crypto';
import type { DirectDatabase } from '../../../platform/storage/index.ts';
import { PartStream } from '../../../platform/threads/index.ts';
import { exportArchive } from '../admin/export-archive.ts';
import { readPopulation } from '../admin/population.ts';
import { summaryStats } from '../admin/summary-stats.ts';
import { Anonymizer } from '../anonymization/anonymizer.ts';
import { findProfile } from '../anonymization/profile.ts';
import { Replacements } from '../anonymization/replacements.ts';
import { answerQuery } from '../http/answer-query.ts';
import { puppetDbVersion } from '../http/meta-routes.ts';
import type { QueryCall } from '../http/query-call.ts';
import type { Query } from '../query/query.ts';
import { QueryService } from '../query/query-service.ts';
import { answerRows } from './answer-rows.ts';
import type { ReadRequest, ReplyHead } from './protocol.ts';

export function createQueryServer(database: DirectDatabase): (request: ReadRequest) => Promise<unknown> {
  const service = new QueryService(database);
  return async (request) => {
    switch (request.kind) {
      case 'query':
        return await answer(request.query);
      case 'http-query':
        return await answerHttp(request.call);
      case 'archive':
        return new PartStream(undefined, readArchive(request.profile, new Date(request.nowMs)));
      case 'stats':
        return await summaryStats(database, puppetDbVersion);
      case 'population':
        return await readPopulation(database);
      default:
        return request satisfies never;
    }
  };

  async function answer(query: Query): Promise<string | PartStream> {
    const rows = await answerRows(service, query);
    return typeof rows === 'string' ? rows : new PartStream(undefined, rows);
  }

  async function answerHttp(call: QueryCall): Promise<unknown> {
    const { body, ...head } = await answerQuery(service, call);
    return typeof body === 'string' ? { ...head, body } : new PartStream(head satisfies ReplyHead, body);
  }

  function readArchive(name: string, now: Date): AsyncIterable<Uint8Array> {
    const profile = findProfile(name);
    const anonymizer = profile && new Anonymizer(profile, new Replacements(randomBytes(32).toString('hex')));
    return exportArchive({ database, service, now, ...(anonymizer === undefined ? {} : { anonymizer }) });
  }
}
