/** `npm run fleet -- [DIR]`: compiles the nodes of the recorded fleet and compares with what real Puppet gave. */

await import('../test/fleet/run-fleet.ts');
await import('../test/fleet/run-static.ts');

export {};
