/** The compiler of a server: whom it asks, and what is counted of it. */

import type { Metrics } from '../../platform/metrics/index.ts';
import {
  CompileService,
  type CompileServiceOptions,
  type FactsTerminus,
  type NodeTerminus,
  StaticCatalogs,
  type TrustedExternalTerminus,
  type WorkerPool,
} from '../../services/compiler/index.ts';
import { decodeFactsField } from '../../services/facts/index.ts';
import type { FileServer } from '../../services/fileserver/index.ts';
import type { Code } from '../code/code.ts';
import type { Foundation } from '../foundation.ts';
import type { NodeData } from '../node-data/node-data.ts';
import { fileMetadata } from './file-metadata.ts';
import { serverFacts } from './server-facts.ts';

export interface CompileServiceParts {
  readonly code: Code;
  readonly pool: WorkerPool;
  readonly files: FileServer;
  readonly nodes: NodeTerminus;
  readonly trustedExternal: TrustedExternalTerminus;
  readonly findFacts: FactsTerminus['find'];
  readonly data: NodeData;
}

export function createCompileService(
  { log, metrics, settings }: Foundation,
  { code, data, files, findFacts, nodes, pool, trustedExternal }: CompileServiceParts,
): CompileService {
  const keepsCatalogs = settings.storeConfigs && settings.storeConfigsBackend === 'puppetdb';
  showWorkers(pool, metrics);
  return new CompileService({
    pool,
    code: code.forCompiler,
    nodes,
    staticCatalogs: new StaticCatalogs(fileMetadata(files)),
    trustedExternal,
    facts: {
      decode: decodeFactsField,
      find: findFacts,
      save: (facts, environment, trusted) =>
        data.facts.save({ producedAt: undefined, expiresAt: undefined, ...facts }, environment, trusted),
    },
    catalogs: keepsCatalogs ? data.catalogs : undefined,
    log: log.child({ service: 'compiler' }),
    serverFacts: serverFacts(settings.certname),
    defaultEnvironment: settings.environment,
    environmentPath: settings.environmentPath.join(':'),
    ...compileCounters(metrics),
  });
}

function showWorkers(pool: WorkerPool, metrics: Metrics): void {
  metrics.gauge(
    { name: 'bunraku_compile_queue', help: 'Catalog requests that wait for a worker.' },
    () => pool.queued,
  );
  metrics.gauge(
    { name: 'bunraku_ruby_processes', help: 'Ruby processes of compile workers.' },
    () => pool.rubies,
  );
  metrics.gauge({ name: 'bunraku_compile_workers_busy', help: 'Workers that compile.' }, () => pool.busy);
}

function compileCounters(metrics: Metrics): Pick<CompileServiceOptions, 'observe' | 'observeLayers'> {
  const compiles = metrics.histogram({
    name: 'bunraku_compile_duration_seconds',
    help: 'Time from the decoded request to the catalog, waiting for a worker included.',
    labels: ['outcome'],
  });
  const served = metrics.counter({
    name: 'bunraku_ruby_served_total',
    help: 'Functions, templates and resource types in Ruby that compiles used, by the layer that served them.',
    labels: ['layer', 'kind'],
  });
  const servedSeconds = metrics.counter({
    name: 'bunraku_ruby_served_seconds_total',
    help: 'Time that this took, by layer.',
    labels: ['layer', 'kind'],
  });
  return {
    observe: (outcome, durationMs) => compiles.observe({ outcome }, durationMs / 1000),
    observeLayers: (layers) => {
      for (const { count, layer, selfMs, served: kind } of layers) {
        served.inc({ layer, kind }, count);
        servedSeconds.inc({ layer, kind }, selfMs / 1000);
      }
    },
  };
}
