/** What threads that evaluate Puppet code are made of: those that compile, and those that run plans. */

export { hostTermini } from '../host-termini.ts';
export { RubyEnvironment } from '../ruby/index.ts';
