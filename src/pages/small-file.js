/** No certificate is larger, in bytes. */
const smallBytes = 16 * 1024 * 1024;

/**
 * True for a file that may be a certificate. Nothing that was given with a larger file has to wait for
 * its certificate there.
 *
 * @param {{readonly size: number}} file
 */
export function isSmall({ size }) {
  return size <= smallBytes;
}
