/** The pages that people go to, with what they have to be allowed to see. */

import {
  BadgeCheck,
  FileClock,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Network,
  Server,
} from 'lucide-react';
import { mayDo, maySeeJobs, type Session } from '../api/session.ts';

interface Place {
  readonly to: '/' | '/nodes' | '/reports' | '/groups/{-$id}' | '/jobs' | '/certificates';
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
      { to: '/reports', title: 'Reports', icon: FileClock, key: 'r', mayView: viewData },
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
    places: [{ to: '/jobs', title: 'Jobs', icon: ListChecks, key: 'j', mayView: maySeeJobs }],
  },
  {
    title: 'Infrastructure',
    places: [
      {
        to: '/certificates',
        title: 'Certificates',
        icon: BadgeCheck,
        key: 'e',
        mayView: (session) =>
          mayDo(session, 'cert_requests', 'accept_reject') || mayDo(session, 'certificates', 'revoke'),
      },
    ],
  },
];

/** What this user may view. */
export function visibleSections(session: Session): readonly Section[] {
  return sections
    .map(({ places, ...section }) => ({
      ...section,
      places: places.filter(({ mayView }) => mayView(session)),
    }))
    .filter(({ places }) => places.length > 0);
}
