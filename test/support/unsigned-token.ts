import { hash } from 'node:crypto';

/**
 * A time-stamp token (RFC 3161) of this text and time, without a signature, for readers that verify
 * none.
 */
export function unsignedToken(text: string, time: string): Buffer {
  const stamp = `${time.replace(/[-:T]|\.000Z$/g, '')}Z`;
  const algorithm = der(0x30, objectId('608648016503040201'), der(0x05));
  const tstInfo = der(
    0x30,
    der(0x02, Buffer.of(1)),
    objectId('2a0304'),
    der(0x30, algorithm, der(0x04, hash('sha256', text, 'buffer'))),
    der(0x02, Buffer.of(7)),
    der(0x18, Buffer.from(stamp)),
  );
  const content = der(0xa0, der(0x04, tstInfo));
  const encapsulated = der(0x30, objectId('2a864886f70d0109100104'), content);
  const signedData = der(0x30, der(0x02, Buffer.of(3)), der(0x31, algorithm), encapsulated);
  return der(0x30, objectId('2a864886f70d010702'), der(0xa0, signedData));
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([...content]);
  const { length: count } = bytes;
  const long = count < 256 ? [0x81, count] : [0x82, count >> 8, count & 0xff];
  const length = count < 128 ? [count] : long;
  return Buffer.concat([Buffer.of(tag, ...length), bytes]);
}
