/**
 * The compiler service. Nothing here may load the language: that is for the workers, and the main thread starts faster
 * and stays smaller without it.
 */

export { CompileService, type CompileServiceOptions } from './compile-service.ts';
export type { LayerTally } from './layer-times.ts';
export { type Compiled, WorkerPool } from './pool/index.ts';
export { compilerRoutes } from './routes.ts';
export { StaticCatalogs } from './static-catalog.ts';
export type {
  AcquiredCode,
  CatalogTerminus,
  CodeTerminus,
  FactsTerminus,
  FileMetadataRequest,
  FileMetadataTerminus,
  Node,
  NodeRequest,
  NodeTerminus,
  PuppetDbTerminus,
  TrustedExternalTerminus,
} from './termini.ts';
export { versionFacts } from './version-facts.ts';
export type {
  Answer,
  CatalogFormat,
  CompileJob,
  CompileLogLine,
  EnvironmentSource,
  Question,
} from './worker-protocol.ts';
