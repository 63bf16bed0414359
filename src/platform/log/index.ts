export {
  createLogger,
  type LogDestination,
  type LoggerOptions,
  type RootLogger,
} from './create-logger.ts';
export { type LogFields, type Logger, type LogLevel, silentLogger } from './logger.ts';
