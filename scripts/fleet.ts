/** `npm run fleet -- [DIR]`: compiles the nodes of the recorded fleet and compares with what real Puppet gave. */

await import('../test/fleet/run-fleet.ts');
// Static catalogs were recorded with Puppet 7 alone.
const level = process.argv.indexOf('--level');
if (level === -1 || process.argv[level + 1] === '7') await import('../test/fleet/run-static.ts');

export {};
