export {
  createLogger,
  type LogDestination,
  type LoggerOptions,
  type LogLevel,
  type RootLogger,
} from './create-logger.ts';
export { type LogFields, type Logger, silentLogger } from './logger.ts';
