/** The bytes of standard base64 (RFC 4648 §4) with its padding; null for any other way to write them. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
