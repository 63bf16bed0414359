/** The recorded fleet: what its servers sent to PuppetDB, and when it arrived. */

import { readdirSync, readFileSync } from 'node:fs';

const samples = new URL('../recorded/puppetdb/', import.meta.url);

export interface RecordedCommand {
  readonly file: string;
  readonly command: string;
  readonly version: string;
  readonly certname: string;
  readonly producerTimestamp: string;
  readonly body: string;
  /** When the reference received it, as far as its answers tell. */
  readonly received: Date;
}

export interface RecordedQuery {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly isTrimmed: boolean;
  /** How many rows there were before the recording was cut. */
  readonly bodyLength: number | undefined;
}

interface Exchange {
  readonly method?: string;
  readonly url?: string;
  readonly path?: string;
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly request_headers?: Readonly<Record<string, string>>;
  readonly request_body?: unknown;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply_headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly reply_body?: unknown;
  readonly trimmed?: string;
  readonly body_length?: number;
}

type Arrivals = Readonly<Record<string, string>>;

/** All commands in the order in which they were made. */
export function recordedCommands(): readonly RecordedCommand[] {
  const arrivals = readArrivals();
  return [...exchangedCommands(arrivals), ...wholePayloads(arrivals)].toSorted((a, b) =>
    a.producerTimestamp < b.producerTimestamp ? -1 : 1,
  );
}

export function recordedQueries(): readonly RecordedQuery[] {
  const files = readdirSync(new URL('queries/', samples));
  return files.map((file) => {
    const exchange: Exchange = readJson(`queries/${file}`);
    return { ...decode(exchange), name: file.replace('.json', '') };
  });
}

/** Paging, errors, functions, POST forms, bad commands. */
export function moreQueries(): readonly RecordedQuery[] {
  const exchanges: readonly Exchange[] = readJson('queries-more.json');
  return exchanges.map((exchange) => ({ ...decode(exchange), name: exchange.name ?? '' }));
}

/** What the terminus itself asks. */
export function terminusQueries(): readonly RecordedQuery[] {
  return readdirSync(new URL('terminus-queries/', samples)).map((file) => ({
    ...decode(readJson(`terminus-queries/${file}`)),
    name: file.replace('.json', ''),
  }));
}

function decode(exchange: Exchange): Omit<RecordedQuery, 'name'> {
  const { request_body: body } = exchange;
  return {
    method: exchange.method ?? 'GET',
    path: exchange.path ?? exchange.url ?? '',
    requestHeaders: exchange.request_headers ?? {},
    requestBody: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    status: exchange.status,
    headers: exchange.headers ?? exchange.reply_headers ?? {},
    body: exchange.body ?? exchange.reply_body,
    isTrimmed: exchange.trimmed !== undefined,
    bodyLength: exchange.body_length,
  };
}

function exchangedCommands(arrivals: Arrivals): readonly RecordedCommand[] {
  return readdirSync(new URL('commands/', samples)).flatMap((file) => {
    const { query = {}, request_body: body, trimmed }: Exchange = readJson(`commands/${file}`);
    const certname = query['certname'] ?? '';
    // The payloads have these nodes' commands whole.
    if (trimmed !== undefined || /^(small|typical)/.test(certname)) return [];
    const [command = '', version = ''] = [query['command'], query['version']];
    const producerTimestamp = query['producer-timestamp'] ?? '';
    return [{ file, command, version, certname, producerTimestamp, body: JSON.stringify(body) }].map(
      (each) => ({
        ...each,
        received: arrival(arrivals, each),
      }),
    );
  });
}

function wholePayloads(arrivals: Arrivals): readonly RecordedCommand[] {
  const versions: Readonly<Record<string, string>> = {
    replace_facts: '5',
    replace_catalog: '9',
    store_report: '8',
  };
  return readdirSync(new URL('payloads/', samples)).map((file) => {
    const body = readFileSync(new URL(`payloads/${file}`, samples), 'utf8');
    const { certname, producer_timestamp: time }: { certname: string; producer_timestamp: string } =
      JSON.parse(body);
    const [command = ''] = file.split('-');
    const producerTimestamp = new Date(time).toISOString();
    const each = { file, command, version: versions[command] ?? '', certname, producerTimestamp, body };
    return { ...each, received: arrival(arrivals, each) };
  });
}

function arrival(
  arrivals: Arrivals,
  { command, certname, producerTimestamp }: { command: string; certname: string; producerTimestamp: string },
): Date {
  const byTime = arrivals[`${command} ${certname} ${producerTimestamp}`];
  const last = command === 'store_report' ? undefined : arrivals[`${command} ${certname}`];
  return new Date(byTime ?? last ?? producerTimestamp);
}

/** The times of arrival that the recorded answers show. */
function readArrivals(): Arrivals {
  const arrivals: Record<string, string> = {};
  const nodes: Exchange = readJson('queries/nodes.json');
  const deactivated = moreQueries().find(({ name }) => name === 'deactivated node')?.body;
  for (const node of [...(nodes.body as Row[]), ...(deactivated as Row[])]) {
    arrivals[`replace_facts ${node['certname']}`] = String(node['facts_timestamp']);
    arrivals[`replace_catalog ${node['certname']}`] = String(node['catalog_timestamp']);
  }
  const reports: Exchange = readJson('queries/reports-latest.json');
  for (const report of reports.body as Row[]) {
    arrivals[`store_report ${report['certname']} ${report['producer_timestamp']}`] = String(
      report['receive_time'],
    );
  }
  return arrivals;
}

type Row = Readonly<Record<string, unknown>>;

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, samples), 'utf8'));
}
