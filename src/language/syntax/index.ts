/** The front door of the syntax: text in, validated trees out. */

export { aAn, aAnUpper, article } from './article.ts';
export type * from './ast.ts';
export { visitChildren } from './children.ts';
export { type Diagnostic, type Position, PuppetError, renderPosition } from './diagnostic.ts';
export { dump } from './dump.ts';
export { label } from './label.ts';
export { Locator } from './locator.ts';
export { notationData, parseNotation, renderNotation } from './notation.ts';
export { parseEpp, parseExpression, parseManifest } from './parse/parse.ts';
export { parseAndValidate, parseAndValidateEpp, parseAndValidatePlan } from './parse-and-validate.ts';
export { regexpMistake, showRegexp } from './regexp/regexp-syntax.ts';
export { type FileNamespace, namespaceOfFile } from './validate/file-namespace.ts';
export { assertValid, type ValidationOptions, validate } from './validate/validate.ts';
export { writtenText } from './written-text.ts';
