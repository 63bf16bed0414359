/** Code in Ruby, run without Ruby as far as all that it does is modelled: templates, functions, resource types, Puppetfiles. */

export { creationBy } from './creation.ts';
export { DeferredEffects, type Effects } from './effects.ts';
export type { ErbContext, RevocableCall } from './erb-context.ts';
export type { InterpretedFunction } from './functions/interpreted-function.ts';
export { InterpretedFunctions } from './functions/interpreted-functions.ts';
export { hasReference, withResources } from './functions/references.ts';
export { handedOver } from './methods/index.ts';
export type { Profile, SelfFunction } from './profiles/profile.ts';
export { runProgram } from './program.ts';
export type { PuppetAccess, PuppetLogLevel } from './puppet-access.ts';
export type { Libraries } from './resource-types/library-files.ts';
export { ResourceTypeReader } from './resource-types/resource-type-reader.ts';
export type { FunctionPlace } from './run.ts';
export { GiveUp, giveUp, raise } from './signals.ts';
export type { Rendering } from './templates/compiled-template.ts';
export { ErbTemplates } from './templates/erb-templates.ts';
export { CALLING_SCOPE, RubyEnvironment, RubySymbol, UNUSABLE } from './values/ruby-values.ts';
