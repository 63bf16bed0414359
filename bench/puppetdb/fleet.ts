/** Commands of a made-up fleet: the recorded payloads of small and typical nodes, under other names and times. */

import { readFileSync } from 'node:fs';

const samples = new URL('../../test/recorded/puppetdb/payloads/', import.meta.url);

export interface BenchCommand {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly body: string;
}

interface Kind {
  readonly name: string;
  readonly certname: string;
}

const kinds: readonly Kind[] = [
  { name: 'small', certname: 'small0001.bench.test' },
  { name: 'typical', certname: 'typical0002.bench.test' },
];

const commands = [
  ['replace_facts', 5],
  ['replace_catalog', 9],
  ['store_report', 8],
] as const;

const start = Date.parse('2026-11-21T00:00:00Z');
const intervalMs = 1_800_000;
const dayMs = 86_400_000;
const keptDays = 14;
/** Every how many runs a catalog is another than before. */
const changeEvery = 10;

export class BenchFleet {
  private readonly texts = new Map<string, string>();

  constructor() {
    for (const { name } of kinds) {
      for (const [command] of commands) {
        const file = new URL(`${command}-${name}.json`, samples);
        const text = readFileSync(file, 'utf8');
        this.texts.set(`${command} ${name}`, text);
        if (command !== 'store_report') continue;
        this.texts.set(`${command} ${name} changed`, laterReport(text, changedResources));
        this.texts.set(`${command} ${name} unchanged`, laterReport(text, 0));
      }
    }
  }

  /** What one run of a node sends. @param round - from 0 */
  run(node: number, round: number): readonly BenchCommand[] {
    const kind = kinds[node % kinds.length] as Kind;
    const certname = `node${String(node).padStart(5, '0')}.example.test`;
    // The first runs are spread over the days that reports are kept.
    const daysBefore = round === 0 ? node % keptDays : 0;
    const time = new Date(start - daysBefore * dayMs + round * intervalMs + node).toISOString();
    return commands.map(([command, version]) => {
      const isLater = command === 'store_report' && round > 0;
      const variant = isLater ? ` ${(node + round) % changeEvery === 0 ? 'changed' : 'unchanged'}` : '';
      const text = this.texts.get(`${command} ${kind.name}${variant}`) ?? '';
      return { command, version, certname, body: vary(text, { kind, certname, time, node, round }) };
    });
  }
}

/** Resources that a later run changes, where it changes any. */
const changedResources = 5;

/** The recorded first run would change everything; a later one changes little, and says little. */
function laterReport(text: string, changed: number): string {
  const report = JSON.parse(text) as {
    readonly resources: readonly Members[];
    readonly logs: readonly unknown[];
  };
  const { resources, logs } = report;
  const status = changed === 0 ? 'unchanged' : 'changed';
  const happened = resources.filter(({ events }) => Array.isArray(events) && events.length > 0);
  return JSON.stringify({
    ...report,
    status,
    noop: false,
    noop_pending: false,
    resources: happened.slice(0, changed),
    logs: logs.slice(0, 1 + 2 * changed),
  });
}

type Members = Readonly<Record<string, unknown>>;

interface Variation {
  readonly kind: Kind;
  readonly certname: string;
  readonly time: string;
  readonly node: number;
  readonly round: number;
}

/** Times, UUIDs and what facts measure are others in each run. */
function vary(text: string, { kind, certname, time, node, round }: Variation): string {
  const uuid = `${String(node).padStart(8, '0')}-${String(round).padStart(4, '0')}-4000-8000-000000000000`;
  const changes = (node + round) % changeEvery === 0 ? round : 0;
  return text
    .replaceAll(kind.certname, certname)
    .replace(/"producer_timestamp":\s*"[^"]*"/, `"producer_timestamp":"${time}"`)
    .replace(/"(start_time|end_time)":\s*"[^"]*"/g, `"$1":"${time}"`)
    .replace(/"(transaction_uuid|catalog_uuid)":\s*"[^"]*"/g, `"$1":"${uuid}"`)
    .replace(/"uptime_seconds":\s*\d+/, `"uptime_seconds":${round * 1800 + node}`)
    .replace(/"(memoryfree|seconds|uptime)":/g, `"$1":`)
    .replace(/"memoryfree_mb":\s*[\d.]+/, `"memoryfree_mb":${1000 + ((node * 7 + round) % 500)}.5`)
    .replace(/"mode":\s*"0644"/, `"mode":"06${40 + (changes % 5)}"`);
}
