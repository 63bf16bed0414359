/** All commands of the program. Each is loaded only when it is called, so that small ones start at once. */

import { accessCommands } from './access-commands.ts';
import { autoscalerCommands } from './autoscaler-commands.ts';
import type { CommandEntry } from './command.ts';
import { groupCommands } from './group-commands.ts';

export const commands: readonly CommandEntry[] = [
  {
    name: 'primary',
    summary: 'Run the primary: certificate authority, code, database, and all that agents need',
    load: async () => (await import('./primary.ts')).primaryCommand,
  },
  {
    name: 'compile-server',
    summary: 'Run a compile server that follows a primary',
    load: async () => (await import('./compile-server/compile-server.ts')).compileServerCommand,
  },
  {
    name: 'compile-server join',
    summary: 'Make a compile server of this machine',
    load: async () => (await import('./compile-server/join.ts')).compileServerJoinCommand,
  },
  {
    name: 'compile-server leave',
    summary: 'Let this compile server leave the installation',
    load: async () => (await import('./compile-server/leave.ts')).compileServerLeaveCommand,
  },
  {
    name: 'puppetdb',
    summary: 'Run PuppetDB on a host of its own',
    load: async () => (await import('./puppetdb-role.ts')).puppetDbCommand,
  },
  {
    name: 'console',
    summary: 'Run the console with users and groups on a host of its own, without state',
    load: async () => (await import('./console.ts')).consoleCommand,
  },
  {
    name: 'infrastructure status',
    summary: 'Show the primary and each compile server: state, services, code, load',
    load: async () => (await import('./infrastructure/status.ts')).infrastructureStatusCommand,
  },
  {
    name: 'infrastructure token',
    summary: 'Make a token that a compile server joins with; list and delete them',
    load: async () => (await import('./infrastructure/token.ts')).infrastructureTokenCommand,
  },
  {
    name: 'infrastructure drain',
    summary: 'Let a compile server drain and leave, in order',
    load: async () => (await import('./infrastructure/drain.ts')).infrastructureDrainCommand,
  },
  {
    name: 'infrastructure forget',
    summary: 'Let a compile server leave: drain, revoke, deactivate, forget',
    load: async () => (await import('./infrastructure/forget.ts')).infrastructureForgetCommand,
  },
  ...autoscalerCommands,
  {
    name: 'ca',
    summary: 'Manage the certificate authority: setup, list, sign, revoke, clean, verify and more',
    load: async () => (await import('./ca/ca.ts')).caCommand,
  },
  {
    name: 'cert',
    summary: "The certificate authority in the words of 'puppet cert'",
    load: async () => (await import('./ca/cert.ts')).certCommand,
  },
  {
    name: 'catalog compile',
    summary: 'Compile the catalog of one node without a server',
    load: async () => (await import('./language/catalog-compile.ts')).catalogCompileCommand,
  },
  {
    name: 'catalog diff',
    summary: 'Compare two catalogs',
    load: async () => (await import('./language/catalog-diff.ts')).catalogDiffCommand,
  },
  {
    name: 'lookup',
    summary: 'Look data up as a node would, and explain where it comes from',
    load: async () => (await import('./language/lookup.ts')).lookupCommand,
  },
  {
    name: 'evaluate',
    summary: 'Evaluate Puppet code and print the value of its last expression',
    load: async () => (await import('./language/evaluate.ts')).evaluateCommand,
  },
  {
    name: 'parser validate',
    summary: 'Check the syntax of manifests',
    load: async () => (await import('./language/parser-validate.ts')).parserValidateCommand,
  },
  {
    name: 'parser dump',
    summary: 'Print the syntax tree of manifests',
    load: async () => (await import('./language/parser-dump.ts')).parserDumpCommand,
  },
  {
    name: 'gem',
    summary: "Install gems that modules' code in Ruby needs, on every server; list, update, uninstall them",
    load: async () => (await import('./gem/gem.ts')).gemCommand,
  },
  {
    name: 'code deploy',
    summary: 'Deploy environments from their control repositories, or what is staged, to every server',
    load: async () => (await import('./code/deploy.ts')).codeDeployCommand,
  },
  {
    name: 'code commit',
    summary: 'Make what is staged live on every server',
    load: async () => (await import('./code/commit.ts')).codeCommitCommand,
  },
  {
    name: 'code levels',
    summary: 'Show what the next language level would break or change, node by node',
    load: async () => (await import('./code/levels.ts')).codeLevelsCommand,
  },
  {
    name: 'code status',
    summary: 'Show deploys, and what each server serves',
    load: async () => (await import('./code/status.ts')).codeStatusCommand,
  },
  {
    name: 'code rollback',
    summary: 'Serve an earlier version of an environment at once',
    load: async () => (await import('./code/rollback.ts')).codeRollbackCommand,
  },
  {
    name: 'code token',
    summary: 'Make a token that may deploy, for a webhook or a pipeline',
    load: async () => (await import('./code/token.ts')).codeTokenCommand,
  },
  {
    name: 'access login',
    summary: 'Get a token for a login and a password, and keep it for other commands',
    load: async () => (await import('./access/login.ts')).accessLoginCommand,
  },
  {
    name: 'access show',
    summary: "Print the token that 'bunraku access login' has kept",
    load: async () => (await import('./access/show.ts')).accessShowCommand,
  },
  {
    name: 'access delete-token-file',
    summary: "Delete the token that 'bunraku access login' has kept",
    load: async () => (await import('./access/delete-token-file.ts')).accessDeleteTokenFileCommand,
  },
  {
    name: 'activity',
    summary: 'Show who changed what, when and from where',
    load: async () => (await import('./access/activity.ts')).activityCommand,
  },
  ...accessCommands,
  ...groupCommands,
  {
    name: 'job run',
    summary: 'Run Puppet on nodes, and show the results',
    load: async () => (await import('./orchestration/job-run.ts')).jobRunCommand,
  },
  {
    name: 'job show',
    summary: 'Show a job with its result on each node',
    load: async () => (await import('./orchestration/job-show.ts')).jobShowCommand,
  },
  {
    name: 'job list',
    summary: 'List jobs, the newest first',
    load: async () => (await import('./orchestration/job-show.ts')).jobListCommand,
  },
  {
    name: 'job stop',
    summary: 'Stop a job: start no more nodes; nodes that run go on',
    load: async () => (await import('./orchestration/job-show.ts')).jobStopCommand,
  },
  {
    name: 'schedule list',
    summary: 'List what is scheduled, the next first',
    load: async () => (await import('./orchestration/schedules.ts')).scheduleListCommand,
  },
  {
    name: 'schedule show',
    summary: 'Show what is scheduled, and what its last run was',
    load: async () => (await import('./orchestration/schedules.ts')).scheduleShowCommand,
  },
  {
    name: 'schedule enable',
    summary: 'Let what is scheduled start again',
    load: async () => (await import('./orchestration/schedules.ts')).scheduleEnableCommand,
  },
  {
    name: 'schedule disable',
    summary: 'Keep what is scheduled, and start nothing of it',
    load: async () => (await import('./orchestration/schedules.ts')).scheduleDisableCommand,
  },
  {
    name: 'schedule delete',
    summary: 'Delete what is scheduled; jobs that it started go on',
    load: async () => (await import('./orchestration/schedules.ts')).scheduleDeleteCommand,
  },
  {
    name: 'command run',
    summary: 'Run a line in the shell of nodes, and show what it writes',
    load: async () => (await import('./orchestration/command-run.ts')).commandRunCommand,
  },
  {
    name: 'script run',
    summary: 'Send a script to nodes, run it there, and show what it writes',
    load: async () => (await import('./orchestration/command-run.ts')).scriptRunCommand,
  },
  {
    name: 'connection add',
    summary: 'Reach nodes without an agent by SSH',
    load: async () => (await import('./orchestration/connections.ts')).connectionAddCommand,
  },
  {
    name: 'connection list',
    summary: 'List nodes that are reached by SSH',
    load: async () => (await import('./orchestration/connections.ts')).connectionListCommand,
  },
  {
    name: 'connection delete',
    summary: 'Reach nodes by SSH no longer, and forget the keys and passwords',
    load: async () => (await import('./orchestration/connections.ts')).connectionDeleteCommand,
  },
  {
    name: 'task run',
    summary: 'Run a task on nodes, and show the results',
    load: async () => (await import('./orchestration/task-run.ts')).taskRunCommand,
  },
  {
    name: 'task list',
    summary: 'List the tasks that you may run',
    load: async () => (await import('./orchestration/task-show.ts')).taskListCommand,
  },
  {
    name: 'task show',
    summary: 'Show what a task does, and its parameters',
    load: async () => (await import('./orchestration/task-show.ts')).taskShowCommand,
  },
  {
    name: 'plan run',
    summary: 'Run a plan, and show what it says and returns',
    load: async () => (await import('./orchestration/plan-run.ts')).planRunCommand,
  },
  {
    name: 'plan stop',
    summary: 'End a plan where it is; what runs on nodes goes on',
    load: async () => (await import('./orchestration/plan-run.ts')).planStopCommand,
  },
  {
    name: 'plan list',
    summary: 'List the plans that you may run',
    load: async () => (await import('./orchestration/plan-show.ts')).planListCommand,
  },
  {
    name: 'plan show',
    summary: 'Show what a plan does, and its parameters',
    load: async () => (await import('./orchestration/plan-show.ts')).planShowCommand,
  },
  {
    name: 'inventory',
    summary: 'Show which nodes are connected for jobs, and to which broker',
    load: async () => (await import('./orchestration/inventory.ts')).inventoryCommand,
  },
  {
    name: 'user create',
    summary: 'Make a user, who can log in and get tokens',
    load: async () => (await import('./user/create.ts')).userCreateCommand,
  },
  {
    name: 'user list',
    summary: 'List users with their roles',
    load: async () => (await import('./user/list.ts')).userListCommand,
  },
  {
    name: 'user roles',
    summary: 'Give roles to a user, and take them back',
    load: async () => (await import('./user/roles.ts')).userRolesCommand,
  },
  {
    name: 'user password',
    summary: 'Give a user a new password',
    load: async () => (await import('./user/password.ts')).userPasswordCommand,
  },
  {
    name: 'user token',
    summary: 'Make a token for a user; list and revoke them',
    load: async () => (await import('./user/token.ts')).userTokenCommand,
  },
  {
    name: 'user revoke',
    summary: 'Lock a user out: no login, and no valid token',
    load: async () => (await import('./user/revoke.ts')).userRevokeCommand,
  },
  {
    name: 'user reinstate',
    summary: 'Let a user in again who was revoked, or locked out by wrong passwords',
    load: async () => (await import('./user/reinstate.ts')).userReinstateCommand,
  },
  {
    name: 'user delete',
    summary: 'Delete a user with all tokens',
    load: async () => (await import('./user/delete.ts')).userDeleteCommand,
  },
  {
    name: 'query',
    summary: 'Ask PuppetDB, in PQL or in the AST language',
    load: async () => (await import('./puppetdb/query.ts')).queryCommand,
  },
  {
    name: 'db status',
    summary: 'Show the state of PuppetDB and how much is in it',
    load: async () => (await import('./puppetdb/db-status.ts')).dbStatusCommand,
  },
  {
    name: 'db export',
    summary: 'Write what PuppetDB knows of active nodes to an archive',
    load: async () => (await import('./puppetdb/db-export.ts')).dbExportCommand,
  },
  {
    name: 'db import',
    summary: 'Load an archive of a PuppetDB',
    load: async () => (await import('./puppetdb/db-import.ts')).dbImportCommand,
  },
  {
    name: 'db migrate',
    summary: "Copy PuppetDB's data to another database: from SQLite to PostgreSQL, or back",
    load: async () => (await import('./puppetdb/db-migrate.ts')).dbMigrateCommand,
  },
  {
    name: 'packages add',
    summary: 'Add agent packages to what install.bash and install.ps1 install',
    load: async () => (await import('./packages/add.ts')).packagesAddCommand,
  },
  {
    name: 'packages list',
    summary: 'List the agent packages of the primary',
    load: async () => (await import('./packages/list.ts')).packagesListCommand,
  },
  {
    name: 'packages remove',
    summary: 'Remove agent packages from the primary',
    load: async () => (await import('./packages/remove.ts')).packagesRemoveCommand,
  },
  {
    name: 'packages one-liner',
    summary: 'Print the line that makes a machine an agent',
    load: async () => (await import('./packages/one-liner.ts')).packagesOneLinerCommand,
  },
  {
    name: 'dns zone',
    summary: 'Print SRV records by which agents find their servers',
    load: async () => (await import('./load-balancer/dns-zone.ts')).dnsZoneCommand,
  },
  {
    name: 'haproxy follow',
    summary: 'Keep a running HAProxy in step with the compile servers',
    load: async () => (await import('./load-balancer/haproxy-follow.ts')).haproxyFollowCommand,
  },
  {
    name: 'haproxy config',
    summary: 'Print a configuration of HAProxy for the compile servers',
    load: async () => (await import('./load-balancer/haproxy-config.ts')).haproxyConfigCommand,
  },
  {
    name: 'links install',
    summary: "Let people type 'puppetserver ca', 'puppet infrastructure' and the like",
    load: async () => (await import('./links/install.ts')).linksInstallCommand,
  },
  {
    name: 'links remove',
    summary: "Remove what 'bunraku links install' made",
    load: async () => (await import('./links/remove.ts')).linksRemoveCommand,
  },
];
