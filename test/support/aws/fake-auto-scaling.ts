/**
 * One region's Auto Scaling, for the calls that the program makes: groups with lifecycle hooks, whose instances wait in their hooks as
 * those of AWS do. Nothing moves by itself: tests launch, end and let time pass.
 */

import { randomBytes } from 'node:crypto';
import type { FakeAnswer } from './fake-sts.ts';

export interface FakeInstance {
  readonly id: string;
  readonly group: string;
  state: string;
  /** Where the platform wants it: `InService`, `Terminated`, as its metadata service says. */
  target: string;
}

/** What somebody has changed, in order: an action that is repeated without effect is not among them. */
export interface Effect {
  readonly action: string;
  readonly instanceId: string;
}

interface Group {
  readonly hooks: { readonly launch?: string; readonly terminate?: string };
  desired: number;
}

export class FakeAutoScaling {
  readonly instances = new Map<string, FakeInstance>();
  readonly effects: Effect[] = [];
  private readonly groups = new Map<string, Group>();

  addGroup(name: string, hooks: Group['hooks'] = {}): void {
    this.groups.set(name, { hooks, desired: 0 });
  }

  desiredOf(group: string): number {
    return this.group(group).desired;
  }

  /** As a scaling policy does. */
  setDesired(name: string, count: number): void {
    const group = this.group(name);
    group.desired = count;
    const living = [...this.instances.values()].filter(
      (one) => one.group === name && !one.state.startsWith('Terminating') && !one.state.startsWith('Warmed'),
    );
    for (let more = living.length; more < count; more += 1) this.launch(name);
    for (const surplus of living.slice(count)) this.end(surplus);
  }

  launch(group: string, id = `i-0${randomBytes(8).toString('hex')}`): FakeInstance {
    const { launch } = this.group(group).hooks;
    const state = launch === undefined ? 'InService' : 'Pending:Wait';
    const instance: FakeInstance = { id, group, state, target: 'InService' };
    this.instances.set(id, instance);
    return instance;
  }

  /** The platform wants it to go: by a smaller number, a spot interruption, an instance refresh. */
  end(instance: FakeInstance): void {
    instance.target = 'Terminated';
    if (this.group(instance.group).hooks.terminate === undefined) this.instances.delete(instance.id);
    else instance.state = 'Terminating:Wait';
  }

  /** @returns the answer; the query protocol's XML */
  answer(form: URLSearchParams): FakeAnswer {
    const action = form.get('Action') ?? '';
    switch (action) {
      case 'DescribeAutoScalingInstances':
        return this.describeInstances(form);
      case 'DescribeAutoScalingGroups':
        return this.describeGroups(form);
      case 'CompleteLifecycleAction':
        return this.complete(form);
      case 'RecordLifecycleActionHeartbeat':
        return this.heartbeat(form);
      case 'TerminateInstanceInAutoScalingGroup':
        return this.terminate(form);
      case 'SetDesiredCapacity':
        this.setDesired(form.get('AutoScalingGroupName') ?? '', Number(form.get('DesiredCapacity')));
        return result(action, '');
      default:
        return failure(400, 'InvalidAction', `The action ${action} is not valid for this web service.`);
    }
  }

  private describeInstances(form: URLSearchParams): FakeAnswer {
    const ids = members(form, 'InstanceIds');
    const all = [...this.instances.values()].filter(({ id }) => ids.length === 0 || ids.includes(id));
    const start = Number(form.get('NextToken') ?? 0);
    const size = Math.min(50, Number(form.get('MaxRecords') ?? 50));
    const page = all
      .slice(start, start + size)
      .map(
        ({ group, id, state }) =>
          `<member><InstanceId>${id}</InstanceId><AutoScalingGroupName>${group}</AutoScalingGroupName>` +
          `<AvailabilityZone>eu-west-1a</AvailabilityZone><LifecycleState>${state}</LifecycleState>` +
          '<HealthStatus>HEALTHY</HealthStatus><ProtectedFromScaleIn>false</ProtectedFromScaleIn></member>',
      );
    const next = start + size < all.length ? `<NextToken>${start + size}</NextToken>` : '';
    return result(
      'DescribeAutoScalingInstances',
      `<AutoScalingInstances>${page.join('')}</AutoScalingInstances>${next}`,
    );
  }

  private describeGroups(form: URLSearchParams): FakeAnswer {
    const names = members(form, 'AutoScalingGroupNames');
    const found = [...this.groups].filter(([name]) => names.length === 0 || names.includes(name));
    const list = found.map(
      ([name, { desired }]) =>
        `<member><AutoScalingGroupName>${name}</AutoScalingGroupName><MinSize>0</MinSize><MaxSize>50</MaxSize>` +
        `<DesiredCapacity>${desired}</DesiredCapacity><DefaultCooldown>300</DefaultCooldown>` +
        '<AvailabilityZones><member>eu-west-1a</member></AvailabilityZones><HealthCheckType>ELB</HealthCheckType>' +
        `<CreatedTime>2026-01-01T00:00:00.000Z</CreatedTime><Instances/></member>`,
    );
    return result('DescribeAutoScalingGroups', `<AutoScalingGroups>${list.join('')}</AutoScalingGroups>`);
  }

  private complete(form: URLSearchParams): FakeAnswer {
    const instance = this.waiting(form);
    if (instance === undefined) return noActiveAction(form);
    const isEnding = instance.state === 'Terminating:Wait';
    const isAbandoned = form.get('LifecycleActionResult') === 'ABANDON';
    this.effects.push({
      action: `complete ${isAbandoned ? 'ABANDON' : 'CONTINUE'} ${instance.state}`,
      instanceId: instance.id,
    });
    if (isEnding || isAbandoned) this.instances.delete(instance.id);
    else instance.state = 'InService';
    return result('CompleteLifecycleAction', '');
  }

  private heartbeat(form: URLSearchParams): FakeAnswer {
    const instance = this.waiting(form);
    if (instance === undefined) return noActiveAction(form);
    this.effects.push({ action: 'heartbeat', instanceId: instance.id });
    return result('RecordLifecycleActionHeartbeat', '');
  }

  private terminate(form: URLSearchParams): FakeAnswer {
    const instance = this.instances.get(form.get('InstanceId') ?? '');
    if (instance === undefined)
      return failure(
        400,
        'ValidationError',
        `Instance Id not found - No managed instance found for instance ID: ${form.get('InstanceId')}`,
      );
    if (instance.target === 'Terminated')
      return failure(
        400,
        'ScalingActivityInProgress',
        `Activity is in progress and blocks the termination of ${instance.id}`,
      );
    this.effects.push({ action: 'terminate', instanceId: instance.id });
    if (form.get('ShouldDecrementDesiredCapacity') === 'true') this.group(instance.group).desired -= 1;
    this.end(instance);
    return result(
      'TerminateInstanceInAutoScalingGroup',
      `<Activity><ActivityId>1</ActivityId><AutoScalingGroupName>${instance.group}</AutoScalingGroupName><Cause>user</Cause>` +
        '<StartTime>2026-01-01T00:00:00.000Z</StartTime><StatusCode>InProgress</StatusCode></Activity>',
    );
  }

  /** The instance that waits in the hook that is named, if it does. */
  private waiting(form: URLSearchParams): FakeInstance | undefined {
    const instance = this.instances.get(form.get('InstanceId') ?? '');
    if (instance === undefined || instance.group !== form.get('AutoScalingGroupName')) return undefined;
    const { launch, terminate } = this.group(instance.group).hooks;
    const hook = form.get('LifecycleHookName');
    if (instance.state === 'Pending:Wait' && hook === launch) return instance;
    return instance.state === 'Terminating:Wait' && hook === terminate ? instance : undefined;
  }

  private group(name: string): Group {
    const group = this.groups.get(name);
    if (group === undefined) throw new Error(`no group ${name}`);
    return group;
  }
}

function members(form: URLSearchParams, name: string): string[] {
  return [...form].flatMap(([key, value]) => (key.startsWith(`${name}.member.`) ? [value] : []));
}

function noActiveAction(form: URLSearchParams): FakeAnswer {
  const id = form.get('InstanceId') ?? '';
  return failure(400, 'ValidationError', `No active Lifecycle Action found with instance ID ${id}`);
}

function result(action: string, content: string): FakeAnswer {
  const body =
    `<${action}Response xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/"><${action}Result>${content}</${action}Result>` +
    `<ResponseMetadata><RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId></ResponseMetadata></${action}Response>`;
  return { status: 200, contentType: 'text/xml', body };
}

/** As AWS's query protocol tells failures. */
export function failure(status: number, code: string, message: string): FakeAnswer {
  const type = status < 500 ? 'Sender' : 'Receiver';
  const body =
    '<ErrorResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">' +
    `<Error><Type>${type}</Type><Code>${code}</Code><Message>${message}</Message></Error>` +
    '<RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId></ErrorResponse>';
  return { status, contentType: 'text/xml', body };
}
