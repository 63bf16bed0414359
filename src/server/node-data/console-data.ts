/** What the console of the primary knows of the fleet: PuppetDB, and catalogs that it compiles itself. */

import { loadOidNames } from '../../platform/x509/index.ts';
import type { CertificateAuthority } from '../../services/ca/index.ts';
import type { NodeTerminus } from '../../services/compiler/index.ts';
import type { FleetSource, NodeSource } from '../../services/console/index.ts';
import type { AgentServices } from '../agents/agent-services.ts';
import { certificateExtensions } from '../ca/certificate-extensions.ts';
import { compileForComparison } from '../compiler/compile-for-comparison.ts';
import type { Foundation } from '../foundation.ts';
import { nodeTerminus } from '../nodes/node-termini.ts';
import { consoleFleet } from './console-fleet.ts';
import { consoleNodes } from './console-nodes.ts';
import type { PrimaryPuppetDb } from './primary-puppetdb.ts';

interface FleetParts {
  readonly foundation: Foundation;
  readonly agentServices: AgentServices;
  readonly authority: { readonly ca: CertificateAuthority };
  /** What `node_terminus = classifier` stands for. */
  readonly nodes: NodeTerminus | undefined;
  readonly puppetDb: PrimaryPuppetDb;
}

interface ConsoleData {
  /** Both are absent without a PuppetDB. */
  readonly fleet: FleetSource | undefined;
  readonly nodes: NodeSource | undefined;
}

export async function consoleData(parts: FleetParts): Promise<ConsoleData> {
  const { agentServices, authority, foundation, nodes, puppetDb } = parts;
  const { findFacts, puppetDb: terminus } = puppetDb.termini;
  if (terminus === undefined) return { fleet: undefined, nodes: undefined };
  const { log, settings } = foundation;
  const compile = compileForComparison({
    pool: agentServices.pool,
    code: agentServices.code.forCompiler,
    nodes: nodeTerminus(foundation, nodes),
    findFacts,
    extensions: certificateExtensions(
      async (certname) => (await authority.ca.findCertificate(certname))?.content,
      await loadOidNames(settings.oidMappingFile, log),
    ),
    certname: settings.certname,
  });
  return {
    fleet: consoleFleet(terminus, compile),
    nodes: consoleNodes(terminus, (listener) => puppetDb.onStored(listener)),
  };
}
