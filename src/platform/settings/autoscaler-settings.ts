/** Settings of the autoscaler. A pure table; limits and target are set while it runs. */

import { setting } from './setting.ts';
import { duration } from './setting-types.ts';

export const autoscalerSettings = {
  herdToleranceSeconds: setting({
    name: 'herd_tolerance',
    type: duration,
    default: '10m',
    doc: 'How long it may take to serve a crowd of agents that come at the same time: the number of compile servers is planned for that.',
    section: 'Autoscaler',
  }),
} as const;
