/** The files that compile servers get from the primary, as both sides see them. */

import { existsSync } from 'node:fs';
import type { Settings } from '../../platform/settings/index.ts';
import type { OuterFiles } from '../../services/environments/index.ts';
import {
  alertsOfPrimary,
  alertsOfServer,
  FilesFollower,
  OfferedFiles,
  obstacleOf,
  ReceivedFiles,
  serverFilesRoute,
} from '../../services/server-files/index.ts';
import type { Code } from '../code/code.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import { periodically } from '../periodic.ts';
import type { Part } from '../roles/role.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { PrimaryLink } from './primary-link.ts';
import { wantedFiles } from './wanted-files.ts';

const serviceName = 'server-files-service';
const lookIntervalMs = 1000;
/** How long a server without files waits for them before it starts to do other things. */
const patienceMs = 3000;

/** The primary's. */
export function offerFiles(
  { log: root, settings }: Foundation,
  code: Pick<Code, 'live'>,
  infrastructure: Pick<Infrastructure, 'members'>,
): Part<OfferedFiles> {
  const log = root.child({ service: 'server-files' });
  const ownDirectories = directoriesOfEach(settings);
  const wanted = wantedFiles({ settings, ownDirectories, live: () => code.live() });
  const files = new OfferedFiles({ wanted, ownDirectories, log });
  const stopping = new AbortController();
  const look = periodically(() => files.look(), lookIntervalMs, log, 'read the files of compile servers');
  // A server that has not checked in yet compiles: only others say that they do not, and they say it first of all.
  const mayHaveFiles = (certname: string) => {
    const member = infrastructure.members().find((each) => each.certname === certname);
    return member === undefined || member.role === 'compile server';
  };
  return {
    value: files,
    routes: [serverFilesRoute({ files, mayHaveFiles, stopping: stopping.signal })],
    register: (status) =>
      status.register({
        names: [serviceName],
        version: announcedVersion(settings),
        read() {
          const { digest, payload } = files.current ?? {};
          const paths = payload?.files.map(({ path }) => path) ?? [];
          const alerts = alertsOfPrimary(payload?.problems ?? [], settings.certname);
          return { state: 'running', status: { digest: shortened(digest), files: paths }, alerts };
        },
      }),
    start: () => void look.run(),
    retire: () => stopping.abort(),
    stop: () => look.stop(),
  };
}

/** A compile server's. */
export interface MemberFiles {
  readonly outerFiles: { readonly current: () => OuterFiles; readonly locate: (path: string) => string };
  /** Why this server cannot serve; `undefined` when it has what it needs. */
  readonly obstacle: string | undefined;
  /** Says who reads files again when they have changed. */
  attach(code: Pick<Code, 'reload'>): void;
  /** Removes all of them: this server has left. */
  clear(): Promise<void>;
}

export async function receiveFiles(
  { log: root, settings }: Foundation,
  { client, primaryUrl }: PrimaryLink,
  privateKeyFile: string,
): Promise<Part<MemberFiles>> {
  const received = new ReceivedFiles(settings.stateDir);
  const log = root.child({ service: 'server-files' });
  const primary = new URL(primaryUrl).hostname;
  let code: Pick<Code, 'reload'> | undefined;
  const onChange = async () => await code?.reload();
  const follower = new FilesFollower({ client, primaryUrl, privateKeyFile, received, onChange, log });
  await received.restore();
  const obstacle = () =>
    follower.isInformed ? obstacleOf(received.current, primary) : 'files from the primary';
  return {
    value: {
      outerFiles: { current: () => outerFiles(received, settings), locate: received.locate },
      get obstacle() {
        return obstacle();
      },
      attach(reader) {
        code = reader;
      },
      async clear() {
        await follower.stop();
        await received.clear();
      },
    },
    register: (status) =>
      status.register({
        names: [serviceName],
        version: announcedVersion(settings),
        read() {
          const { count, digest, generation: _, mappings: __, ...rest } = received.current;
          return {
            state: obstacle() === undefined ? 'running' : 'starting',
            status: {
              digest: shortened(digest),
              files: count,
              missing: rest.missing.map(({ path }) => path),
            },
            alerts: alertsOfServer(received.current, { certname: settings.certname, primary }),
          };
        },
      }),
    async start() {
      follower.start();
      if (received.current.digest === undefined) await follower.firstAnswer(patienceMs);
    },
    stop: () => follower.stop(),
  };
}

/** The global `hiera.yaml` of this server itself counts where it has one. */
function outerFiles({ current }: ReceivedFiles, { hieraConfig: own }: Settings): OuterFiles {
  const { generation, hieraConfig, mappings } = current;
  return { generation, mappings, ...(existsSync(own) ? {} : { hieraConfig }) };
}

/** Certificates, keys and state are never the same on two servers. */
function directoriesOfEach({ caDir, privateKeyDir, sslDir, stateDir }: Settings): readonly string[] {
  return [caDir, sslDir, privateKeyDir, stateDir];
}

function shortened(digest: string | undefined): string | null {
  return digest?.slice(0, 12) ?? null;
}
