/** What happens to the fleet in a day of a simulation. */

export interface Scenario {
  readonly name: string;
  readonly summary: string;
  /** Launches take a time between these. */
  readonly launchMs: readonly [number, number];
  /** The share of launches that fail. */
  readonly failing: number;
  /** Nodes lose power, and come back within two minutes. */
  readonly powerFailureMs?: number;
  /** From here on a catalog takes so many times as long. */
  readonly deploy?: { readonly atMs: number; readonly factor: number };
  /** This share of the nodes is there only between these times. */
  readonly daytime?: { readonly share: number; readonly fromMs: number; readonly toMs: number };
  /** This share of the servers vanishes. */
  readonly loss?: { readonly atMs: number; readonly share: number };
  /** The primary is away between these times. */
  readonly primaryAway?: { readonly fromMs: number; readonly toMs: number };
}

const hour = 60 * 60_000;
const minute = 60_000;
const usual = { launchMs: [90_000, 180_000], failing: 0 } as const;

export const scenarios: readonly Scenario[] = [
  { ...usual, name: 'splayed', summary: 'Nodes come evenly, each half hour.' },
  {
    ...usual,
    name: 'power-failure',
    summary: 'After 3 h all nodes start again within 2 minutes, and keep that phase.',
    powerFailureMs: 3 * hour,
  },
  {
    ...usual,
    name: 'deploy',
    summary: 'After 6 h a deploy makes catalogs take three times as long.',
    deploy: { atMs: 6 * hour, factor: 3 },
  },
  {
    ...usual,
    name: 'business-hours',
    summary: 'Half of the nodes are there from 08:00 to 18:00 alone, and start within half an hour.',
    daytime: { share: 0.5, fromMs: 8 * hour, toMs: 18 * hour },
  },
  {
    ...usual,
    name: 'servers-lost',
    summary: 'After 6 h a third of the servers vanishes.',
    loss: { atMs: 6 * hour, share: 1 / 3 },
  },
  {
    name: 'failing-launches',
    summary: 'The power failure, where launches take 45 to 180 s and one of ten fails.',
    launchMs: [45_000, 180_000],
    failing: 0.1,
    powerFailureMs: 3 * hour,
  },
  {
    ...usual,
    name: 'primary-away',
    summary: 'Business hours, and the primary is away from 08:05 to 08:20.',
    daytime: { share: 0.5, fromMs: 8 * hour, toMs: 18 * hour },
    primaryAway: { fromMs: 8 * hour + 5 * minute, toMs: 8 * hour + 20 * minute },
  },
];
