/** The file server: metadata and content of modules' files, plugins, tasks and custom mounts. */

export { FileServer, type FileServerOptions } from './file-server.ts';
export type { ServerOwner } from './metadata.ts';
export { fileserverRoutes } from './routes.ts';
export type { CodeTerminus, CodeVersion, ServedModule } from './termini.ts';
