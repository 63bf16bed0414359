/** What the console of the primary knows of the fleet: PuppetDB, and catalogs that it compiles itself. */

import { loadOidNames } from '../../platform/x509/index.ts';
import type { CertificateAuthority } from '../../services/ca/index.ts';
import type { CheckInStore, Classifier } from '../../services/classifier/index.ts';
import type { NodeTerminus } from '../../services/compiler/index.ts';
import type {
  CodeSource,
  ExplainSource,
  FleetSource,
  GroupCatalogsSource,
  NodeSource,
  WhySource,
} from '../../services/console/index.ts';
import type { FileSyncStorage } from '../../services/filesync/index.ts';
import type { Activity } from '../access/activity.ts';
import type { AgentServices } from '../agents/agent-services.ts';
import { certificateExtensions } from '../ca/certificate-extensions.ts';
import { compileForComparison } from '../compiler/compile-for-comparison.ts';
import { explainCompile } from '../compiler/explain-compile.ts';
import type { Foundation } from '../foundation.ts';
import { nodeTerminus } from '../nodes/node-termini.ts';
import { consoleExplain } from './console-explain.ts';
import { consoleFleet } from './console-fleet.ts';
import { consoleGroupCatalogs } from './console-group-catalogs.ts';
import { consoleNodes } from './console-nodes.ts';
import { consoleWhy } from './console-why.ts';
import type { PrimaryPuppetDb } from './primary-puppetdb.ts';

interface FleetParts {
  readonly activity: Activity;
  readonly classification:
    | { readonly checkIns: { readonly store: CheckInStore }; readonly classifier: Classifier }
    | undefined;
  readonly code: { readonly storage: FileSyncStorage };
  readonly foundation: Foundation;
  readonly agentServices: AgentServices;
  readonly authority: { readonly ca: CertificateAuthority };
  /** What `node_terminus = classifier` stands for. */
  readonly nodes: NodeTerminus | undefined;
  readonly puppetDb: PrimaryPuppetDb;
}

interface ConsoleData {
  readonly code: CodeSource;
  /** The following are absent without a PuppetDB. */
  readonly fleet: FleetSource | undefined;
  readonly nodes: NodeSource | undefined;
  readonly why: WhySource | undefined;
  readonly explain: ExplainSource | undefined;
  readonly groupCatalogs: GroupCatalogsSource | undefined;
}

export async function consoleData(parts: FleetParts): Promise<ConsoleData> {
  const { activity, agentServices, authority, foundation, nodes, puppetDb } = parts;
  const { storage } = parts.code;
  const code: CodeSource = {
    currentCommit: (environment) => storage.latestCommits()[environment],
    find: (...asked) => storage.files.find(...asked),
  };
  const { queryParts } = puppetDb;
  const { findFacts, puppetDb: terminus } = puppetDb.termini;
  if (terminus === undefined || queryParts === undefined)
    return {
      code,
      fleet: undefined,
      nodes: undefined,
      why: undefined,
      explain: undefined,
      groupCatalogs: undefined,
    };
  const { log, settings } = foundation;
  const termini = {
    pool: agentServices.pool,
    code: agentServices.code.forCompiler,
    nodes: nodeTerminus(foundation, nodes),
    findFacts,
    extensions: certificateExtensions(
      async (certname) => (await authority.ca.findCertificate(certname))?.content,
      await loadOidNames(settings.oidMappingFile, log),
    ),
    certname: settings.certname,
  };
  const fleet = consoleFleet(terminus, compileForComparison(termini), queryParts);
  const checkIns = parts.classification?.checkIns.store;
  return {
    code,
    fleet,
    explain: consoleExplain({
      puppetDb: terminus,
      explain: explainCompile(termini),
      classifier: parts.classification?.classifier,
    }),
    groupCatalogs:
      parts.classification && consoleGroupCatalogs(termini, parts.classification.classifier, terminus),
    why: consoleWhy({ fleet, storage, activity, checkIns }),
    nodes: consoleNodes(terminus, (listener) => puppetDb.onStored(listener)),
  };
}
