import type { IncomingMessage } from 'node:http';
import type { OrganisationId } from '../../domain/ulid.ts';
import { type HttpShares, smallBytes } from '../shares/create-shares.ts';
import { endArrival } from './arrival.ts';
import { bodyIncomplete, bodyTooLarge, checkAnnouncedJson } from './body.ts';
import { ValueCounter } from './count-values.ts';

/**
 * Maximum objects, arrays, strings, numbers and literals in a body. A run of 8 MB with the shortest
 * possible decisions has 870,000.
 */
const maxValues = 900_000;

/** A received body and its share of the memory. */
export interface ReceivedJson {
  /** The only view on its ArrayBuffer, which can be transferred. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  giveBack(): void;
}

/**
 * Receives a JSON body. Waits for a share of the memory for the whole body, then calls `begin`,
 * then reads. Refuses with UNSUPPORTED_MEDIA_TYPE, INVALID_JSON (empty body), PAYLOAD_TOO_LARGE,
 * INVALID_REQUEST (too many values, incomplete). Rejects as `Shares.take` does.
 */
export async function receiveJson(
  req: IncomingMessage,
  options: {
    readonly organisationId: OrganisationId;
    readonly maxBytes: number;
    readonly shares: Pick<HttpShares, 'smallBodies' | 'largeBodies'>;
    readonly begin: () => void;
  },
): Promise<ReceivedJson> {
  const { organisationId, maxBytes, shares, begin } = options;
  checkAnnouncedJson(req, maxBytes);
  const room = new BodyRoom(req, organisationId, shares);
  try {
    const announced = req.headers['content-length'];
    await room.make(announced === undefined ? smallBytes : Number(announced));
    const counter = new ValueCounter(maxValues);
    begin();
    await readChunks(req, (chunk) => {
      if (room.received + chunk.length > maxBytes) throw bodyTooLarge(maxBytes);
      counter.add(chunk);
      if (room.put(chunk)) return undefined;
      // A chunked body that is not small: reserve the maximum, so that it never waits again.
      return room.make(maxBytes).then(() => void room.put(chunk));
    });
    return { bytes: room.bytes(), giveBack: () => room.giveBack() };
  } catch (error) {
    room.giveBack();
    throw error;
  }
}

/** The buffer of one body, within its organisation's share of the memory. */
class BodyRoom {
  readonly #req: IncomingMessage;
  readonly #organisationId: OrganisationId;
  readonly #shares: Pick<HttpShares, 'smallBodies' | 'largeBodies'>;
  #buffer = new Uint8Array(0);
  #giveBack: () => void = () => {};
  #isGivenBack = false;
  #isWaiting = false;
  received = 0;

  constructor(
    req: IncomingMessage,
    organisationId: OrganisationId,
    shares: Pick<HttpShares, 'smallBodies' | 'largeBodies'>,
  ) {
    this.#req = req;
    this.#organisationId = organisationId;
    this.#shares = shares;
  }

  /** Grows the buffer to so many bytes, and keeps the bytes received so far. */
  async make(bytes: number): Promise<void> {
    const giveBackLess = this.#giveBack;
    this.#isWaiting = true;
    const giveBack = await this.#take(bytes);
    this.#isWaiting = false;
    // The client may have left while this waited.
    if (this.#isGivenBack) return giveBack();
    this.#giveBack = giveBack;
    giveBackLess();
    const buffer = new Uint8Array(bytes);
    buffer.set(this.#buffer.subarray(0, this.received));
    this.#buffer = buffer;
  }

  /** Stores a chunk; returns false if it does not fit. */
  put(chunk: Uint8Array): boolean {
    if (this.received + chunk.length > this.#buffer.length) return false;
    this.#buffer.set(chunk, this.received);
    this.received += chunk.length;
    return true;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.received);
  }

  giveBack(): void {
    this.#isGivenBack = true;
    this.#giveBack();
  }

  /** A slow body is cut off while another one waits for its share. */
  #take(bytes: number): Promise<() => void> {
    const { smallBodies, largeBodies } = this.#shares;
    const shares = bytes <= smallBytes ? smallBodies : largeBodies;
    const req = this.#req;
    return shares.take(this.#organisationId, bytes, {
      progress: () => (req.complete || this.#isWaiting ? null : this.received),
      giveUp: () => endArrival(req),
    });
  }
}

/** Reads to the end; pauses while `onChunk` is pending. */
function readChunks(
  req: IncomingMessage,
  onChunk: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void) => {
      req.off('data', read).off('end', end).off('error', breakOff).off('close', breakOff);
      settled();
    };
    const fail = (error: unknown) =>
      settle(() => {
        // Discard the rest, so that the client can read the answer.
        req.on('error', () => {}).resume();
        reject(error);
      });
    const breakOff = () => fail(bodyIncomplete());
    const end = () => settle(resolve);
    const read = (chunk: Buffer) => {
      try {
        const pending = onChunk(chunk);
        if (pending === undefined) return;
        req.pause();
        pending.then(() => req.resume(), fail);
      } catch (error) {
        fail(error);
      }
    };
    if (req.destroyed) return breakOff();
    req.on('data', read).on('end', end).on('error', breakOff).on('close', breakOff);
  });
}
