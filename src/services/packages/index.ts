export { renderOneLiner } from './one-liner.ts';
export { PackageRepository } from './package-repository.ts';
export { LocalPackages, MirroredPackages, type PackageSource, readCaCertificates } from './package-source.ts';
export { packageRoutes } from './routes.ts';
