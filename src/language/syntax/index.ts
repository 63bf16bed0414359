/** The front door of the syntax: text in, validated trees out. */

export type * from './ast.ts';
export { type Diagnostic, type Position, PuppetError, renderPosition } from './diagnostic.ts';
export { Locator } from './locator.ts';
export { parseEpp, parseExpression, parseManifest } from './parse.ts';
