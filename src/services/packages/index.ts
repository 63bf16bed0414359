export { installationRoute } from './installation-route.ts';
export { renderOneLiner } from './one-liner.ts';
export { PackageRepository } from './package-repository.ts';
export {
  LocalPackages,
  MirroredPackages,
  type MirrorOptions,
  type PackageSource,
  readCaCertificates,
} from './package-source.ts';
export { gpgSigner } from './repository-signer.ts';
export { packageRoutes } from './routes.ts';
