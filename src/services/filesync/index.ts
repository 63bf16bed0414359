export { FileSyncClient } from './client.ts';
export { type CodeVersion, CodeVersions, codeIdOf, commitOf } from './code-versions.ts';
export { fileSyncRoutes, forceSyncRoute } from './routes.ts';
export { localSource, remoteSource } from './sources.ts';
export { clientStatus, storageStatus } from './status.ts';
export { FileSyncStorage } from './storage.ts';
export type { CommitSource } from './termini.ts';
