/** Who uses the console, and what they may do. */

import type { SessionAnswer } from '../../../src/services/console/session/wire.ts';
import { get, post, submitForm } from './client.ts';

export type Session = SessionAnswer;

/** @throws ApiError 401 without a session */
export async function readSession(signal: AbortSignal): Promise<Session> {
  return await get('/console-api/v1/session', {}, signal);
}

/** Tries to begin a session; `readSession` says whether it has begun. */
export async function logIn(login: string, password: string, code: string): Promise<void> {
  await submitForm('/auth/login', { login, password, code, next: '/' });
}

export async function logOut(): Promise<void> {
  await post('/auth/logout', {});
}

/** Whether the session may do this to any object, or to the one that is named. */
export function mayDo(
  { permissions, user }: Session,
  objectType: string,
  action: string,
  instance = '*',
): boolean {
  if (user.is_superuser) return true;
  return permissions.some(
    (each) =>
      each.object_type === objectType &&
      each.action === action &&
      (each.instance === '*' || instance === '*' || each.instance === instance),
  );
}

/** Whether the record of changes has something for this user. */
export function maySeeActivity(session: Session): boolean {
  return (
    mayDo(session, 'node_groups', 'view') ||
    mayDo(session, 'users', 'edit') ||
    mayDo(session, 'environment', 'deploy_code') ||
    mayDo(session, 'cert_requests', 'accept_reject') ||
    mayDo(session, 'nodes', 'view_data') ||
    mayDo(session, 'infrastructure', 'edit') ||
    mayDo(session, 'orchestrator', 'view')
  );
}

export function maySeeCertificates(session: Session): boolean {
  return mayDo(session, 'cert_requests', 'accept_reject') || mayDo(session, 'certificates', 'revoke');
}

export function maySeeServers(session: Session): boolean {
  return mayDo(session, 'infrastructure', 'view') || mayDo(session, 'infrastructure', 'edit');
}

/** Whether there is a number of compile servers to show to this user. */
export function maySeeScaling(session: Session): boolean {
  const mayView = mayDo(session, 'autoscaler', 'view') || mayDo(session, 'autoscaler', 'edit');
  return session.features.includes('autoscaler') && mayView;
}

export function maySeeCode(session: Session): boolean {
  return mayDo(session, 'environment', 'deploy_code');
}

/** Whether the primary deploys code from control repositories, and this user may see it. */
export function maySeeDeploys(session: Session): boolean {
  return session.features.includes('code') && maySeeCode(session);
}

/** Whether there are pages of jobs for this user. */
export function maySeeJobs(session: Session): boolean {
  return session.features.includes('orchestrator') && mayDo(session, 'orchestrator', 'view');
}
