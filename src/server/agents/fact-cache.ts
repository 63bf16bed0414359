/** Facts as files, where `routes.yaml` asks for them: there before the classifier is asked, which may read them. */

import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { NodeTerminus } from '../../services/compiler/index.ts';
import { type CachedFacts, type FactSink, YamlFactCache } from '../../services/facts/index.ts';
import { loadRoutes } from './routes-file.ts';

export interface FactCache {
  around(nodes: NodeTerminus): NodeTerminus;
  /** For facts that are uploaded by themselves. */
  aroundSink(sink: FactSink): FactSink;
}

/** @throws ServiceError for a `routes.yaml` that the reference would not start with */
export function factCache(settings: Settings, log: Logger): FactCache {
  const { cachesFactsAsYaml } = loadRoutes(settings, log);
  if (!cachesFactsAsYaml) return { around: (nodes) => nodes, aroundSink: (sink) => sink };
  const cache = new YamlFactCache(settings.yamlDir);
  // The cache is for others: agents get their catalogs without it.
  const save = async (facts: CachedFacts): Promise<void> => {
    await cache.save(facts).catch((err: unknown) => {
      log.error(
        { err, certname: facts.certname, directory: settings.yamlDir },
        'could not write facts as YAML',
      );
    });
  };
  return {
    around: (nodes) => ({
      async find(request, signal) {
        if (request.facts !== undefined) await save(request.facts);
        return await nodes.find(request, signal);
      },
    }),
    aroundSink: (sink) => ({
      async save(facts, environment, trusted) {
        await save(facts);
        await sink.save(facts, environment, trusted);
      },
    }),
  };
}
