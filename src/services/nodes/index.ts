/** What is known of nodes besides their facts. */

export { ExecNodes, plainNodes } from './node-terminus.ts';
export { RememberedNodes, rememberedNodeMigrations } from './remembered-nodes.ts';
export { TrustedExternal } from './trusted-external.ts';
