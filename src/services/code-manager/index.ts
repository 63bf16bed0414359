export { checkSyntax } from './check/check-syntax.ts';
export { CodeManager } from './code-manager.ts';
export { readConfiguration } from './configuration/read-configuration.ts';
export { workingDirectory } from './deploy/working-directory.ts';
export { createEngine, type Engine } from './engine.ts';
export { codeManagerRoutes } from './http/routes.ts';
export type {
  CodeCheck,
  CodeCheckRequest,
  CodeStorage,
  EnvironmentUse,
  ServingServer,
  StoredCommit,
} from './termini.ts';
