/** Templates in ERB, rendered without Ruby as far as what they do is modelled. */

export type { Rendering } from './compiled-template.ts';
export type { ErbContext } from './erb-context.ts';
export { ErbTemplates } from './erb-templates.ts';
export { giveUp } from './signals.ts';
