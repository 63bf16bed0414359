/** Settings, logs and the catalog, for Ruby code that is interpreted. */

import { puppetVersionOf } from '../../levels/index.ts';
import { giveUp, type PuppetAccess, type PuppetLogLevel } from '../../ruby/index.ts';
import type { RubyCaller, RubyHost, RubyResource } from '../ruby-host.ts';

export class PuppetView implements PuppetAccess {
  private readonly caller: RubyCaller;
  private readonly ruby: RubyHost | undefined;

  constructor(caller: RubyCaller, ruby: RubyHost | undefined) {
    this.caller = caller;
    this.ruby = ruby;
  }

  get version(): string {
    const { context } = this.caller;
    return String(
      context.scope.find('::serverversion') ?? puppetVersionOf(context.environment.config.settings),
    );
  }

  get strict(): string {
    return this.caller.context.environment.config.settings.strict;
  }

  get resource(): RubyResource | undefined {
    return this.caller.scope.resource;
  }

  log(level: PuppetLogLevel, message: string): void {
    this.caller.context.log(level, message);
  }

  deprecated(key: string, message: string): void {
    this.caller.context.warnOnce(key, message, 'deprecation');
  }

  environmentVariable(name: string): string | undefined {
    return this.ruby?.environmentVariable === undefined
      ? giveUp('a variable of the process')
      : this.ruby.environmentVariable(name);
  }

  callers(): readonly (readonly [file: string, line: number])[] {
    return Array.from(this.caller.callers(), ({ file = '', line = 0 }) => [
      file === '' ? 'unknown' : file,
      line,
    ]);
  }

  isTypeKnown(name: string): boolean {
    return this.caller.context.catalog.isTypeKnown(name);
  }

  isClassKnown(name: string): boolean {
    return this.caller.context.catalog.isClassKnown(name);
  }

  get titleNames(): PuppetAccess['titleNames'] {
    return (type, title) => this.caller.catalog.titleNames(type, title);
  }

  findResource(type: string, title: string): RubyResource | undefined {
    return this.caller.catalog.find(type, title);
  }
}
