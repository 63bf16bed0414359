/** The file server: metadata and content of modules' files, plugins, tasks and custom mounts. */

export { type FileRequest, FileServer } from './file-server.ts';
export { fileserverRoutes } from './routes.ts';
export type { CodeTerminus, CodeVersion, OldCodeTerminus } from './termini.ts';
