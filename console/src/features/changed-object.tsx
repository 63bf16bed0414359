/** The object of a recorded change, as a link to its page where it has one. */

import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ActivityChange } from '../api/activity.ts';
import { visibleText } from '../lib/visible-text.ts';

export const objectWords: Readonly<Record<string, string>> = {
  node_groups: 'Node group',
  users: 'User',
  user_groups: 'User group',
  roles: 'Role',
  tokens: 'Token',
  directories: 'Directory',
  directory_service: 'Directory',
  configuration: 'Configuration',
  environments: 'Environment',
  certificates: 'Certificate',
  nodes: 'Node',
  servers: 'Server',
  join_tokens: 'Join token',
  jobs: 'Job',
  plan_jobs: 'Plan',
  scheduled_jobs: 'Schedule',
  task_targets: 'Task target',
};

export function ChangedObject({ object }: Pick<ActivityChange, 'object'>): ReactElement {
  const text = visibleText(object.name);
  switch (object.type) {
    case 'node_groups':
      return (
        <Link to="/groups/{-$id}" params={{ id: object.id }}>
          {text}
        </Link>
      );
    case 'certificates':
      return (
        <Link to="/certificates" search={{ state: 'signed', q: object.name }}>
          {text}
        </Link>
      );
    case 'nodes':
      return (
        <Link to="/nodes/$certname" params={{ certname: object.id }}>
          {text}
        </Link>
      );
    case 'environments':
      return (
        <Link to="/code/$environment" params={{ environment: object.name }}>
          {text}
        </Link>
      );
    case 'servers':
      return (
        <Link to="/servers/$certname" params={{ certname: object.id }}>
          {text}
        </Link>
      );
    case 'users':
      return (
        <Link to="/access/{-$tab}" params={{ tab: undefined }} search={{ id: object.id }}>
          {text}
        </Link>
      );
    case 'roles':
      return (
        <Link to="/access/{-$tab}" params={{ tab: 'roles' }} search={{ id: object.id }}>
          {text}
        </Link>
      );
    case 'jobs':
      return /^\d+$/.test(object.id) ? (
        <Link to="/jobs/$id" params={{ id: object.id }}>
          {text}
        </Link>
      ) : (
        <>{text}</>
      );
    default:
      return <>{text}</>;
  }
}
