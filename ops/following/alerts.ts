import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../src/files/replace-file.ts';
import { type AlertKind, type Condition, finalKinds } from './condition.ts';

/** An alert as in its file and in the body of its webhook. */
export interface Alert extends Condition {
  readonly id: string;
  readonly log: string;
  readonly raisedAt: string;
  /** Null while it lasts. */
  readonly endedAt: string | null;
}

interface StoredAlert {
  readonly alert: Alert;
  /** True when the webhook has taken the alert in its present state. */
  readonly isSent: boolean;
}

interface AlertsOptions {
  readonly folder: string;
  /** Address of the followed log, as in alerts. */
  readonly log: string;
  /** Null: alerts are not sent. */
  readonly webhook: string | null;
  readonly say: (text: string) => void;
  readonly nowMs?: () => number;
}

const privately = 0o600;
const notTaken = 'the webhook has not taken an alert and will get it again';
const sendMs = 10_000;
/** Alerts of one kind that last: a hostile log could bring about any number. */
const mostOfKind = 100;
/** Time for all alerts of one look. The rest is sent at the next one. */
const sendAllMs = 60_000;

/**
 * The alerts of a followed log, a file each. An alert is raised once, and ends with its condition;
 * a final one never ends. It is durable before it is sent. The webhook gets it at least once when it
 * begins and once when it ends, also after a restart.
 */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #stored = new Map<string, StoredAlert>();

  private constructor(options: AlertsOptions) {
    this.#options = options;
  }

  static async open(options: AlertsOptions): Promise<Alerts> {
    const { folder } = options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const alerts = new Alerts(options);
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.json')).sort()) {
      const stored: StoredAlert = JSON.parse(await readFile(join(folder, name), 'utf8'));
      if (stored.alert.endedAt === null || !stored.isSent) {
        alerts.#stored.set(stored.alert.id, stored);
      }
    }
    return alerts;
  }

  /** Alerts that last. */
  get active(): readonly Alert[] {
    return [...this.#stored.values()].flatMap(({ alert }) => (alert.endedAt === null ? alert : []));
  }

  /** Number of alerts that the webhook has not taken. */
  get unsent(): number {
    return [...this.#stored.values()].filter(({ isSent }) => !isSent).length;
  }

  /** Raises an alert for each new condition, and ends those whose condition has passed. */
  async update(conditions: readonly Condition[]): Promise<void> {
    const { log, say, webhook, nowMs = Date.now } = this.#options;
    const now = new Date(nowMs()).toISOString();
    const isSent = webhook === null;
    for (const one of conditions) {
      if (this.active.some((alert) => isSame(alert, one))) continue;
      if (this.count(one.kind) >= mostOfKind) continue;
      const alert = { id: randomUUID(), log, ...one, raisedAt: now, endedAt: null };
      await this.#store({ alert, isSent });
      say(`ALERT ${alert.kind}: ${alert.what}`);
    }
    for (const alert of this.active) {
      if (finalKinds.has(alert.kind) || conditions.some((one) => isSame(alert, one))) continue;
      await this.#store({ alert: { ...alert, endedAt: now }, isSent });
      say(`ended: ${alert.kind}`);
    }
    await this.#send();
  }

  /** Number of active alerts of a kind. */
  count(kind: AlertKind): number {
    return this.active.filter((alert) => alert.kind === kind).length;
  }

  async #send(): Promise<void> {
    const { webhook, say } = this.#options;
    if (webhook === null) return;
    const all = AbortSignal.timeout(sendAllMs);
    for (const { alert, isSent } of [...this.#stored.values()]) {
      if (isSent) continue;
      try {
        const answer = await fetch(webhook, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(alert),
          signal: AbortSignal.any([all, AbortSignal.timeout(sendMs)]),
        });
        await answer.body?.cancel();
        // The receiver may refuse this one for its size, and take those after it.
        if (answer.ok) await this.#store({ alert, isSent: true });
        else say(`${notTaken}: it answers ${answer.status} to ${alert.kind}`);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        say(`${notTaken}: ${reason}`);
        return;
      }
    }
  }

  async #store(stored: StoredAlert): Promise<void> {
    const { alert, isSent } = stored;
    const file = `${alert.raisedAt.replace(/\D/g, '')}-${alert.kind}-${alert.id}.json`;
    await replaceFile(join(this.#options.folder, file), `${JSON.stringify(stored)}\n`, privately);
    if (alert.endedAt !== null && isSent) this.#stored.delete(alert.id);
    else this.#stored.set(alert.id, stored);
  }
}

function isSame(one: Condition, other: Condition): boolean {
  return one.kind === other.kind && one.about === other.about;
}
