/** HAProxy's socket for commands, as its management guide has it ("Unix Socket commands"). */

import { connect } from 'node:net';

const timeoutMs = 5000;

/** A server as HAProxy has it at the moment. */
export interface RunningEntry {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly isInMaintenance: boolean;
  readonly isDraining: boolean;
}

/** Bits of `srv_admin_state`. */
const maintenance = 0x01;
const drain = 0x08;

export class HaproxySocket {
  private readonly path: string;

  /** @param path - of a socket with `level admin` */
  constructor(path: string) {
    this.path = path;
  }

  /** @throws Error when the proxy does not exist or does not answer */
  async servers(proxy: string): Promise<readonly RunningEntry[]> {
    const text = await this.send(`show servers state ${proxy}`);
    const [, header = '', ...rows] = text.split('\n');
    const names = header.replace(/^# */, '').split(' ');
    if (!names.includes('srv_name')) throw new Error(`HAProxy answered: ${text.trim()}`);
    return rows.filter((row) => row.trim() !== '').map((row) => entryOf(names, row.split(' ')));
  }

  /** How many connections each server of a proxy has, those that wait for it included. */
  async connections(proxy: string): Promise<ReadonlyMap<string, number>> {
    const [header = '', ...rows] = (await this.send(`show stat ${proxy} 4 -1`)).split('\n');
    const names = header.replace(/^# */, '').split(',');
    const counts = rows.map((row) => {
      const values = row.split(',');
      const field = (name: string) => values[names.indexOf(name)] ?? '';
      return [field('svname'), Number(field('scur')) + Number(field('qcur'))] as const;
    });
    return new Map(counts);
  }

  /**
   * @param done - what HAProxy says when it has done it; nothing when absent
   * @throws Error with what HAProxy says otherwise
   */
  async command(text: string, done?: RegExp): Promise<void> {
    const answer = (await this.send(text)).trim();
    if (done === undefined ? answer !== '' : !done.test(answer))
      throw new Error(`HAProxy refused '${text}': ${answer}`);
  }

  private send(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ path: this.path });
      let answer = '';
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error('HAProxy does not answer')));
      socket.on('error', (cause) =>
        reject(new Error(`Could not reach HAProxy at ${this.path}: ${cause.message}`, { cause })),
      );
      socket.on('data', (piece: Buffer) => {
        answer += piece.toString('utf8');
      });
      socket.on('end', () => resolve(answer));
      socket.write(`${command}\n`);
    });
  }
}

function entryOf(names: readonly string[], values: readonly string[]): RunningEntry {
  const field = (name: string) => values[names.indexOf(name)] ?? '';
  const state = Number(field('srv_admin_state'));
  return {
    name: field('srv_name'),
    address: field('srv_addr'),
    port: Number(field('srv_port')),
    isInMaintenance: (state & maintenance) !== 0,
    isDraining: (state & drain) !== 0,
  };
}
