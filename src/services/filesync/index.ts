export { type ClientOptions, FileSyncClient } from './client.ts';
export { type CodeVersion, CodeVersions, codeIdOf, commitOf } from './code-versions.ts';
export { fileSyncRoutes } from './routes.ts';
export { localSource, type RemoteSourceOptions, remoteSource } from './sources.ts';
export { type Commits, FileSyncStorage, type StorageOptions } from './storage.ts';
