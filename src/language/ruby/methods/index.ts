/** Methods of Ruby's classes, by name. */

export { callMethod, invoke, methodsNamed } from './call-method.ts';
export { formatTemplate } from './format-text.ts';
export { callLegacy, callNamed, handedOver, isScopeMethod } from './scope-methods.ts';
export { generateJson, generatePrettyJson } from './to-json.ts';
