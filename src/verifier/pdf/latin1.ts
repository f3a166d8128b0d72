/** Decodes each byte to one character. Bytes from 0x80 to 0x9f become other characters. */
export function latin1(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

const decoder = new TextDecoder('latin1');
