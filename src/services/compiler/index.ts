export { CompileService, type CompileServiceOptions } from './compile-service.ts';
export { DiskFileTree } from './disk-file-tree.ts';
export { hostTermini } from './host-termini.ts';
export { renderedCatalog } from './rendered-catalog.ts';
export { compilerRoutes } from './routes.ts';
export type { AcquiredCode, CodeTerminus, FactsTerminus, Node, NodeFacts, NodeTerminus } from './termini.ts';
export { type PoolOptions, WorkerPool } from './worker-pool.ts';
export type { CatalogFormat, EnvironmentSource } from './worker-protocol.ts';
