/** One action on one node by the system's `ssh`: tried once. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pack } from 'tar-stream';
import type { RunningProcess, StartProcess } from '../../../platform/processes/index.ts';
import type { SshConnection, SshSecrets } from './connection.ts';
import { type RemoteProgram, shellQuote } from './remote-program.ts';

export interface SessionOptions {
  readonly start: StartProcess;
  /** For keys and passwords while they are used. */
  readonly temporaryDirectory: string;
  /** Keys that hosts had the first time. */
  readonly knownHostsFile: string;
  /** Where `ssh` is looked for. */
  readonly path: string | undefined;
}

export interface SessionOrder {
  readonly connection: SshConnection;
  readonly secrets: SshSecrets;
  readonly program: RemoteProgram;
  /** The directory of the action on the node. */
  readonly directory: string;
  /** Found in no output. */
  readonly nonce: string;
  readonly signal: AbortSignal;
  /** Told of what the program writes, while it runs. */
  readonly wrote: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Takes standard output in place of the outcome, and of `wrote`. Must not reject. */
  readonly receive?: (child: Pick<RunningProcess, 'kill' | 'stdout'>) => Promise<void>;
}

export type SessionOutcome =
  | {
      readonly kind: 'ended';
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
      /** What the script adds: transaction and environment of a Puppet run. */
      readonly details: string;
    }
  /** Nothing was run. */
  | { readonly kind: 'not-run'; readonly reason: string }
  /** It may have run, to its end or not. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Of each stream: the rest is thrown away. */
const mostOutput = 16 * 1024 * 1024;
/**
 * What `ssh` says when there was no session. Words like `Connection reset` alone do not count: they are also said when a connection is
 * lost later.
 */
const neverConnected =
  /^ssh: |^kex_exchange_identification: |^Unable to negotiate |during banner exchange|: Permission denied \(|Host key verification failed|IDENTIFICATION HAS CHANGED|Too many authentication failures/m;

export async function runSession(options: SessionOptions, order: SessionOrder): Promise<SessionOutcome> {
  const place = await mkdtemp(join(options.temporaryDirectory, 'ssh-'));
  try {
    return await converse(options, order, place);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function converse(
  options: SessionOptions,
  order: SessionOrder,
  place: string,
): Promise<SessionOutcome> {
  const { secrets, signal } = order;
  const environment = await environmentFor(secrets, place, options);
  const child = options.start('ssh', await argumentsFor(options, order, place), { environment, signal });
  const output = { stdout: '', stderr: '' };
  const follow = new MarkedOutput(order);
  const receiving = order.receive?.({ stdout: child.stdout, kill: () => child.kill() });
  if (receiving === undefined)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.stdout.length < mostOutput) output.stdout += text;
      order.wrote('stdout', text);
    });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (output.stderr.length < mostOutput) output.stderr += text;
    follow.take(text);
  });
  // A node that refuses the connection does not read. The exit code of ssh says so.
  // Both streams report it.
  child.stdin.on('error', () => undefined);
  const archive = archiveOf(order).on('error', () => undefined);
  archive.pipe(child.stdin);
  try {
    const { code } = await child.ended;
    await receiving;
    return outcomeOf(order, code, output);
  } catch (error) {
    if (signal.aborted) return { kind: 'unknown', reason: 'this server stopped while it ran' };
    return { kind: 'not-run', reason: `ssh cannot be run: ${(error as Error).message}` };
  }
}

/** Passes on what the program writes on standard error, without what `ssh` and the script say. */
class MarkedOutput {
  private readonly order: SessionOrder;
  private pending = '';
  private hasBegun = false;

  constructor(order: SessionOrder) {
    this.order = order;
  }

  take(text: string): void {
    this.pending += text;
    const begin = beginMarker(this.order.nonce);
    if (!this.hasBegun) {
      const at = this.pending.indexOf(begin);
      if (at < 0) return;
      this.hasBegun = true;
      this.pending = this.pending.slice(at + begin.length);
    }
    // Whole lines: a mark may come in pieces. Its first character is an end of line, which is not the program's.
    let end = this.pending.lastIndexOf('\n') + 1;
    while (end === 1 || this.pending[end - 2] === '\n') end -= 1;
    const whole = this.pending.slice(0, end);
    if (whole === '' || whole.includes(`end ${this.order.nonce}`)) return;
    this.pending = this.pending.slice(end);
    this.order.wrote('stderr', whole);
  }
}

function beginMarker(nonce: string): string {
  return `\nbegin ${nonce}\n`;
}

function outcomeOf(
  { nonce, connection }: SessionOrder,
  code: number | null,
  { stderr, stdout }: { readonly stdout: string; readonly stderr: string },
): SessionOutcome {
  const begin = stderr.indexOf(beginMarker(nonce));
  const end = new RegExp(`\\nend ${nonce} (\\d+) ?(.*)\\n`).exec(stderr);
  if (begin >= 0 && end !== null) {
    const written = stderr.slice(begin + beginMarker(nonce).length, end.index);
    const [, exitCode, details = ''] = end;
    return { kind: 'ended', exitCode: Number(exitCode), stdout, stderr: written, details };
  }
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const { certname } = connection;
  if (begin >= 0)
    return { kind: 'unknown', reason: `the connection to ${certname} ended before the result was known` };
  // Any other code is that of the node's shell or of sudo, which could not begin.
  if ((code !== null && code !== 255) || neverConnected.test(stderr))
    return { kind: 'not-run', reason: `${certname} cannot be reached by SSH: ${said}` };
  return { kind: 'unknown', reason: `the connection to ${certname} was lost: ${said}` };
}

async function environmentFor(
  { password }: SshSecrets,
  place: string,
  { path }: SessionOptions,
): Promise<Readonly<Record<string, string | undefined>>> {
  const common = { PATH: path, HOME: place, LC_ALL: 'C.UTF-8' };
  if (password === undefined) return common;
  const program = join(place, 'askpass');
  await writeFile(program, '#!/bin/sh\nprintf "%s\\n" "$BUNRAKU_SSH_PASSWORD"\n', { mode: 0o700 });
  return { ...common, SSH_ASKPASS: program, SSH_ASKPASS_REQUIRE: 'force', BUNRAKU_SSH_PASSWORD: password };
}

async function argumentsFor(
  { knownHostsFile }: SessionOptions,
  order: SessionOrder,
  place: string,
): Promise<readonly string[]> {
  const { connection, secrets } = order;
  const { checksHostKey, connectTimeoutSeconds, hostname, port, user } = connection.parameters;
  const settings = [
    `ConnectTimeout=${connectTimeoutSeconds}`,
    `StrictHostKeyChecking=${checksHostKey ? 'accept-new' : 'no'}`,
    `UserKnownHostsFile=${checksHostKey ? knownHostsFile : '/dev/null'}`,
    // Half-open connections are found out within a minute and a half.
    'ServerAliveInterval=30',
    'ServerAliveCountMax=3',
    'IdentitiesOnly=yes',
    'NumberOfPasswordPrompts=1',
    'LogLevel=ERROR',
    ...(secrets.password === undefined ? ['BatchMode=yes'] : []),
  ].flatMap((setting) => ['-o', setting]);
  const key: string[] = [];
  if (secrets.privateKey !== undefined) {
    const file = join(place, 'key');
    await writeFile(
      file,
      secrets.privateKey.endsWith('\n') ? secrets.privateKey : `${secrets.privateKey}\n`,
      {
        mode: 0o600,
      },
    );
    key.push('-i', file);
  }
  const host = hostname ?? connection.certname;
  const words = ['-F', 'none', '-T', ...settings, ...key, '-p', String(port), '-l', user, '--', host];
  return [...words, `/bin/sh -c ${shellQuote(bootScript(order))}`];
}

/** What the node's shell does with the archive that comes on standard input. */
function bootScript({ connection, directory, secrets }: SessionOrder): string {
  const run = connection.parameters.isSuperuser
    ? secrets.sudoPassword === undefined
      ? 'sudo -n -H /bin/sh ./run'
      : 'sudo -S -p "" -H /bin/sh ./run < sudo'
    : '/bin/sh ./run';
  const place = shellQuote(directory);
  return `umask 077; mkdir ${place} && tar xf - -C ${place} && cd ${place} || { rm -rf ${place}; exit 125; }
${run}
code=$?
cd /; rm -rf ${place}
exit $code`;
}

function runScript({ nonce, program }: SessionOrder): string {
  const line = program.isPuppetRun ? program.line : `( ${program.line} )`;
  // The mark is written here and not earlier, because sudo may refuse.
  return `printf "\\nbegin ${nonce}\\n" >&2
rm -f sudo
umask 022
details=
${line}
code=$?
printf "\\nend ${nonce} %s %s\\n" "$code" "$details" >&2
exit $code
`;
}

function archiveOf(order: SessionOrder) {
  const { program, secrets } = order;
  const archive = pack();
  archive.entry({ name: 'run', mode: 0o700 }, runScript(order));
  if (secrets.sudoPassword !== undefined)
    archive.entry({ name: 'sudo', mode: 0o600 }, `${secrets.sudoPassword}\n`);
  for (const { content, mode, name } of program.files) archive.entry({ name, mode }, content);
  archive.finalize();
  return archive;
}
