/** The pages that people go to, with what they have to be allowed to see. */

import {
  BadgeCheck,
  Boxes,
  CalendarClock,
  FileClock,
  FileSearch,
  LayoutDashboard,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  MonitorPlay,
  Network,
  Play,
  Server,
  SquareTerminal,
  Zap,
} from 'lucide-react';
import { mayDo, maySeeJobs, type Session } from '../api/session.ts';

interface Place {
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
    | '/certificates';
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
      {
        to: '/certificates',
        title: 'Certificates',
        icon: BadgeCheck,
        key: 'i',
        mayView: (session) =>
          mayDo(session, 'cert_requests', 'accept_reject') || mayDo(session, 'certificates', 'revoke'),
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
