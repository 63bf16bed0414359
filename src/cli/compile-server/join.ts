/** `bunraku compile-server join` */

import { readFile } from 'node:fs/promises';
import { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { createLogger } from '../../platform/log/index.ts';
import { type Settings, takeVariable } from '../../platform/settings/index.ts';
import type { SslFiles } from '../../platform/x509/index.ts';
import { untilCalled } from '../../server/autoscaler/own-instance.ts';
import { keyForAgents } from '../../server/ca/member-certificate.ts';
import { proofMakerFor, provenCertname, proveWith } from '../../server/ca/own-identity.ts';
import { startCompileServer } from '../../server/roles/compile-server.ts';
import type { ProofMaker } from '../../services/identity/index.ts';
import {
  decodeJoinToken,
  findPrimary,
  findSharedSettings,
  joinSecret,
  protocol,
  protocolHeader,
} from '../../services/infrastructure/index.ts';
import { obtainNodeCertificate } from '../../services/node-certificate/index.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { readExtensions } from '../language/trusted-extensions.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { primaryUrl } from '../primary-connection.ts';
import { serve } from '../serve.ts';
import { boundIo } from './bound-io.ts';
import { type JoinedSettings, writeJoinedConfig } from './joined-config.ts';
import { hasCompileServerUnit, startCompileServerUnit } from './unit.ts';

export const compileServerJoinCommand: Command = {
  name: 'compile-server join',
  summary: 'Make a compile server of this machine',
  usage: `
Usage: bunraku compile-server join https://PRIMARY[:8140] [--token TOKEN] [--run] [--SETTING VALUE ...]

Gets a certificate for a compile server, writes the configuration, and starts the server. PRIMARY may also be a
compile server or a load balancer: they pass requests on, and name the primary. A token ('bunraku infrastructure token' on
the primary makes one) makes a signature unnecessary. Without one it prints the fingerprint of its request
and waits until the primary's signing policy or a person signs:

  bunraku ca sign --certname NAME --allow-dns-alt-names --allow-authorization-extensions

It may be interrupted and repeated at any point, also on a machine that has joined or left before.

  --token TOKEN            Gets the certificate signed at once, and says which CA to trust; the environment variable
                           BUNRAKU_JOIN_TOKEN does the same, without showing it to other users of the machine
  --identity PROVIDER      Gets the certificate signed at once by a proof of which machine this is, instead of a token: aws (the
                           role of the instance), aws-document, kubernetes (docs/membership.md). The certname is then
                           the instance ID or the name of the pod, with the domain of this host
  --ca-fingerprint SHA256  Trust only the CA with this fingerprint; needed without a token
  --dns-alt-names NAMES    Names by which agents reach it (default: puppet)
  --extension NAME=VALUE   Further extensions in the request, pp_role=... for instance; may be repeated
  --run                    Go on as the server, instead of leaving that to systemd
  --no-start               Only get the certificate and write the configuration
  --data DIR, --certname NAME, --serverport PORT, ...: all settings of 'bunraku compile-server'
`,
  async run(args, given) {
    const io = boundIo(given);
    const options = { withValue: ['--token', '--extension'], flags: ['--run', '--no-start'] };
    const line = readCommandLine(args, options);
    const [primary] = line.positional;
    if (primary === undefined || line.positional.length > 1)
      throw new UsageError('name the primary: bunraku compile-server join https://PRIMARY:8140');
    await join(line, primary, io);
    if (line.flags.has('--no-start')) return 0;
    return start(line, primary, args, io);
  },
};

interface Trust {
  readonly fingerprint: string;
  readonly secret: string | undefined;
}

async function join(line: CommandLine, primary: string, io: CommandIo): Promise<void> {
  const { fingerprint, secret } = trustOf(line);
  const maker = proofMakerFor(line.settings);
  const settings = await namedSettings(line, maker, io.signal);
  const url = primaryUrl({ ...settings, primary });
  const altNames = settings.dnsAltNames.length === 0 ? ['puppet'] : settings.dnsAltNames;
  const log = createLogger({ level: settings.logLevel, format: 'text', hasColours: io.isTerminal });
  const waiting = {
    log: log.child({ service: 'certificate' }),
    pauseMs: settings.waitForCertSeconds * 1000,
    signal: io.signal,
  };
  await untilCalled(settings, log, io.signal);
  const files = await obtainNodeCertificate({
    sslDir: settings.sslDir,
    certname: settings.certname,
    altNames: [settings.certname, ...altNames].join(','),
    extensions: {
      pp_auth_role: 'pe_compiler',
      pp_role: 'compile_server',
      ...readExtensions(line.values.get('--extension') ?? []),
    },
    // Signed at once, it is no key that an agent has to ask with.
    key: secret === undefined && maker === undefined ? keyForAgents : { kind: 'ec', curve: 'P-256' },
    replacesRevoked: true,
    primaryUrl: url,
    caFingerprint: fingerprint,
    ...(secret === undefined
      ? proofOf(maker, { certname: settings.certname, ...waiting, url })
      : { challengePassword: secret }),
    pollIntervalMs: waiting.pauseMs,
    log: waiting.log,
    signal: io.signal,
  });
  const { found, shared } = await primaryFor(files, url);
  const joined = { primary: found.replace('https://', ''), altNames, fingerprint, shared };
  await configure({ ...line, settings }, joined, log);
  io.stdout(`${settings.certname} has joined ${found}\n`);
}

/** Where a platform vouches for this machine, it also names it. */
async function namedSettings(
  { given, settings }: CommandLine,
  maker: ProofMaker | undefined,
  signal: AbortSignal,
): Promise<Settings> {
  if (maker === undefined || given.has('certname')) return settings;
  return { ...settings, certname: await provenCertname(maker, signal) };
}

function proofOf(maker: ProofMaker | undefined, order: Parameters<typeof proveWith>[1]) {
  return maker === undefined ? {} : { prove: proveWith(maker, order) };
}

interface FoundPrimary {
  /** Its URL. */
  readonly found: string;
  /** Settings that are the same on every server of the installation. */
  readonly shared: JoinedSettings;
}

/** What was named may be a compile server, or a load balancer. */
async function primaryFor({ ca, certificate, privateKey }: SslFiles, url: string): Promise<FoundPrimary> {
  const [authority, own, key] = await Promise.all(
    [ca, certificate, privateKey].map((path) => readFile(path, 'utf8')),
  );
  const credentials = { ca: authority ?? '', certificate: own ?? '', privateKey: key ?? '' };
  const client = new HttpClient(credentials, { [protocolHeader]: protocol });
  try {
    const found = await findPrimary(client, url);
    return { found, shared: await findSharedSettings(client, found) };
  } finally {
    client.close();
  }
}

/** Without a fingerprint anybody in between could be the CA: then there is no joining. */
function trustOf(line: CommandLine): Trust {
  const text = lastOf(line, '--token') ?? takeVariable('BUNRAKU_JOIN_TOKEN');
  const token = text === undefined ? undefined : decodeJoinToken(text);
  if (text !== undefined && token === undefined)
    throw new UsageError('--token: this is no token; was it copied whole?');
  const fingerprint = line.settings.caFingerprint === '' ? token?.caFingerprint : line.settings.caFingerprint;
  if (fingerprint === undefined)
    throw new UsageError(
      '--ca-fingerprint is needed without a token: openssl x509 -noout -fingerprint -sha256 -in .../ca/ca_crt.pem on the primary',
    );
  return { fingerprint, secret: token && joinSecret(token) };
}

/** Where the file is does not stand in it. */
const notWritten: readonly string[] = ['config', 'data', 'primary'];

async function configure(
  line: CommandLine,
  joined: {
    readonly primary: string;
    readonly altNames: readonly string[];
    readonly fingerprint: string;
    readonly shared: JoinedSettings;
  },
  log: Logger,
): Promise<void> {
  const { settings } = line;
  const values: JoinedSettings = {
    primary: joined.primary,
    certname: settings.certname,
    dns_alt_names: joined.altNames.join(','),
    ca_fingerprint: joined.fingerprint,
    ...Object.fromEntries(Array.from(line.given).filter(([name]) => !notWritten.includes(name))),
  };
  const shared = sharedWith(line, joined.shared);
  if (await writeJoinedConfig(settings.configFile, values, shared)) return;
  log.warn(
    { file: settings.configFile, ...shared, ...values },
    'add these settings to the configuration file',
  );
}

/** Where a program of the site's own classifies, or knows of nodes, it goes on doing so. */
function sharedWith({ origins, settings }: CommandLine, shared: JoinedSettings): JoinedSettings {
  const {
    external_nodes: program,
    node_terminus: terminus,
    trusted_external_command: command,
    ...others
  } = shared;
  const isChosen = settings.chosenNodeTerminus !== '' && settings.nodeTerminus !== 'plain';
  const isOurs = terminus !== undefined && (!isChosen || settings.nodeTerminus === terminus);
  // Lines of the configuration file count as well: `writeJoinedConfig` sees them.
  const isElsewhere = (origin: string) => origin !== 'default' && !origin.startsWith(settings.configFile);
  return {
    ...others,
    ...(isOurs ? { node_terminus: terminus } : {}),
    ...(isOurs && program !== undefined && !isElsewhere(origins.externalNodes)
      ? { external_nodes: program }
      : {}),
    ...(command === undefined || isElsewhere(origins.trustedExternalCommand)
      ? {}
      : { trusted_external_command: command }),
  };
}

/** By systemd where that runs and knows the unit, here when that was asked for. */
function start(
  line: CommandLine,
  primary: string,
  args: readonly string[],
  io: CommandIo,
): Promise<number> | number {
  if (line.flags.has('--run')) return serve(serverArguments(args, primary), io, startCompileServer);
  if (hasCompileServerUnit()) startCompileServerUnit();
  else io.stdout(`Start it with: bunraku compile-server${placeOf(line.settings)}\n`);
  return 0;
}

function placeOf({ configFile, data }: Settings): string {
  return data === '' ? ` --config ${configFile}` : ` --data ${data}`;
}

/** The settings among the words, without what is joining's own. */
function serverArguments(args: readonly string[], primary: string): readonly string[] {
  const rest: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === '--token' || word === '--extension') index += 1;
    else if (!/^--(token=|extension=|run$|no-start$)/.test(word) && word !== primary) rest.push(word);
  }
  return rest;
}
