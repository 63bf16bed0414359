/** `puppetdb.conf`, which says where servers find their PuppetDB. */

import { ServiceError } from '../../lib/service-error.ts';

/** The section `main`, under the names that its users know. */
export interface PuppetDbConf {
  /** Origins that are asked, and that commands are sent to; the first that answers counts. */
  readonly serverUrls: readonly string[];
  /** Origins that commands are sent to, and that are never asked. */
  readonly submitOnlyServerUrls: readonly string[];
  /** How long one of them may take. */
  readonly serverUrlTimeoutMs: number;
  /** Agents get their catalogs though commands cannot be sent: here they always do, and commands wait. */
  readonly softWriteFailure: boolean;
  /** Commands go to all, not to the first that takes them. */
  readonly commandBroadcast: boolean;
  /** How many have to take a command that is sent to all. */
  readonly minSuccessfulSubmissions: number;
  /** Who answered last is asked first. */
  readonly stickyReadFailover: boolean;
  /** Whether we show our certificate; theirs is checked always. */
  readonly verifyClientCertificate: boolean;
  /** Whether reports are sent with resources that nothing happened to. */
  readonly includeUnchangedResources: boolean;
}

const defaultUrl = 'https://puppetdb:8081';

/** The configuration without a file. @param url - of the PuppetDB */
export function defaultPuppetDbConf(url: string): PuppetDbConf {
  return interpret(new Map([['server_urls', url]]));
}

/** Where the file says 0, which is no limit to the reference: nothing here waits without end. */
const longestTimeoutMs = 300_000;

/**
 * Reads it as the reference does, line by line.
 *
 * @param file - for messages
 * @param warn - told of settings that have had their day
 * @throws ServiceError `bad-request` in the reference's words
 */
export function parsePuppetDbConf(
  text: string,
  file: string,
  warn: (message: string) => void = () => {},
): PuppetDbConf {
  try {
    return interpret(readMain(text, file, warn));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `Could not configure PuppetDB terminuses: ${error.message}`;
    throw new ServiceError('bad-request', message, { cause: error });
  }
}

type Main = ReadonlyMap<string, string>;

function readMain(text: string, file: string, warn: (message: string) => void): Main {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const [index, line] of text.split(/(?<=\n)/).entries()) {
    const bare = line.replace(/\n$/, '');
    const name = /^\[(\w+)\s*\]$/.exec(bare)?.[1];
    const [, key, value] = /^\s*(\w+)\s*=\s*(\S+|[^]+?)\s*$/.exec(line) ?? [];
    if (name !== undefined) {
      section = sections.get(name) ?? new Map();
      sections.set(name, section);
    } else if (/^\s*(server|port)\s*=/.test(bare)) {
      warn(
        `Setting '${bare}' is retired: use 'server_urls' instead. Defaulting to 'server_urls=${defaultUrl}'.`,
      );
    } else if (key !== undefined && value !== undefined) {
      if (section === undefined)
        throw refusal(
          `Setting '${line}' is illegal outside of section in PuppetDB config ${file}:${index + 1}`,
        );
      section.set(key, value);
    } else if (!/^\s*([#;]|$)/.test(bare)) {
      throw refusal(`Unparseable line '${line}' in PuppetDB config ${file}:${index + 1}`);
    }
  }
  return sections.get('main') ?? new Map();
}

function interpret(main: Main): PuppetDbConf {
  const timeoutSeconds = toInteger(main.get('server_url_timeout') ?? '30');
  const conf = {
    serverUrls: toUrls(main.get('server_urls') ?? defaultUrl),
    submitOnlyServerUrls: toUrls(main.get('submit_only_server_urls') ?? ''),
    serverUrlTimeoutMs: Math.min(timeoutSeconds > 0 ? timeoutSeconds * 1000 : Infinity, longestTimeoutMs),
    softWriteFailure: toBoolean(main.get('soft_write_failure') ?? 'false'),
    commandBroadcast: toBoolean(main.get('command_broadcast') ?? 'false'),
    minSuccessfulSubmissions: toInteger(main.get('min_successful_submissions') ?? '1'),
    stickyReadFailover: toBoolean(main.get('sticky_read_failover') ?? 'false'),
    verifyClientCertificate: toBoolean(main.get('verify_client_certificate') ?? 'true'),
    includeUnchangedResources: toBoolean(main.get('include_unchanged_resources') ?? 'false'),
  };
  checkTogether(conf);
  return conf;
}

function checkTogether(conf: PuppetDbConf): void {
  const { minSuccessfulSubmissions: least, serverUrls, submitOnlyServerUrls } = conf;
  if (conf.softWriteFailure && least > 1)
    throw refusal('soft_write_failure cannot be enabled when min_successful_submissions is greater than 1');
  const inBoth = serverUrls.filter((url) => submitOnlyServerUrls.includes(url));
  if (inBoth.length > 0) {
    const list = `[${inBoth.map((url) => JSON.stringify(url)).join(', ')}]`;
    throw refusal(
      `Server URLs must be in either server_urls or submit_only_server_urls, not both. (${list} are in both)`,
    );
  }
  if (least > 1 && !conf.commandBroadcast)
    throw refusal('command_broadcast must be set to true to use min_successful_submissions');
  if (least > serverUrls.length)
    throw refusal(
      `min_successful_submissions (${least}) must be less than or equal to the number of server_urls (${serverUrls.length})`,
    );
}

function toUrls(list: string): readonly string[] {
  const urls = list.split(',');
  while (urls.at(-1) === '') urls.pop();
  return urls.map((url) => toUrl(url.trim()));
}

/** @returns the origin as it is written, which messages show */
function toUrl(text: string): string {
  if (!text.startsWith('https:')) throw refusal(`PuppetDB 'server_urls' must be https, found '${text}'`);
  const [, origin = '', path = ''] = /^(https:\/\/[^/?#]*)(.*)$/.exec(text) ?? [];
  if (!URL.canParse(origin))
    throw refusal(
      `Error parsing URL '${text}' in PuppetDB 'server_urls', error message was 'bad URI(is not URI?): ${JSON.stringify(text)}'`,
    );
  if (path !== '' && path !== '/')
    throw refusal(`PuppetDB 'server_urls' cannot contain URL paths, found '${text}'`);
  return origin;
}

/** As Ruby reads numbers: what comes before the first letter, or 0. */
function toInteger(text: string): number {
  return Number(/^\s*[-+]?\d+/.exec(text)?.[0] ?? 0);
}

function toBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw refusal(`invalid value for Boolean: "${text}"`);
}

function refusal(message: string): ServiceError {
  return new ServiceError('bad-request', message);
}
