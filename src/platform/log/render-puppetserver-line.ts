/**
 * A JSON log line as Puppet Server writes it: `2026-01-02T03:04:05.678Z INFO  [main] [puppetserver] Puppet ...`.
 *
 * @see puppetserver, `logback.xml`: `%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5p [%t] [%c{2}] %m%n`
 */

/** There is one thread that answers. */
const thread = 'main';
/** What Puppet's own messages are logged as, and what logs of a part without a name are. */
const puppet = 'puppetserver';

type Entry = Readonly<Record<string, unknown>>;

/** @returns the line with its end; one that is no JSON as it is */
export function renderPuppetServerLine(line: string): string {
  const entry = parseEntry(line);
  if (entry === undefined) return line;
  const { level, service, time } = entry;
  const [logger, message] = ofPuppet(entry) ?? [String(service ?? puppet), ofServer(entry)];
  return `${String(time)} ${String(level).toUpperCase().padEnd(5)} [${thread}] [${logger}] ${message}\n`;
}

/** What the reference has words of its own for. */
function ofPuppet({ certname, compileMs, environment, msg, text }: Entry): [string, string] | undefined {
  if (msg === 'compiled catalog' && typeof compileMs === 'number') {
    const seconds = (compileMs / 1000).toFixed(2);
    return [
      puppet,
      `Puppet Compiled catalog for ${certname} in environment ${environment} in ${seconds} seconds`,
    ];
  }
  return msg === 'message of the manifest' ? [puppet, `Puppet ${text}`] : undefined;
}

function ofServer({ err, level: _level, msg, service: _service, time: _time, ...fields }: Entry): string {
  const facts = Object.entries(fields).map(([name, value]) => ` ${name}=${rendered(value)}`);
  return `${msg ?? ''}${facts.join('')}${err === undefined ? '' : `\n${stackOf(err)}`}`;
}

function rendered(value: unknown): string {
  return typeof value === 'string' && !/[\s"=]|^$/.test(value) ? value : (JSON.stringify(value) ?? '');
}

function stackOf(err: unknown): string {
  const { message, stack } = (err ?? {}) as { readonly message?: unknown; readonly stack?: unknown };
  return String(stack ?? message ?? err);
}

function parseEntry(line: string): Entry | undefined {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    // Not one of our lines: shown as it came.
    return undefined;
  }
}
