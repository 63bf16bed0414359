/** What PuppetDB is sent of facts, catalogs and reports: the same as its terminus for Puppet Server sends. */

export { catalogEnvelope } from './catalog-command.ts';
export { deactivateCommand } from './deactivate-command.ts';
export { factsCommand, storedFacts } from './facts-command.ts';
export { reportCommand } from './report-command.ts';
