/** What the endpoints of the Puppet API have in common. */

export { acceptedFormat, bodyFormat, contentTypes, type Format } from './formats.ts';
export { indirected, RequestFailed } from './indirected.ts';
export { InternError, intern, internBytes } from './intern.ts';
export { legacyCaPaths } from './legacy-ca-paths.ts';
export { environmentParameter, requestKey, requireEnvironment, unknownEnvironment } from './parameters.ts';
