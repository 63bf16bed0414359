/** `bunraku code commit` */

import { readFileSync } from 'node:fs';
import { HttpClient } from '../platform/http-client/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { type Command, UsageError } from './command.ts';
import { readSettings } from './serve.ts';

interface Answer {
  readonly 'puppet-code': { readonly submodules: Readonly<Record<string, { readonly commit: string }>> };
  readonly timing: { readonly committed_ms: number; readonly live_ms: number };
  readonly clients: readonly { readonly certname: string; readonly is_current: boolean }[];
}

/** How long `--wait` waits for servers that are in contact but slow. */
const waitMs = 60_000;

export const codeCommitCommand: Command = {
  name: 'code commit',
  summary: 'Make what is staged live on every server',
  usage: `
Usage: bunraku code commit [ENVIRONMENT] [--wait] [--message TEXT] [--SETTING VALUE ...]

Commits the primary's staging directory (setting code_staging), all environments or the one named, and tells every
compile server. Run it on the primary, or give the settings that say where the primary and its certificate are.

  --wait           Wait until every compile server that is in contact serves the commit; prints how long that took
  --message TEXT   A message for the commit
`,
  async run(args, io) {
    const { environment, message, isWaiting, settingArgs } = parseOwn(args);
    const { settings } = readSettings(settingArgs);
    const answer = await commit(settings, {
      ...(environment === undefined
        ? { 'commit-all': true }
        : { 'repo-id': 'puppet-code', 'submodule-id': `environments/${environment}` }),
      ...(message === undefined ? {} : { message }),
      wait_ms: isWaiting ? waitMs : 0,
    });
    io.stdout(render(answer, isWaiting));
    return isWaiting && answer.clients.some((client) => !client.is_current) ? 1 : 0;
  },
};

interface OwnArguments {
  readonly environment: string | undefined;
  readonly message: string | undefined;
  readonly isWaiting: boolean;
  /** What is left: settings. */
  readonly settingArgs: readonly string[];
}

function parseOwn(args: readonly string[]): OwnArguments {
  const rest = [...args];
  const environment = rest[0]?.startsWith('-') === false ? rest.shift() : undefined;
  const waitIndex = rest.indexOf('--wait');
  if (waitIndex >= 0) rest.splice(waitIndex, 1);
  const messageIndex = rest.indexOf('--message');
  const [, message] = messageIndex >= 0 ? rest.splice(messageIndex, 2) : [];
  if (messageIndex >= 0 && message === undefined) throw new UsageError('--message needs a text');
  return { environment, message, isWaiting: waitIndex >= 0, settingArgs: rest };
}

async function commit(settings: Settings, body: Readonly<Record<string, unknown>>): Promise<Answer> {
  const url = `${primaryUrl(settings)}/file-sync/v1/commit`;
  const client = new HttpClient({
    ca: readCredential(settings, settings.localCaCert),
    certificate: readCredential(settings, settings.hostCert),
    privateKey: readCredential(settings, settings.hostPrivKey),
  });
  try {
    const answer = await client.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: waitMs + 60_000,
    });
    const text = answer.body.toString('utf8');
    if (answer.status !== 200) throw new Error(`${url} answered with status ${answer.status}: ${text}`);
    return JSON.parse(text) as Answer;
  } finally {
    client.close();
  }
}

function readCredential({ certname }: Settings, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const message =
      `cannot read ${path}, which proves that this is ${certname}. Run this on the primary, with the settings ` +
      'that it runs with (--data, --config, --certname)';
    throw new Error(message, { cause });
  }
}

/** The certificate of this host names it; where it listens on one address only, that address is in it, too. */
function primaryUrl(settings: Settings): string {
  if (settings.primary !== '') return `https://${settings.primary}`;
  const host = settings.listen.startsWith('127.') ? 'localhost' : settings.certname;
  return `https://${host}:${settings.serverPort}`;
}

function render(answer: Answer, isWaiting: boolean): string {
  const lines = Object.entries(answer['puppet-code'].submodules).map(
    ([name, { commit: id }]) => `${name.replace('environments/', '').padEnd(24)} ${id}\n`,
  );
  lines.push(`committed in ${Math.round(answer.timing.committed_ms)} ms\n`);
  if (isWaiting) {
    const current = answer.clients.filter((client) => client.is_current).length;
    lines.push(
      `live on ${current} of ${answer.clients.length} compile servers after ${Math.round(answer.timing.live_ms)} ms\n`,
    );
    for (const client of answer.clients)
      if (!client.is_current) lines.push(`not current: ${client.certname}\n`);
  }
  return lines.join('');
}
