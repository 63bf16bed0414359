/** Ruby code of modules, for compile workers. */

export { RubyEnvironment, type RubyEnvironmentOptions, type RubyObserver } from './ruby-environment.ts';
