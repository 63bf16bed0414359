/** The pages that people go to, with what they have to be allowed to see. */

import {
  BadgeCheck,
  Boxes,
  CalendarClock,
  Download,
  FileClock,
  FileSearch,
  Gauge,
  GitBranch,
  HardDrive,
  History,
  LayoutDashboard,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  MonitorPlay,
  Network,
  Play,
  Server,
  Settings,
  SquareTerminal,
  UserCog,
  Zap,
} from 'lucide-react';
import {
  mayDo,
  maySeeActivity,
  maySeeCertificates,
  maySeeCode,
  maySeeJobs,
  maySeeScaling,
  maySeeServers,
  type Session,
} from '../api/session.ts';

export interface Place {
  readonly to:
    | '/'
    | '/nodes'
    | '/events'
    | '/reports'
    | '/facts'
    | '/packages'
    | '/query'
    | '/groups/{-$id}'
    | '/jobs'
    | '/tasks/{-$name}'
    | '/plans/{-$name}'
    | '/schedules/{-$id}'
    | '/live'
    | '/code'
    | '/servers'
    | '/scaling'
    | '/certificates'
    | '/install'
    | '/access/{-$tab}'
    | '/activity'
    | '/settings';
  readonly title: string;
  readonly icon: LucideIcon;
  /** After `g`, the key that goes there. */
  readonly key: string;
  readonly mayView: (session: Session) => boolean;
}

interface Section {
  /** Absent for what comes before all sections. */
  readonly title?: string;
  readonly places: readonly Place[];
}

const viewData = (session: Session) => mayDo(session, 'nodes', 'view_data');

/** Shown to users who may change one of these. */
const accessTypes = ['users', 'user_roles', 'user_groups', 'directory_service'];

const sections: readonly Section[] = [
  {
    places: [{ to: '/', title: 'Overview', icon: LayoutDashboard, key: 'o', mayView: viewData }],
  },
  {
    title: 'Inspect',
    places: [
      { to: '/nodes', title: 'Nodes', icon: Server, key: 'n', mayView: viewData },
      { to: '/events', title: 'Events', icon: Zap, key: 'e', mayView: viewData },
      { to: '/reports', title: 'Reports', icon: FileClock, key: 'r', mayView: viewData },
      { to: '/facts', title: 'Facts', icon: FileSearch, key: 'f', mayView: viewData },
      { to: '/packages', title: 'Packages', icon: Boxes, key: 'k', mayView: viewData },
      { to: '/query', title: 'Query', icon: SquareTerminal, key: 'q', mayView: viewData },
    ],
  },
  {
    title: 'Configure',
    places: [
      {
        to: '/groups/{-$id}',
        title: 'Classification',
        icon: Network,
        key: 'c',
        mayView: (session) =>
          session.features.includes('classifier') && mayDo(session, 'node_groups', 'view'),
      },
      { to: '/code', title: 'Code', icon: GitBranch, key: 'd', mayView: maySeeCode },
    ],
  },
  {
    title: 'Act',
    places: [
      { to: '/jobs', title: 'Jobs', icon: ListChecks, key: 'j', mayView: maySeeJobs },
      { to: '/tasks/{-$name}', title: 'Tasks', icon: Play, key: 't', mayView: maySeeJobs },
      { to: '/plans/{-$name}', title: 'Plans', icon: ListOrdered, key: 'p', mayView: maySeeJobs },
      { to: '/schedules/{-$id}', title: 'Schedules', icon: CalendarClock, key: 'h', mayView: maySeeJobs },
      { to: '/live', title: 'Live Management', icon: MonitorPlay, key: 'l', mayView: maySeeJobs },
    ],
  },
  {
    title: 'Infrastructure',
    places: [
      { to: '/servers', title: 'Servers', icon: HardDrive, key: 's', mayView: maySeeServers },
      { to: '/scaling', title: 'Scaling', icon: Gauge, key: 'm', mayView: maySeeScaling },
      {
        to: '/certificates',
        title: 'Certificates',
        icon: BadgeCheck,
        key: 'i',
        mayView: maySeeCertificates,
      },
      {
        to: '/install',
        title: 'Install agents',
        icon: Download,
        key: 'w',
        mayView: (session) => mayDo(session, 'cert_requests', 'accept_reject') || maySeeServers(session),
      },
    ],
  },
  {
    title: 'Admin',
    places: [
      {
        to: '/access/{-$tab}',
        title: 'Access control',
        icon: UserCog,
        key: 'u',
        mayView: (session) =>
          accessTypes.some((type) => session.permissions.some((each) => each.object_type === type)) ||
          session.user.is_superuser,
      },
      { to: '/activity', title: 'Activity', icon: History, key: 'a', mayView: maySeeActivity },
      {
        to: '/settings',
        title: 'Settings',
        icon: Settings,
        key: ',',
        mayView: (session) => mayDo(session, 'configuration', 'view_edit'),
      },
    ],
  },
];

/** Without it, an address with an optional part would take over that of the page before. */
export const noParts = { id: undefined, name: undefined };

/** What this user may view. */
export function visibleSections(session: Session): readonly Section[] {
  return sections
    .map(({ places, ...section }) => ({
      ...section,
      places: places.filter(({ mayView }) => mayView(session)),
    }))
    .filter(({ places }) => places.length > 0);
}
