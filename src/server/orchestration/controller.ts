/** The primary's end of all brokers: its own, and those of compile servers, which connect to the orchestrator's port. */

import type { Identity } from '../../platform/http/index.ts';
import { AgentController, BrokerEndpoint, type BrokerThread } from '../../services/broker/index.ts';
import type { Foundation } from '../foundation.ts';
import { orchestratorPort } from '../ports/port-numbers.ts';
import { LargeAnswers } from './large-answers.ts';

export interface Controller {
  /** Agents of all brokers. */
  readonly agents: AgentController;
  /** Takes brokers in that connect. */
  readonly endpoint: BrokerEndpoint;
  /** Reads large answers. */
  readonly answers: LargeAnswers;
  /** @param before - is called first */
  stop(before: (() => void) | undefined): Promise<void>;
}

/** What agents see in the sender's name where the orchestrator has no port: brokers of other servers can't reach it then. */
const knownPort = 8143;

export function openController(
  { log, settings }: Foundation,
  broker: BrokerThread | undefined,
  isInfrastructure: (identity: Identity) => boolean,
): Controller {
  const brokerLog = log.child({ service: 'broker' });
  const answers = new LargeAnswers();
  const agents = new AgentController({ log: brokerLog, now: () => new Date(), large: answers });
  const port = orchestratorPort(settings) || knownPort;
  const uriOf = (name: string): string => `pcp://${name}:${port}/server`;
  broker?.attach({
    uri: uriOf(settings.certname),
    // Brokers of compile servers know the primary by the name that they reach it by.
    aliases: settings.dnsAltNames.map(uriOf),
    connected: (send) => agents.addBroker({ uri: `pcp://${settings.certname}/server`, send }),
  });
  const maxMessageBytes = settings.pcpBrokerMaxMessageBytes;
  return {
    agents,
    answers,
    endpoint: new BrokerEndpoint({ controller: agents, isInfrastructure, maxMessageBytes, log: brokerLog }),
    async stop(before) {
      before?.();
      await answers.stop();
    },
  };
}
