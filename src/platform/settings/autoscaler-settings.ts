/** Settings of the autoscaler. A pure table; limits and target are set while it runs. */

import { setting } from './setting.ts';
import { duration, integer, list, oneOf, path, text } from './setting-types.ts';

const section = 'Autoscaler';

export const autoscalerSettings = {
  herdToleranceSeconds: setting({
    name: 'herd_tolerance',
    type: duration,
    default: '10m',
    doc: 'How long it may take to serve a peak of agents that come at the same time: the number of compile servers is planned for that.',
    section,
  }),
  autoscalerDriver: setting({
    name: 'autoscaler_driver',
    type: oneOf('static', 'local', 'exec', 'aws', 'kubernetes'),
    default: 'static',
    doc: 'What launches and ends compile servers: `static` is nothing, people follow the advice; `local` runs them as processes on the machine of the primary, to try it out; `exec` is a program of the site; `aws` is an Auto Scaling group, which counts by itself; `kubernetes` is a Deployment whose pods the Horizontal Pod Autoscaler counts. the primary only.',
    section,
  }),
  autoscalerLostTimeoutSeconds: setting({
    name: 'autoscaler_lost_timeout',
    type: duration,
    default: '0',
    doc: 'A compile server that has been silent for so long has left for good: its certificate is revoked. 0 for never. Drivers that list their instances need no such limit.',
    section,
  }),
  autoscalerExec: setting({
    name: 'autoscaler_exec',
    type: path,
    default: '',
    doc: 'The program of the driver `exec`. It reads a JSON object from standard input and writes one to standard output.',
    section,
  }),
  autoscalerGroup: setting({
    name: 'autoscaler_group',
    type: text,
    default: '',
    doc: 'The name of the Auto Scaling group, with the driver `aws`.',
    section,
  }),
  autoscalerPodSelector: setting({
    name: 'autoscaler_pod_selector',
    type: text,
    default: 'app.kubernetes.io/name=bunraku-compile-server',
    doc: 'The label of the pods that are compile servers, with the driver `kubernetes`.',
    section,
  }),
  autoscalerLaunchHook: setting({
    name: 'autoscaler_launch_hook',
    type: text,
    default: 'bunraku-launch',
    doc: 'The lifecycle hook in which an instance waits until its server serves.',
    section,
  }),
  autoscalerTerminateHook: setting({
    name: 'autoscaler_terminate_hook',
    type: text,
    default: 'bunraku-terminate',
    doc: 'The lifecycle hook in which an instance waits until its server has left.',
    section,
  }),
  autoscalerLocalPort: setting({
    name: 'autoscaler_local_port',
    type: integer(1, 65_000),
    default: '18200',
    doc: 'The first port of local compile servers. Each has three: for agents, for PXP agents and for health checks.',
    section,
  }),
  autoscalerLocalSettings: setting({
    name: 'autoscaler_local_settings',
    type: list,
    default: 'compile_workers=2',
    doc: 'Settings of local compile servers, as `NAME=VALUE,NAME=VALUE`.',
    section,
  }),
  autoscalerLocalGraceSeconds: setting({
    name: 'autoscaler_local_grace',
    type: duration,
    default: '60s',
    doc: 'How long local compile servers go on after the end of the primary. They stop when it has not come back by then.',
    section,
  }),
  autoscalerTimeLapse: setting({
    name: 'autoscaler_time_lapse',
    type: integer(1, 60),
    default: '1',
    doc: 'How many times faster the clock of the autoscaler goes: with 20, a server that is not wanted goes after 90 seconds instead of half an hour. For demonstrations and tests with local compile servers.',
    section,
  }),
} as const;
