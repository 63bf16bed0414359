/** Ruby code of modules, for compile workers. */

export { RubyEnvironment, type RubyEnvironmentOptions } from './ruby-environment.ts';
