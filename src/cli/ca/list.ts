/** `bunraku ca list` */

import { z } from 'zod';
import { parseCertificateRequest, puppetExtensions } from '../../platform/x509/index.ts';
import { type ContentPolicy, heldBecause } from '../../services/ca/index.ts';
import type { CommandIo } from '../command.ts';
import type { CaAction } from './action.ts';
import { type CaFlags, renderCaErrors } from './arguments.ts';
import { type CaClient, nodePath } from './client.ts';
import { accessFlags, accessUsage, openCa } from './open-ca.ts';
import { reportUnexpected } from './outcome.ts';
import { readCaSite } from './site.ts';

const StatusWire = z.looseObject({
  name: z.string(),
  state: z.enum(['requested', 'signed', 'revoked']),
  subject_alt_names: z.array(z.string()),
  authorization_extensions: z.record(z.string(), z.string()),
  fingerprints: z.looseObject({ SHA256: z.string() }),
});

/** Each costs a request of its own; a longer list is for programs. */
const mostRequests = 200;

type Status = z.infer<typeof StatusWire>;

/** What the status does not say of requests, by certname. */
type Requested = ReadonlyMap<string, RequestDetails>;

interface RequestDetails {
  /** `pp_role: web` */
  readonly extensions: readonly string[];
  /** Why it is not signed by itself; `undefined` where that is only a question of `autosign`. */
  readonly heldBecause: string | undefined;
}

interface Listing {
  readonly requested: readonly Status[];
  readonly signed: readonly Status[];
  readonly revoked: readonly Status[];
  readonly missing: readonly string[];
}

export const caListAction: CaAction = {
  name: 'list',
  summary: 'List certificates and CSRs',
  usage: `Usage:
  bunraku ca list [--help]
  bunraku ca list [--all]
  bunraku ca list --certname NAME[,NAME]

Description:
  List outstanding certificate requests. If --all is specified, signed and
  revoked certificates will be listed as well.

Options:
  --all                      List all certificates
  --certname NAME[,NAME]     List the specified cert(s)
  --format FORMAT            Valid formats are: 'text' (default), 'json'
${accessUsage}`,
  flags: { ...accessFlags, all: 'switch', certname: 'list', format: 'text' },
  problems: () => [],
  async run(flags, io) {
    const problem = flagProblem(flags);
    if (problem !== undefined) {
      io.stderr(renderCaErrors([problem]));
      return 1;
    }
    const ca = await openCa(flags, true);
    try {
      return await list(ca, flags, io);
    } finally {
      await ca.close();
    }
  },
};

function flagProblem(flags: CaFlags): string | undefined {
  const format = flags.text('format') ?? 'text';
  if (format !== 'text' && format !== 'json') {
    return `Unknown format flag '${format}'. Valid formats are 'text', 'json'.`;
  }
  return flags.has('all') && flags.has('certname')
    ? 'Cannot combine use of --all and --certname.'
    : undefined;
}

async function list(ca: CaClient, flags: CaFlags, io: CommandIo): Promise<number> {
  const isAll = flags.has('all');
  const certnames = flags.list('certname');
  const isEverything = isAll || certnames.length > 0;
  const reply = await ca.request(
    'GET',
    `certificate_statuses/any_key${isEverything ? '' : '?state=requested'}`,
  );
  if (reply.status !== 200) {
    reportUnexpected([], reply, io);
    io.stderr(`Error while getting certificate${isEverything ? 's' : ' requests'}\n`);
    return 1;
  }
  const all = z.array(StatusWire).parse(JSON.parse(reply.body));
  const chosen = certnames.length === 0 ? all : all.filter(({ name }) => certnames.includes(name));
  const inState = (state: Status['state']) => chosen.filter((status) => status.state === state);
  const missing = certnames.filter((name) => !chosen.some((status) => status.name === name));
  const listing = {
    requested: inState('requested'),
    signed: inState('signed'),
    revoked: inState('revoked'),
    missing,
  };
  if (flags.text('format') === 'json') {
    io.stdout(renderJson(listing, isAll));
  } else {
    const { ca: policy } = await readCaSite(flags);
    const requested = await requestDetails(ca, listing.requested, policy);
    io.stdout(renderText(listing, requested));
    // Beside the list, which programs read.
    for (const { heldBecause: reason } of requested.values())
      if (reason !== undefined) io.stderr(`${reason}\n`);
  }
  return missing.length > 0 ? 1 : 0;
}

function renderJson({ requested, signed, revoked, missing }: Listing, isAll: boolean): string {
  if (isAll) return `${JSON.stringify({ requested, signed, revoked })}\n`;
  const groups = Object.entries({ requested, signed, revoked, missing }).filter(
    ([, group]) => group.length > 0,
  );
  return `${JSON.stringify(groups.length === 0 ? { requested } : Object.fromEntries(groups))}\n`;
}

/** A person who signs must see what a request asks for: rules and classification may follow from it. */
async function requestDetails(
  ca: CaClient,
  requested: readonly Status[],
  policy: ContentPolicy,
): Promise<Requested> {
  const found = new Map<string, RequestDetails>();
  for (const { authorization_extensions: shown, name } of requested.slice(0, mostRequests)) {
    const reply = await ca.request('GET', nodePath('certificate_request', name));
    // Signed or deleted in the meantime.
    if (reply.status !== 200) continue;
    const request = parseCertificateRequest(reply.body);
    const extensions = Object.entries(puppetExtensions(request.extensions))
      .filter(([extension]) => shown[extension] === undefined)
      .map(([extension, value]) => `${extension}: ${value}`);
    found.set(name, { extensions, heldBecause: heldBecause(request, policy) });
  }
  return found;
}

function renderText({ requested, signed, revoked, missing }: Listing, details: Requested): string {
  const lines = [
    ...renderGroup('Requested', requested, details),
    ...renderGroup('Signed', signed.filter(isNode)),
    ...renderGroup(
      'Service',
      signed.filter((status) => !isNode(status)),
    ),
    ...renderGroup('Revoked', revoked),
    ...(missing.length > 0 ? ['Missing Certificates:', ...missing.map((name) => `    ${name}`)] : []),
  ];
  return `${lines.length === 0 ? 'No certificates to list' : lines.join('\n')}\n`;
}

/** Certificates of ports have names that no node can have; the primary renews them. */
function isNode({ name }: Status): boolean {
  return !name.startsWith('_');
}

function renderGroup(title: string, statuses: readonly Status[], details: Requested = new Map()): string[] {
  if (statuses.length === 0) return [];
  const width = statuses.reduce((widest, { name }) => Math.max(widest, name.length), 0) + 6;
  return [
    `${title} Certificates:`,
    ...statuses.map((status) => renderStatus(status, width, details.get(status.name)?.extensions)),
  ];
}

function renderStatus(status: Status, width: number, others: readonly string[] = []): string {
  const { name, fingerprints, subject_alt_names: altNames, authorization_extensions: extensions } = status;
  const columns = [`    ${name.padEnd(width)} (SHA256)  ${fingerprints.SHA256}`];
  if (altNames.length > 0) {
    columns.push(`alt names: [${altNames.map((altName) => JSON.stringify(altName)).join(', ')}]`);
  }
  const values = Object.entries(extensions).map(([extension, value]) => `${extension}: ${value}`);
  if (values.length > 0) columns.push(`authorization extensions: [${values.join(', ')}]`);
  if (others.length > 0) columns.push(`extensions: [${others.join(', ')}]`);
  return columns.join('\t');
}
