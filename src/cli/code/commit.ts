/** `bunraku code commit` */

import { z } from 'zod';
import type { Command, CommandIo } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { askPrimary } from '../primary-connection.ts';

const SubmoduleWire = z.object({
  commit: z.string().optional(),
  status: z.string(),
  cause: z.object({ message: z.string() }).optional(),
});
const AnswerWire = z.object({
  'puppet-code': z.object({ submodules: z.record(z.string(), SubmoduleWire) }),
  left_out: z.array(z.string()).default([]),
  timing: z.object({ committed_ms: z.number(), live_ms: z.number() }),
  clients: z.array(z.object({ certname: z.string(), is_current: z.boolean() })),
});

type Answer = z.infer<typeof AnswerWire>;

/** How long `--wait` waits for servers that are in contact but slow. */
const waitMs = 60_000;

export const codeCommitCommand: Command = {
  name: 'code commit',
  summary: 'Make what is staged live on every server',
  usage: `
Usage: bunraku code commit [ENVIRONMENT] [--wait] [--message TEXT] [--SETTING VALUE ...]

Commits the primary's staging directory (setting code_staging), all environments or the one named, and tells every
compile server. Run it on the primary, or give the settings that say where the primary and its certificate are.
Environments that the code manager deploys at that moment, or has deployed only in part, are left as they are.

  --wait, -w       Wait until every compile server that is in contact serves the commit; prints how long that took
  --message TEXT   A message for the commit

Exit code 1 when an environment could not be committed, or when a server does not serve the commit in time.
`,
  run: (args, io) =>
    commitStaged(readCommandLine(args, { withValue: ['--message'], flags: ['--wait', '-w'] }), io),
};

/** What is staged, of all environments or of the one that is named. @returns the exit code */
export async function commitStaged(line: CommandLine, io: CommandIo): Promise<number> {
  const [environment, ...more] = line.positional;
  refuseWords(more);
  const message = lastOf(line, '--message');
  const isWaiting = line.flags.has('--wait') || line.flags.has('-w');
  const answer = AnswerWire.parse(
    await askPrimary(line.settings, {
      method: 'POST',
      path: '/file-sync/v1/commit',
      body: {
        ...(environment === undefined
          ? { 'commit-all': true }
          : { 'repo-id': 'puppet-code', 'submodule-id': `environments/${environment}` }),
        ...(message === undefined ? {} : { message }),
        wait_ms: isWaiting ? waitMs : 0,
      },
      timeoutMs: waitMs + 60_000,
    }),
  );
  io.stdout(render(answer, isWaiting));
  const failures = Object.entries(answer['puppet-code'].submodules).filter(([, { cause }]) => cause);
  for (const [name, { cause }] of failures) io.stderr(`${nameOf(name)}: ${cause?.message}\n`);
  const isBehind = isWaiting && answer.clients.some((client) => !client.is_current);
  return failures.length > 0 || isBehind ? 1 : 0;
}

function render({ 'puppet-code': code, clients, left_out: leftOut, timing }: Answer, isWaiting: boolean) {
  const lines = Object.entries(code.submodules).flatMap(([name, { commit }]) =>
    commit === undefined ? [] : [`${nameOf(name).padEnd(24)} ${commit}\n`],
  );
  if (leftOut.length > 0) lines.push(`left as they are, being deployed: ${leftOut.join(', ')}\n`);
  lines.push(`committed in ${Math.round(timing.committed_ms)} ms\n`);
  if (!isWaiting) return lines.join('');
  const current = clients.filter((client) => client.is_current).length;
  const liveMs = Math.round(timing.live_ms);
  lines.push(
    clients.length === 0
      ? `live on the primary after ${liveMs} ms: no compile server is in contact\n`
      : `live on ${current} of ${clients.length} compile servers after ${liveMs} ms\n`,
  );
  for (const client of clients) if (!client.is_current) lines.push(`not current: ${client.certname}\n`);
  return lines.join('');
}

function nameOf(submodule: string): string {
  return submodule.replace('environments/', '');
}
