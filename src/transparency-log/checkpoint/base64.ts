/** Decodes standard base64 (RFC 4648 §4) with padding; null for any other encoding. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
