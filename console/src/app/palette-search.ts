/** The results of the palette: pages, nodes, node groups, jobs and actions. */

import type { QueryClient } from '@tanstack/react-query';
import { readUsers } from '../api/access.ts';
import { readGroups } from '../api/classifier.ts';
import { readJob } from '../api/jobs.ts';
import { queryNodes } from '../api/nodes.ts';
import { mayDo, maySeeJobs, type Session } from '../api/session.ts';
import type { PageAction } from '../features/page-actions.ts';
import { jobTitle } from '../lib/jobs.ts';
import { pagesNamed, paletteQuestion } from '../lib/palette-question.ts';
import { visibleSections } from './navigation.ts';

export interface PaletteItem {
  readonly id: string;
  readonly section: 'This page' | 'Pages' | 'Nodes' | 'Node groups' | 'Jobs' | 'Users' | 'Do';
  readonly title: string;
  /** An address or an action. */
  readonly target: string | (() => void);
}

interface PaletteSources {
  readonly session: Session;
  readonly queries: QueryClient;
  /** Actions of every page. */
  readonly commands: readonly PaletteItem[];
  /** Actions of the current page on its selection. */
  readonly actions: readonly PageAction[];
}

const mostOfKind = 8;

/** The results that need no request. */
export function localItems(
  text: string,
  { actions, commands, session }: PaletteSources,
): readonly PaletteItem[] {
  const { kind, wanted } = paletteQuestion(text);
  const places = visibleSections(session).flatMap((section) => section.places);
  const pages = kind === 'all' ? pagesNamed(wanted, places) : [];
  const mayAct = kind === 'all' || kind === 'commands';
  const done = mayAct ? commands : [];
  return [
    ...(mayAct ? actions : [])
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .map(({ act, title }) => ({
        id: `action ${title}`,
        section: 'This page' as const,
        title,
        target: act,
      })),
    ...pages.map(({ title, to }) => ({
      id: `page ${to}`,
      section: 'Pages' as const,
      title,
      target: to.replace(/\/\{-\$\w+\}$/, ''),
    })),
    ...(wanted === '' && kind === 'all'
      ? []
      : done.filter(({ title }) => title.toLowerCase().includes(wanted))),
  ];
}

/** The results that the server finds; nodes first. */
export async function foundItems(
  text: string,
  { queries, session }: PaletteSources,
  signal: AbortSignal,
): Promise<readonly PaletteItem[]> {
  const { kind, wanted } = paletteQuestion(text);
  if (wanted === '') return [];
  const [nodes, groups, jobs, users] = await Promise.all([
    kind === 'all' ? nodesLike(wanted, session, signal) : [],
    kind === 'all' || kind === 'groups' ? groupsLike(wanted, session, queries) : [],
    kind === 'jobs' ? jobOf(wanted, session, signal) : [],
    kind === 'users' ? usersLike(wanted, session, signal) : [],
  ]);
  return [...nodes, ...groups, ...jobs, ...users];
}

async function nodesLike(
  wanted: string,
  session: Session,
  signal: AbortSignal,
): Promise<readonly PaletteItem[]> {
  if (!mayDo(session, 'nodes', 'view_data')) return [];
  const { rows } = await queryNodes({ q: `"${wanted.replaceAll('"', '')}"`, limit: mostOfKind }, signal);
  return rows.map(({ certname }) => ({
    id: `node ${certname}`,
    section: 'Nodes',
    title: certname,
    target: `/nodes/${encodeURIComponent(certname)}`,
  }));
}

async function groupsLike(
  wanted: string,
  session: Session,
  queries: QueryClient,
): Promise<readonly PaletteItem[]> {
  if (!session.features.includes('classifier') || !mayDo(session, 'node_groups', 'view')) return [];
  const groups = await queries.fetchQuery({
    queryKey: ['classifier', 'palette'],
    queryFn: ({ signal }) => readGroups(signal),
    staleTime: 60_000,
  });
  return groups
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, mostOfKind)
    .map(({ id, name }) => ({
      id: `group ${id}`,
      section: 'Node groups',
      title: name,
      target: `/groups/${encodeURIComponent(id)}`,
    }));
}

/** A job has a number, not a name. */
async function jobOf(wanted: string, session: Session, signal: AbortSignal): Promise<readonly PaletteItem[]> {
  if (!maySeeJobs(session) || !/^\d+$/.test(wanted)) return [];
  const job = await readJob(wanted, signal).catch(() => undefined);
  if (job === undefined) return [];
  return [
    {
      id: `job ${wanted}`,
      section: 'Jobs',
      title: `${wanted} ${jobTitle(job)}`,
      target: `/jobs/${encodeURIComponent(wanted)}`,
    },
  ];
}

async function usersLike(
  wanted: string,
  session: Session,
  signal: AbortSignal,
): Promise<readonly PaletteItem[]> {
  if (!mayDo(session, 'users', 'edit')) return [];
  const { users } = await readUsers({ filter: wanted, offset: 0, limit: mostOfKind }, signal);
  return users.map(({ display_name: name, id, login }) => ({
    id: `user ${id}`,
    section: 'Users',
    title: name === '' || name === login ? login : `${login} (${name})`,
    target: `/access?id=${encodeURIComponent(id)}`,
  }));
}
