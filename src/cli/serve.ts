/** What the commands that run a server have in common: settings, log, signals, an orderly end. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../lib/service-error.ts';
import {
  createLogger,
  type LogDestination,
  type LogFields,
  LogFile,
  type RootLogger,
  renderPuppetServerLine,
} from '../platform/log/index.ts';
import {
  becomeOwnerOf,
  encodeStartedWith,
  isNoted,
  keepCompiledProgram,
  type LoadedSettings,
  levelFile,
  loadSettings,
  nodeTerminusFile,
  parseFlags,
  processSources,
  type Settings,
  SettingsError,
  startedWithFile,
} from '../platform/settings/index.ts';
import type { RunningServer } from '../server/running-server.ts';
import { boundHeaps } from './bounded-heaps.ts';
import { type CommandIo, UsageError } from './command.ts';
import { complaintOf } from './leaking-node.ts';
import { refuseWords } from './own-options.ts';

export type StartServer = (
  settings: Settings,
  log: RootLogger,
  signal: AbortSignal,
) => Promise<RunningServer>;

/** Reads settings from all sources. @throws UsageError for what is wrong with them, all of it at once */
export function readSettings(args: readonly string[]): LoadedSettings {
  try {
    const flags = parseFlags(args);
    refuseWords(flags.positional);
    return loadSettings(processSources(flags));
  } catch (error) {
    if (error instanceof SettingsError) throw new UsageError(error.message);
    throw error;
  }
}

/** Runs a server until it is told to stop. */
export async function serve(args: readonly string[], io: CommandIo, start: StartServer): Promise<number> {
  const loaded = readSettings(args);
  const { settings } = loaded;
  const format = settings.logFormat === 'auto' ? (io.isTerminal ? 'text' : 'json') : settings.logFormat;
  const also = puppetServerLog(settings);
  const log = createLogger({ level: settings.logLevel, format, hasColours: io.isTerminal, also });
  for (const warning of loaded.warnings) log.warn({ setting: warning }, 'setting is not known');
  const complaint = complaintOf(process.version);
  if (complaint !== undefined) log.warn({}, complaint);
  survive(log);
  const user = becomeOwnerOf(settings.stateDir);
  if (user) log.info({ ...user, directory: settings.stateDir }, 'running as the user who owns the directory');
  boundHeaps();
  keepCompiledProgram(join(settings.stateDir, 'compiled-program'));
  let server: RunningServer;
  try {
    server = await start(settings, log, io.signal);
  } catch (error) {
    if (io.signal.aborted) return 0;
    log.error(fieldsOf(error), 'could not start');
    // Threads and handles of a half-started server must not keep the process alive.
    process.exit(1);
  }
  noteStart(loaded, server.port, log);
  sayLevel(loaded, log);
  const reload = () => void reloadAll(args, log, server);
  process.on('SIGHUP', reload);
  await Promise.race([aborted(io.signal), ...(server.leaving === undefined ? [] : [server.leaving])]);
  log.info({}, 'stopping');
  await server.stop();
  process.off('SIGHUP', reload);
  log.info({}, 'stopped');
  return 0;
}

/** The log that Puppet Server would write. @throws UsageError when its file can't be opened */
function puppetServerLog({ puppetserverLog: path }: Settings): LogDestination | undefined {
  if (path === '') return undefined;
  try {
    const file = new LogFile(path, 'puppetserver_log');
    return { write: (line) => file.write(renderPuppetServerLine(line)) };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Lets commands find this server by its directory alone. */
function noteStart({ given, settings }: LoadedSettings, port: number, log: RootLogger): void {
  const path = startedWithFile(settings.stateDir);
  try {
    writeFileSync(path, encodeStartedWith(given, port), { mode: 0o600 });
    writeFileSync(levelFile(settings.stateDir), `${settings.level}\n`);
    if (isNoted(settings.nodeTerminus))
      writeFileSync(nodeTerminusFile(settings.stateDir), `${settings.nodeTerminus}\n`);
  } catch (err) {
    log.warn({ err, file: path }, 'could not write what this server was started with');
  }
}

/** An installation from before there were levels goes on as it was: its administrators should know of the choice. */
function sayLevel({ origins, settings }: LoadedSettings, log: RootLogger): void {
  const { level: languageLevel } = settings;
  if (languageLevel > 7 || origins.languageLevel !== 'default') return;
  const message =
    'compiling as Puppet 7, as before; the setting language_level, or one in environment.conf, changes that';
  log.info({ languageLevel }, message);
}

async function reloadAll(args: readonly string[], log: RootLogger, server: RunningServer): Promise<void> {
  try {
    log.setLevel(readSettings(args).settings.logLevel);
    await server.reload();
    log.info({ level: log.level }, 'reloaded certificates, rules and log level');
  } catch (error) {
    log.error(fieldsOf(error), 'could not reload, going on as before');
  }
}

/** What a person can put right needs no stack; everything else is a bug. */
function fieldsOf(error: unknown): LogFields {
  return isForPeople(error) ? { reason: error.message } : { err: error };
}

/** What the system refuses names the file. */
function isForPeople(error: unknown): error is Error {
  if (error instanceof ServiceError || error instanceof UsageError) return true;
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

/** A bug in one request must not end the process that serves all others. */
function survive(log: RootLogger): void {
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
