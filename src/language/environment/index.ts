/** Environments: modules, autoloading and what an environment is configured to be. */

export { type Found, nodeNameOfExpression } from './definition-table.ts';
export { type AttachmentKey, Environment } from './environment.ts';
export {
  type EnvironmentConf,
  type EnvironmentDefaults,
  environmentPaths,
  environmentTimeoutSeconds,
  parseEnvironmentConf,
} from './environment-conf.ts';
export {
  type DisableableWarning,
  defaultLanguageSettings,
  type EnvironmentConfig,
  type LanguageSettings,
  type VisibleSettings,
} from './environment-settings.ts';
export type { FileTree, FileTreeEntry } from './file-tree.ts';
export type { RubyFunctionFile } from './function-files.ts';
export { globFiles } from './glob.ts';
export { directoryOf, expandPath, joinPath, plusPath } from './logical-path.ts';
export { MemoryFileTree } from './memory-file-tree.ts';
export { isUsableModule, type Module } from './module.ts';
export { ParseCache } from './parse-cache.ts';
export { originOf, redefinedEntity } from './redefined-entity.ts';
export type { ResourceTypeSource } from './resource-type-source.ts';
