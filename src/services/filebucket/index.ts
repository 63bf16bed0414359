/** The file bucket: backups of files that agents replace. */

export { FileBucket } from './bucket.ts';
export { filebucketRoutes } from './routes.ts';
