/** Front door of the files that compile servers need besides code. */

export { alertsOfPrimary, alertsOfServer, obstacleOf } from './alerts.ts';
export { FilesFollower } from './files-follower.ts';
export { pathsIn } from './hiera-paths.ts';
export { OfferedFiles, type WantedFiles } from './offered-files.ts';
export { isWithin } from './path-reader.ts';
export { ReceivedFiles } from './received-files.ts';
export { serverFilesRoute } from './routes.ts';
export type { WantedPath } from './termini.ts';
