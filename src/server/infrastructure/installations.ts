/** Decides what the class of compile servers does with a node. Without rights nothing is installed. */

import { join } from 'node:path';
import type { JsonObject } from '../../lib/json.ts';
import type { Route } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import {
  type CandidateServer,
  InfrastructureStore,
  type InstallationsTerminus,
} from '../../services/infrastructure/index.ts';
import { ProgramArchive, programPath, programRoutes } from '../../services/server-program/index.ts';
import type { Foundation } from '../foundation.ts';
import { agentsPort, type OpenPorts } from '../ports/open-ports.ts';
import { programSource } from '../worker-files.ts';
import { mayBecomeServer, type ServerGroups } from './infrastructure-identity.ts';
import { sharedSettings } from './shared-settings.ts';

export interface InstallationsOptions {
  readonly settings: Pick<
    Settings,
    | 'certname'
    | 'compileMasterPoolAddress'
    | 'compileServerRoles'
    | 'compileServers'
    | 'externalNodes'
    | 'level'
    | 'nodeTerminus'
    | 'trustedExternalCommand'
  >;
  /** Absent without a classifier. */
  readonly groups: Pick<ServerGroups, 'proves'> | undefined;
  /** Where the primary listens. */
  readonly port: () => number;
  readonly archive: Pick<ProgramArchive, 'describe'>;
  /** Whether a server has joined, or has said that it is there. */
  readonly isKnown: (certname: string) => Promise<boolean>;
  readonly log: Logger;
}

const withoutRights =
  'This node gets the class of compile servers from a group that it belongs to by its facts, which give no rights: nothing is ' +
  'installed. Pin the node to PE Master, or let the rule of the group ask for a trusted fact.';
const fromSources =
  'The primary runs from its sources and has no program to hand out: build it, or set manage_server to false.';
const failed = 'The primary could not make the archive of its program; its log says why.';

export class Installations implements InstallationsTerminus {
  private readonly options: InstallationsOptions;

  constructor(options: InstallationsOptions) {
    this.options = options;
  }

  async find(node: CandidateServer): Promise<JsonObject | undefined> {
    const { groups, isKnown, log, settings } = this.options;
    const { certname, isInstalled } = node;
    // The primary is in these groups too, but is not a compile server.
    if (certname === settings.certname) return undefined;
    if (!mayBecomeServer(settings, groups, node)) {
      log.warn({ certname }, 'facts of a node give it the class of compile servers: it gets no rights');
      return { ensure: 'absent', problem: withoutRights };
    }
    // People installed this server, and keep managing it.
    if (!isInstalled && (await isKnown(certname))) return undefined;
    return this.present();
  }

  private async present(): Promise<JsonObject> {
    const { archive, log, port, settings } = this.options;
    try {
      const program = await archive.describe();
      if (program === undefined) return { problem: fromSources };
      return {
        ensure: 'present',
        primary: `${settings.certname}:${port()}`,
        program_path: programPath(program.sha256),
        program_sha256: program.sha256,
        program_platform: program.platform,
        shared_settings: sharedSettings(settings),
      };
    } catch (err) {
      log.error({ err }, 'could not make the archive of the program');
      return { problem: failed };
    }
  }
}

export function openInstallations(
  { database, log: root, settings }: Foundation,
  groups: InstallationsOptions['groups'],
  ports: OpenPorts,
): { readonly installations: Installations; readonly routes: readonly Route[] } {
  const log = root.child({ service: 'infrastructure' });
  const directory = join(settings.stateDir, 'program');
  const archive = new ProgramArchive({ source: programSource(), directory, log });
  const store = new InfrastructureStore(database);
  const isKnown = async (certname: string) => {
    const servers = await store.servers();
    return servers.some((server) => server.certname === certname);
  };
  const port = () => ports.find(agentsPort) ?? settings.serverPort;
  const installations = new Installations({ settings, groups, port, archive, isKnown, log });
  return { installations, routes: programRoutes(archive) };
}
