import { parentPort } from 'node:worker_threads';
import type { EncryptedFile } from '../encrypted-files/segment-reader.ts';
import { detect } from './detect.ts';

/** A request to the thread; one at a time. */
export interface DetectionRequest {
  readonly file: EncryptedFile;
}

/** Messages of the thread: `ready` first, then an answer to each request. */
export type DetectionMessage =
  | { readonly status: 'ready' }
  | { readonly status: 'detected'; readonly found: string | null }
  | { readonly status: 'unreadable'; readonly message: string };

const say = (message: DetectionMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ file }: DetectionRequest) => {
  detect(file).then(
    (found) => say({ status: 'detected', found }),
    (trouble: unknown) => say({ status: 'unreadable', message: String(trouble) }),
  );
});
say({ status: 'ready' });
