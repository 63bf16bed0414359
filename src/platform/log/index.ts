export {
  createLogger,
  type LogDestination,
  type LoggerOptions,
  type RootLogger,
} from './create-logger.ts';
export { LogFile } from './log-file.ts';
export { type LogFields, type Logger, type LogLevel, silentLogger } from './logger.ts';
export { renderPuppetServerLine } from './render-puppetserver-line.ts';
