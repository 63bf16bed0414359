/** Who knows more of nodes than they say themselves, as the settings have it. */

import { processEnvironment, type Settings } from '../../platform/settings/index.ts';
import type { NodeTerminus, TrustedExternalTerminus } from '../../services/compiler/index.ts';
import { ExecNodes, plainNodes, TrustedExternal } from '../../services/nodes/index.ts';

/** How long a program of the site may take over one node. */
const programTimeoutMs = 60_000;

/**
 * @param classifier - what `node_terminus = classifier` stands for
 * @throws Error when `node_terminus` names something else: to serve nodes without their classification would take from
 * them what the classifier gave
 */
export function nodeTerminus(
  { externalNodes, nodeTerminus: name }: Settings,
  classifier: NodeTerminus | undefined,
): NodeTerminus {
  if (name === 'plain') return plainNodes;
  if (name === 'exec') return new ExecNodes(externalNodes, programOptions());
  if (name === 'classifier' && classifier !== undefined) return classifier;
  throw new Error(`The setting node_terminus is '${name}'; known are 'plain', 'exec' and 'classifier'`);
}

export function trustedExternalTerminus({ trustedExternalCommand }: Settings): TrustedExternalTerminus {
  return new TrustedExternal(trustedExternalCommand, programOptions());
}

function programOptions() {
  return { timeoutMs: programTimeoutMs, environment: processEnvironment() };
}
