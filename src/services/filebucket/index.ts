/** The file bucket: backups of what agents replace. */

export { type BucketOptions, type DigestAlgorithm, FileBucket } from './bucket.ts';
export { filebucketRoutes } from './routes.ts';
export type { EnvironmentTerminus } from './termini.ts';
