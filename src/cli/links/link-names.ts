/** Commands that users of Puppet type, and the words of ours that they stand for. */

export interface LinkedCommand {
  /** The program on the path. The real `puppet` runs `puppet-NAME` for a `puppet NAME` that it does not have itself. */
  readonly program: string;
  /** As people type it. */
  readonly typed: string;
  /** Words of our command line. */
  readonly words: string;
}

export const linkedCommands: readonly LinkedCommand[] = [
  { program: 'puppetserver', typed: 'puppetserver ca, puppetserver gem', words: '' },
  { program: 'puppet-access', typed: 'puppet access', words: 'access' },
  { program: 'puppet-cert', typed: 'puppet cert', words: 'cert' },
  { program: 'puppet-code', typed: 'puppet code', words: 'code' },
  { program: 'puppet-db', typed: 'puppet db', words: 'db' },
  { program: 'puppet-infra', typed: 'puppet infra', words: 'infrastructure' },
  { program: 'puppet-infrastructure', typed: 'puppet infrastructure', words: 'infrastructure' },
  { program: 'puppet-query', typed: 'puppet query', words: 'query' },
];
