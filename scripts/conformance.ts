/** `npm run conformance -- [DIR...]`: compiles the recorded snippets and compares with what real Puppet gave. */

await import('../test/conformance/run-conformance.ts');

export {};
