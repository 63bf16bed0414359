/** What is known of nodes besides their facts. */

export type { Classification } from './classification.ts';
export { ExecNodes, plainNodes } from './node-terminus.ts';
export { TrustedExternal } from './trusted-external.ts';
