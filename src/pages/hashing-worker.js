import { hashFile } from './hash-file.js';

/**
 * Hashes files without network access: the Content-Security-Policy of this script allows no
 * connections. Takes `{id, file}`; posts `{id, progress}` in bytes, then `{id, hash}` or
 * `{id, isFailed}`.
 */
addEventListener('message', async ({ data: { id, file } }) => {
  let posted = performance.now();
  try {
    const hash = await hashFile(file, (progress) => {
      if (performance.now() - posted < progressEveryMs) return;
      posted = performance.now();
      postMessage({ id, progress });
    });
    postMessage({ id, hash });
  } catch {
    postMessage({ id, isFailed: true });
  }
});

const progressEveryMs = 100;
