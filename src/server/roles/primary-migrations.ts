/** The tables of the primary. */

import { changeMigrations } from '../../platform/changes/index.ts';
import { autoscalerMigrations } from '../../services/autoscaler/index.ts';
import { classifierMigrations } from '../../services/classifier/index.ts';
import { consoleMigrations, preferenceMigrations } from '../../services/console/index.ts';
import { identityMigrations } from '../../services/identity/index.ts';
import { infrastructureMigrations } from '../../services/infrastructure/index.ts';
import { orchestratorMigrations } from '../../services/orchestrator/index.ts';
import { outboxMigrations } from '../../services/outbox/index.ts';
import { planMigrations } from '../../services/plans/index.ts';
import { rbacMigrations } from '../../services/rbac/index.ts';

export const primaryMigrations = [
  ...outboxMigrations,
  ...infrastructureMigrations,
  ...identityMigrations,
  ...changeMigrations,
  ...classifierMigrations,
  ...rbacMigrations,
  ...orchestratorMigrations,
  ...planMigrations,
  ...autoscalerMigrations,
  ...consoleMigrations,
  ...preferenceMigrations,
];
