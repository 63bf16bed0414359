export { CodeManager, type CodeManagerOptions } from './code-manager.ts';
export { ConfigurationError, readConfiguration } from './configuration/read-configuration.ts';
export { createEngine } from './engine.ts';
export type { CodeCheck, CodeStorage, ServingServer, StoredCommit } from './termini.ts';
