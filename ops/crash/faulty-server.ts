import { startWebSocketRelay } from './websocket-relay.ts';

/**
 * `lying`: alters validations, manifests and headers. `silent`: sends nothing. `lagging`: sends
 * everything seconds late.
 */
export const misbehaviours = ['lying', 'silent', 'lagging'] as const;
export type Misbehaviour = (typeof misbehaviours)[number];

/** A server of the ledger as a service sees it, which can misbehave for a while. */
export interface FaultyServer {
  readonly url: string;
  /** From now on for this time; a new call replaces an earlier one. */
  misbehave(how: Misbehaviour, ms: number): void;
  behave(): void;
  close(): Promise<void>;
}

const lagMs = 3_000;

/** Relays WebSocket connections to the server behind it. */
export async function startFaultyServer(behind: string): Promise<FaultyServer> {
  let misbehaviour: Misbehaviour | null = null;
  let ending: NodeJS.Timeout | undefined;
  const relay = await startWebSocketRelay(behind, (send) => {
    // A message stays behind those before it when the server stops lagging.
    let freeAt = 0;
    return {
      onMessage(message) {
        if (misbehaviour === 'silent') return;
        const text = misbehaviour === 'lying' ? altered(message) : message;
        freeAt = Math.max(freeAt, misbehaviour === 'lagging' ? performance.now() + lagMs : 0);
        const ms = freeAt - performance.now();
        if (ms <= 0) send(text);
        else setTimeout(send, ms, text).unref();
      },
    };
  });
  const behave = () => {
    clearTimeout(ending);
    misbehaviour = null;
  };
  return {
    url: relay.url,
    misbehave(how, ms) {
      behave();
      misbehaviour = how;
      ending = setTimeout(behave, ms).unref();
    },
    behave,
    async close() {
      behave();
      relay.close();
    },
  };
}

/** Alters what proves a ledger; other messages pass as they are. */
function altered(text: string): string {
  const message = JSON.parse(text) as {
    type?: string;
    data?: unknown;
    manifest?: unknown;
    result?: { manifest?: unknown; ledger?: { ledger_data?: unknown } };
  };
  const { type, result } = message;
  if (type === 'validationReceived') message.data = flipped(message.data);
  else if (type === 'manifestReceived') message.manifest = flipped(message.manifest);
  else if (typeof result?.ledger?.ledger_data === 'string') {
    result.ledger.ledger_data = flipped(result.ledger.ledger_data);
  } else if (typeof result?.manifest === 'string') result.manifest = 'AAAA';
  else return text;
  return JSON.stringify(message);
}

/** Hex with another digit in its middle. */
function flipped(hex: unknown): string {
  const text = String(hex);
  const at = text.length >> 1;
  return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;
}
