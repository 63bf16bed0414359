/** Templates in ERB and functions of modules, run without Ruby as far as what they do is modelled. */

export { creationBy } from './creation.ts';
export { DeferredEffects, type Effects } from './effects.ts';
export type { ErbContext, RevocableCall } from './erb-context.ts';
export type { InterpretedFunction } from './functions/interpreted-function.ts';
export { InterpretedFunctions } from './functions/interpreted-functions.ts';
export { hasReference, withResources } from './functions/references.ts';
export { handedOver } from './methods/index.ts';
export type { PuppetAccess, PuppetLogLevel } from './puppet-access.ts';
export type { FunctionPlace } from './run.ts';
export { GiveUp, giveUp } from './signals.ts';
export type { Rendering } from './templates/compiled-template.ts';
export { ErbTemplates } from './templates/erb-templates.ts';
export { CALLING_SCOPE, RubySymbol, UNUSABLE } from './values/ruby-values.ts';
