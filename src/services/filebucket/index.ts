/** The file bucket: backups of what agents replace. */

export { FileBucket } from './bucket.ts';
export { filebucketRoutes } from './routes.ts';
