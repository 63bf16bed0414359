export { checkSyntax } from './check/check-syntax.ts';
export { CodeManager } from './code-manager.ts';
export { readConfiguration } from './configuration/read-configuration.ts';
export { workingDirectory } from './deploy/working-directory.ts';
export { createEngine, type Engine } from './engine.ts';
export { CodeAccess } from './http/access.ts';
export { codeManagerRoutes } from './http/routes.ts';
export { TokenFile } from './http/token-file.ts';
export type { CodeCheck, CodeCheckRequest, CodeStorage, ServingServer, StoredCommit } from './termini.ts';
