/** How much of the compile servers is used, and how many are advised. */

import { get, post, put } from './client.ts';

export interface ScalingSettings {
  readonly min: number;
  readonly max: number;
  /** The share of the workers that is used when there are as many as needed: 0.6. */
  readonly target: number;
  readonly paused: boolean;
}

export type ScalingLimits = Partial<Pick<ScalingSettings, 'min' | 'max' | 'target'>>;

export interface ScalingNumbers {
  /** In percent. */
  readonly capacity_used: number;
  readonly need_workers: number;
  readonly work_workers: number;
  readonly backlog_workers: number;
  readonly planned_workers: number;
  readonly plan_trusted: boolean;
  /** A share; null while the plan has not been compared with what happened. */
  readonly plan_error: number | null;
  readonly recent_peak_workers: number;
  readonly serving_workers: number;
}

export interface ScalingHold {
  readonly kind: string;
  readonly until: string | null;
}

export interface ScalingStatus {
  readonly settings: ScalingSettings;
  /** What launches and ends servers; `static` where people do. */
  readonly driver: { readonly name: string; readonly counted_by: string };
  /** Whether all numbers are known. */
  readonly complete: boolean;
  readonly numbers: ScalingNumbers;
  readonly nodes: { readonly waiting: number; readonly known: number };
  readonly servers: readonly ScaledServer[];
  readonly advice: {
    /** Those that serve or are on their way. */
    readonly servers: number;
    readonly wanted: number;
    readonly advised: number;
    readonly holds: readonly ScalingHold[];
  };
}

export interface ScaledServer {
  readonly certname: string;
  readonly phase: string;
  readonly workers: number;
  /** The share of its capacity. */
  readonly used: number;
}

export interface ScalingEntry {
  readonly id: number;
  readonly time: string;
  readonly kind: string;
  readonly message: string;
  readonly serving: number;
  readonly wanted: number;
  readonly numbers: Readonly<Record<'work' | 'backlog' | 'planned' | 'capacity' | 'need', number>> | null;
}

const root = '/autoscaler/v1';

export async function readScaling(signal: AbortSignal): Promise<ScalingStatus> {
  return await get(`${root}/status`, {}, signal);
}

/** Entries, the newest first. @param before - the id that all of them are older than */
export async function readScalingHistory(
  limit: number,
  before: number | undefined,
  signal: AbortSignal,
): Promise<readonly ScalingEntry[]> {
  return await get(`${root}/history`, { limit, before }, signal);
}

/** What would be advised now with other limits; nothing changes. */
export async function previewScaling(settings: ScalingLimits, signal: AbortSignal): Promise<ScalingStatus> {
  const status = await post<ScalingStatus>(`${root}/preview`, settings, signal);
  if (status === undefined) throw new Error('the autoscaler has answered nothing');
  return status;
}

export async function changeScaling(settings: ScalingLimits): Promise<void> {
  await put(`${root}/settings`, settings);
}

export async function pauseScaling(isPaused: boolean): Promise<void> {
  await post(`${root}/${isPaused ? 'pause' : 'resume'}`, {});
}
