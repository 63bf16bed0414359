export { FileSyncClient } from './client.ts';
export { type CodeVersion, CodeVersions } from './code-versions.ts';
export { fileSyncRoutes } from './routes.ts';
export { localSource, remoteSource } from './sources.ts';
export { FileSyncStorage } from './storage.ts';
