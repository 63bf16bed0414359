/** What the threads that read are asked: queries, archives, statistics. */

import { randomBytes } from 'node:crypto';
import type { DirectDatabase } from '../../../platform/storage/index.ts';
import { archivePath, populationPath, statsPath } from '../admin/admin-paths.ts';
import { exportArchive } from '../admin/export-archive.ts';
import { readPopulation } from '../admin/population.ts';
import { summaryStats } from '../admin/summary-stats.ts';
import { Anonymizer } from '../anonymization/anonymizer.ts';
import { findProfile } from '../anonymization/profile.ts';
import { Replacements } from '../anonymization/replacements.ts';
import { answerQuery } from '../http/answer-query.ts';
import { puppetDbVersion } from '../http/meta-routes.ts';
import type { QueryCall, QueryReply } from '../http/query-call.ts';
import { jsonAnswer } from '../http/text-answer.ts';
import type { QueryService } from '../query/query-service.ts';

export async function answerCall(
  database: DirectDatabase,
  service: QueryService,
  call: QueryCall,
): Promise<QueryReply> {
  switch (call.path) {
    case archivePath: {
      const parameters = new URLSearchParams(call.search);
      const now = new Date(parameters.get('timestamp') ?? 0);
      const profile = findProfile(parameters.get('profile') ?? '');
      const anonymizer =
        profile && new Anonymizer(profile, new Replacements(randomBytes(32).toString('hex')));
      const body = exportArchive({
        database,
        service,
        now,
        ...(anonymizer === undefined ? {} : { anonymizer }),
      });
      return { status: 200, headers: {}, body };
    }
    case statsPath:
      return jsonAnswer(JSON.stringify(await summaryStats(database, puppetDbVersion)));
    case populationPath:
      return jsonAnswer(JSON.stringify(await readPopulation(database)));
    default:
      return await answerQuery(service, call);
  }
}
