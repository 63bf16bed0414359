/** The program's logger: JSON lines for machines, readable lines for a person at a terminal. */

import {
  type DestinationStream,
  type Logger as PinoLogger,
  pino,
  stdSerializers,
  stdTimeFunctions,
} from 'pino';
import { ServiceError } from '../../lib/service-error.ts';
import { BufferedOutput } from './buffered-output.ts';
import type { LogFields, Logger, LogLevel } from './logger.ts';
import { redact } from './redact.ts';
import { renderLine } from './render-line.ts';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  /** Takes whole lines; standard error when absent, so that the output of a command stays its own. */
  readonly destination?: LogDestination;
  /** Gets each line, as JSON, besides. */
  readonly also?: LogDestination | undefined;
  /** Colours in text lines. */
  readonly hasColours?: boolean;
}

export interface LogDestination {
  write(line: string): void;
}

export interface RootLogger extends Logger {
  readonly level: LogLevel;
  /** Takes effect at once, for all children too. */
  setLevel(level: LogLevel): void;
  /** Writes what is still held back; done by itself when the process exits. */
  flush(): void;
}

/** Lines are buffered, because one write per line costs 25 us, half as much as a small request. */
const heldBytes = 8192;
const heldMs = 100;

/** Values of fields named like secrets, and Sensitive values, are replaced before anything is written. */
export function createLogger(options: LoggerOptions): RootLogger {
  const own = options.destination === undefined ? standardError(options.format) : undefined;
  const target: LogDestination = options.destination ?? own ?? process.stderr;
  const shown = options.format === 'json' ? target : textDestination(target, options.hasColours ?? false);
  const { also } = options;
  const destination = also === undefined ? shown : both(shown, also);
  const root = pino(
    {
      level: 'debug',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: renderError },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination as DestinationStream,
  );
  return new PinoRoot(root, options.level, () => own?.flushSync());
}

function both(first: LogDestination, second: LogDestination): LogDestination {
  const write = (line: string) => {
    first.write(line);
    second.write(line);
  };
  return { write };
}

/** Lines for machines are held back for a moment, lines for people are not. */
function standardError(format: LoggerOptions['format']): LogDestination & { flushSync(): void } {
  const output = new BufferedOutput({ fd: 2, bytes: heldBytes, intervalMs: heldMs });
  if (format === 'text') {
    const write = (line: string) => {
      output.write(line);
      output.flushSync();
    };
    return { write, flushSync: () => output.flushSync() };
  }
  process.once('exit', () => output.flushSync());
  return output;
}

/** A stack is for bugs; what went wrong in a known way says so in its message. */
function renderError(error: unknown): unknown {
  if (error instanceof ServiceError)
    return { type: error.name, message: error.message, reason: error.reason };
  return error instanceof Error ? stdSerializers.err(error) : error;
}

function textDestination(target: LogDestination, hasColours: boolean): LogDestination {
  return { write: (line) => target.write(renderLine(line, hasColours)) };
}

/** One threshold for a whole family of loggers: pino's children each keep a level of their own. */
interface Threshold {
  level: LogLevel;
}

const severity: Readonly<Record<LogLevel, number>> = { error: 3, warn: 2, info: 1, debug: 0 };

class PinoFamilyLogger implements Logger {
  protected readonly pino: PinoLogger;
  protected readonly threshold: Threshold;

  constructor(logger: PinoLogger, threshold: Threshold) {
    this.pino = logger;
    this.threshold = threshold;
  }

  error(fields: LogFields, message: string): void {
    this.write('error', fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.write('warn', fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.write('info', fields, message);
  }

  debug(fields: LogFields, message: string): void {
    this.write('debug', fields, message);
  }

  isWriting(level: LogLevel): boolean {
    return severity[level] >= severity[this.threshold.level];
  }

  child(fields: LogFields): Logger {
    return new PinoFamilyLogger(this.pino.child(redact(fields)), this.threshold);
  }

  private write(level: LogLevel, fields: LogFields, message: string): void {
    if (this.isWriting(level)) this.pino[level](redact(fields), message);
  }
}

class PinoRoot extends PinoFamilyLogger implements RootLogger {
  readonly flush: () => void;

  constructor(logger: PinoLogger, level: LogLevel, flush: () => void) {
    super(logger, { level });
    this.flush = flush;
  }

  get level(): LogLevel {
    return this.threshold.level;
  }

  setLevel(level: LogLevel): void {
    this.threshold.level = level;
  }
}
