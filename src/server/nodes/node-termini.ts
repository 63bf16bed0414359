/** Who knows more of nodes than they say themselves, as the settings have it. */

import { ServiceError } from '../../lib/service-error.ts';
import type { ProcessLauncher } from '../../platform/processes/index.ts';
import { processEnvironment, type Settings } from '../../platform/settings/index.ts';
import type { NodeTerminus, TrustedExternalTerminus } from '../../services/compiler/index.ts';
import { ExecNodes, plainNodes, TrustedExternal } from '../../services/nodes/index.ts';

interface NodeFoundation {
  readonly processes: Pick<ProcessLauncher, 'start'>;
  readonly settings: Settings;
}

/** How long a program of the site may take over one node. */
const programTimeoutMs = 60_000;

/**
 * @param classifier - what `node_terminus = classifier` stands for
 * @param locate - where programs of the site are that lie elsewhere on this server
 * @throws ServiceError `conflict` when `node_terminus` names something else: to serve nodes without their classification would take from
 * them what the classifier gave
 */
export function nodeTerminus(
  { processes, settings: { externalNodes, nodeTerminus: name } }: NodeFoundation,
  classifier: NodeTerminus | undefined,
  locate?: Locate,
): NodeTerminus {
  if (name === 'plain') return plainNodes;
  if (name === 'exec') return new ExecNodes(externalNodes, programOptions(processes, locate));
  if (name === 'classifier' && classifier !== undefined) return classifier;
  throw new ServiceError(
    'conflict',
    `The setting node_terminus is '${name}'; known are 'plain', 'exec' and 'classifier'`,
  );
}

export function trustedExternalTerminus(
  { processes, settings }: NodeFoundation,
  locate?: Locate,
): TrustedExternalTerminus {
  return new TrustedExternal(settings.trustedExternalCommand, programOptions(processes, locate));
}

type Locate = (path: string) => string;

function programOptions({ start }: Pick<ProcessLauncher, 'start'>, locate: Locate | undefined) {
  const usual = { start, timeoutMs: programTimeoutMs, environment: processEnvironment() };
  return locate === undefined ? usual : { ...usual, locate };
}
