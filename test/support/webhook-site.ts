import { Subject } from 'rxjs';
import type { Test } from 'tap';
import { ulid } from 'ulid';
import { changeWebhook } from '../../src/commands/change-webhook.ts';
import { disableWebhook } from '../../src/commands/disable-webhook.ts';
import { registerWebhook } from '../../src/commands/register-webhook.ts';
import { removeWebhook } from '../../src/commands/remove-webhook.ts';
import type { WebhookId } from '../../src/domain/ulid.ts';
import { type WebhookEventKind, webhookEventKinds } from '../../src/domain/webhook/event-kind.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { createDeliver } from '../../src/reactors/webhooks/deliver.ts';
import { enqueuing } from '../../src/reactors/webhooks/enqueuing.ts';
import {
  type DeliveringOptions,
  runDelivering,
} from '../../src/reactors/webhooks/run-delivering.ts';
import { projectNext } from '../../src/subscriptions/projector.ts';
import type { BuildWebhookData, WebhookSender } from '../../src/webhooks/contract.ts';
import { createHttpsSender } from '../../src/webhooks/https-sender.ts';
import { createTestStore, openTestStore, type TestStore, testDeps } from './event-store.ts';
import { createScriptedAnchoring, type ScriptedAnchoring } from './scripted-anchoring.ts';
import { until } from './until.ts';
import { createUploadSite, type UploadSite } from './uploads.ts';

/** A row of the deliveries, reduced to the columns that tests compare. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly kind: WebhookEventKind;
  readonly resource_id: string;
  readonly root_id: string | null;
  readonly status: string;
  readonly due_at: Date | null;
  readonly lease: string | null;
  readonly attempts: number;
  readonly failures: number;
  readonly response_status: number | null;
  readonly trouble: string | null;
}

export interface RegisteredEndpoint {
  readonly webhookId: WebhookId;
  readonly secret: string;
}

/** A process that delivers webhooks. */
export interface DeliveringProcess {
  /** Makes the process look for due deliveries now. */
  hint(): void;
  readonly errors: readonly unknown[];
  stop(): Promise<void>;
}

export interface DeliveringProcessOptions {
  readonly sender?: WebhookSender;
  readonly buildData?: BuildWebhookData;
  readonly limits?: DeliveringOptions['limits'];
  readonly timeoutMs?: number;
  readonly graceMs?: number;
}

/** An organisation with endpoints, on a clock that the test advances. */
export interface WebhookSite extends TestStore {
  readonly uploads: UploadSite;
  readonly anchoring: ScriptedAnchoring;
  readonly clock: { readonly now: () => Date; advance(ms: number): void };
  register(
    url?: string,
    events?: readonly WebhookEventKind[],
    of?: UploadSite,
  ): Promise<RegisteredEndpoint>;
  change(webhookId: WebhookId, change: Parameters<typeof changeWebhook>[2]): Promise<void>;
  remove(webhookId: WebhookId): Promise<void>;
  disable(webhookId: WebhookId): Promise<void>;
  /** Turns all new events of the log into deliveries. */
  enqueue(): Promise<void>;
  rows(): Promise<readonly DeliveryRow[]>;
  /** Waits until the only delivery satisfies the condition. */
  row(what: string, is: (row: DeliveryRow) => boolean): Promise<DeliveryRow>;
  /** Starts a delivering process; it is stopped when the test ends. */
  start(options?: DeliveringProcessOptions): DeliveringProcess;
}

export const webhookMeta = { actor: 'api' } as const;

export async function createWebhookSite(t: Pick<Test, 'teardown'>): Promise<WebhookSite> {
  const opened = await createTestStore(t, { maxConnections: 12 });
  const { store, db, pool } = opened;
  const uploads = await createUploadSite(store);
  const { organisationId } = uploads;
  const anchoring = await createScriptedAnchoring(store);
  const turns = createTurns();
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const rows = async (): Promise<readonly DeliveryRow[]> => {
    const found = await pool.query<DeliveryRow>('SELECT * FROM webhook_deliveries ORDER BY id');
    return found.rows;
  };
  const site: WebhookSite = {
    ...opened,
    uploads,
    anchoring,
    clock: {
      now,
      advance: (ms) => {
        aheadMs += ms;
      },
    },
    register: (url = 'https://hooks.example.com/', events = webhookEventKinds, of = uploads) =>
      registerWebhook(
        { ...testDeps, store, turns, webhooks: { checkUrl: async () => null } },
        { organisationId: of.organisationId, url, events, description: null },
        webhookMeta,
      ),
    async change(webhookId, change) {
      const webhooks = { checkUrl: async () => null };
      await changeWebhook({ store, webhooks }, { organisationId, webhookId }, change, webhookMeta);
    },
    remove: (webhookId) =>
      removeWebhook({ store, turns }, { organisationId, webhookId }, webhookMeta),
    async disable(webhookId) {
      await disableWebhook(store, { webhookId, reason: 'caller' }, webhookMeta);
    },
    async enqueue() {
      const head = await store.head();
      const folder = enqueuing({ store, now });
      while (((await projectNext(db, store, folder)) ?? 0) < head);
    },
    rows,
    row: (what, is) =>
      until(what, async () => {
        const [row] = await rows();
        return row !== undefined && is(row) && row;
      }),
    start: (options = {}) => startDelivering(t, site, options),
  };
  return site;
}

/** The same database, as a second process opens it. */
export function otherStore(t: Pick<Test, 'teardown'>, site: WebhookSite): TestStore {
  return openTestStore(t, site.url);
}

function startDelivering(
  t: Pick<Test, 'teardown'>,
  { store, pool, clock }: WebhookSite,
  options: DeliveringProcessOptions,
): DeliveringProcess {
  const { timeoutMs = 15_000 } = options;
  const rules = { allowHttp: true, allowPrivate: true, ports: null };
  const sender = options.sender ?? createHttpsSender({ rules, timeoutMs });
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const disable = async (webhookId: WebhookId, reason: 'gone' | 'failing', url?: string) => {
    await disableWebhook(store, { webhookId, reason, url }, { actor: 'webhooks' });
  };
  const buildData: BuildWebhookData = async ({ resourceId }) => ({ id: resourceId });
  const deliver = createDeliver({
    store,
    sender,
    buildData: options.buildData ?? buildData,
    disable,
    now: clock.now,
    random: () => 0.5,
    onError,
  });
  const hints = new Subject<void>();
  const stop = runDelivering({
    pool,
    deliver,
    hints,
    disable,
    newId: ulid,
    now: clock.now,
    onError,
    graceMs: options.graceMs ?? 100,
    ...(options.limits && { limits: options.limits }),
  });
  t.teardown(async () => {
    await stop();
    sender.close();
  });
  return { hint: () => hints.next(), errors, stop };
}
