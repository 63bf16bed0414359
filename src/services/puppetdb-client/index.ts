/** The PuppetDB that servers use when it is not in the same process. */

export { type CredentialFiles, FollowingClient } from './credential-files.ts';
export { decodeFactRows } from './fact-rows.ts';
export { PuppetDbClient } from './puppetdb-client.ts';
export { defaultPuppetDbConf, type PuppetDbConf, parsePuppetDbConf } from './puppetdb-conf.ts';
export { factsFailure, notExecuted, resourcesFailure, statusText, terminusPaths } from './terminus-words.ts';
