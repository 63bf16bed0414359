/**
 * Kills PuppetDB, or PostgreSQL below it, at random moments while servers send, and looks what is left:
 * `node test/puppetdb/kill-rounds.ts SQLite|PostgreSQL ROUNDS`
 *
 * The senders do what an outbox does: they repeat a command until it is acknowledged, then send the next.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseLocation, fixedSql, openDirectDatabase } from '../../src/platform/storage/index.ts';
import { type RunningPostgres, startPostgres } from '../support/running-postgres.ts';
import { type SentCommand, sentCommand } from './sent-command.ts';

export interface KillSummary {
  readonly kills: number;
  readonly databaseKills: number;
  readonly acknowledged: number;
  /** Commands that were sent more than once, because their arrival was not confirmed. */
  readonly repeated: number;
  /** What is wrong with what is there in the end; empty when all is well. */
  readonly findings: readonly string[];
}

const senders = 6;
const eventsOfReport = 5;

export async function runKillRounds(
  backendName: 'SQLite' | 'PostgreSQL',
  rounds: number,
  random: () => number,
): Promise<KillSummary> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-kill-'));
  const postgres = backendName === 'PostgreSQL' ? await startPostgres({ isDurable: true }) : undefined;
  const location: DatabaseLocation = (await postgres?.createDatabase()) ?? {
    kind: 'sqlite',
    path: join(directory, 'puppetdb.sqlite'),
  };
  const site = new Site(location);
  try {
    await site.start();
    const sending = Array.from({ length: senders }, (_, sender) => site.send(sender));
    const kills = await killAtRandom(site, postgres, rounds, random);
    site.finish();
    await Promise.all(sending);
    await site.stop();
    const findings = await examine(location, site.acknowledged);
    const acknowledged = site.acknowledged.reduce((sum, count) => sum + count, 0);
    return { ...kills, acknowledged, repeated: site.repeated, findings };
  } finally {
    await site.stop();
    await postgres?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function killAtRandom(
  site: Site,
  postgres: RunningPostgres | undefined,
  rounds: number,
  random: () => number,
): Promise<{ kills: number; databaseKills: number }> {
  let [kills, databaseKills] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    await sleep(50 + random() * 400);
    if (postgres !== undefined && round % 2 === 1) {
      databaseKills++;
      await postgres.crash();
    } else {
      kills++;
      await site.crash();
    }
  }
  await sleep(300);
  return { kills, databaseKills };
}

/** A server that comes back after each death, and those that send to it. */
class Site {
  /** For each sender, how many commands were acknowledged. */
  readonly acknowledged: number[] = Array.from({ length: senders }, () => 0);
  repeated = 0;
  private readonly location: DatabaseLocation;
  private child: ChildProcess | undefined;
  private url = '';
  private isFinished = false;

  constructor(location: DatabaseLocation) {
    this.location = location;
  }

  async start(): Promise<void> {
    const script = new URL('./server-process.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [script, JSON.stringify(this.location)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    this.url = `http://127.0.0.1:${String(port).trim()}`;
  }

  async crash(): Promise<void> {
    const child = this.child;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    await this.start();
  }

  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }

  finish(): void {
    this.isFinished = true;
  }

  /** Sends one command after the other, each until it is acknowledged. */
  async send(sender: number): Promise<void> {
    for (let number = 0; !this.isFinished; number++) {
      const command = sentCommand(sender, number, eventsOfReport);
      for (let attempt = 0; !(await this.submit(command)); attempt++) {
        if (attempt === 0) this.repeated++;
        await sleep(50);
      }
      this.acknowledged[sender] = number + 1;
    }
  }

  private async submit({ command, version, certname, body }: SentCommand): Promise<boolean> {
    const parameters = new URLSearchParams({ command, version: String(version), certname });
    try {
      const reply = await fetch(`${this.url}/pdb/cmd/v1?${parameters}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await reply.text();
      return reply.ok;
    } catch {
      // Killed; the caller tries again.
      return false;
    }
  }
}

/** Each sender's commands are facts, a catalog and a report in turn; all must be there once. */
async function examine(
  location: DatabaseLocation,
  acknowledged: readonly number[],
): Promise<readonly string[]> {
  const database = await openDirectDatabase(location, 'reader');
  const findings: string[] = [];
  const read = async (text: string): Promise<readonly (readonly [string, number])[]> => {
    const rows = await database.read(fixedSql(text));
    return rows.map(({ name, number }) => [String(name), Number(number)] as const);
  };
  const [facts, catalogs, reports, events, letters] = [
    new Map(await read(factsSql)),
    new Map(await read(catalogsSql)),
    new Map(await read(reportsSql)),
    await read(eventsSql),
    await read("select 'all' as name, count(*) as number from pdb_dead_letters"),
  ];
  await database.close();
  for (const [sender, count] of acknowledged.entries()) {
    const { certname } = sentCommand(sender, 0, 0);
    const expected = { facts: lastOf(count, 0), catalog: lastOf(count, 1), reports: Math.floor(count / 3) };
    const found = {
      facts: facts.get(certname) ?? -1,
      catalog: catalogs.get(certname) ?? -1,
      reports: reports.get(certname) ?? 0,
    };
    if (JSON.stringify(expected) !== JSON.stringify(found)) {
      findings.push(`${certname}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
    }
  }
  const odd = events.filter(([, number]) => number !== eventsOfReport);
  if (odd.length > 0) findings.push(`reports with another number of events: ${JSON.stringify(odd)}`);
  if (letters[0]?.[1] !== 0) findings.push(`dead letters: ${letters[0]?.[1]}`);
  return findings;
}

/** The number of the last command of a kind: facts are 0, 3, 6, ... @returns -1 when there was none */
function lastOf(count: number, kind: number): number {
  const last = Math.floor((count - 1 - kind) / 3) * 3 + kind;
  return last < kind ? -1 : last;
}

const factsSql = `select n.certname as name, cast(cast(f.value as text) as integer) as number from pdb_facts f
  join pdb_nodes n on n.id = f.node_id where f.name = 'number'`;
const catalogsSql = `select n.certname as name, cast(c.version as integer) as number from pdb_catalogs c
  join pdb_nodes n on n.id = c.node_id where (select count(*) from pdb_resources r where r.node_id = n.id) = 20`;
const reportsSql = `select n.certname as name, count(*) as number from pdb_reports r
  join pdb_nodes n on n.id = r.node_id group by n.certname`;
const eventsSql = `select r.hash as name, count(e.position) as number from pdb_reports r
  left join pdb_events e on e.report_id = r.id group by r.hash`;

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [, , name = 'SQLite', rounds = '50'] = process.argv;
  const backendName = name === 'PostgreSQL' ? 'PostgreSQL' : 'SQLite';
  const summary = await runKillRounds(backendName, Number(rounds), Math.random);
  console.log(JSON.stringify(summary, null, 2));
  process.exitCode = summary.findings.length === 0 ? 0 : 1;
}
