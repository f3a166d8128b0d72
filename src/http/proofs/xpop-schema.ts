import { z } from 'zod';

const bytes = z.string().regex(/^(?:[A-F0-9]{2})+$/);
const hash = z.string().regex(/^[A-F0-9]{64}$/);
const uint32 = z.int().min(0).max(0xffff_ffff);
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

/** An XPOP as an answer: XLS-41 defines its members. */
export const xpopResponse = z
  .object({
    ledger: z
      .object({
        index: uint32,
        coins: z.string().regex(/^\d{1,20}$/),
        phash: hash,
        txroot: hash,
        acroot: hash,
        pclose: uint32,
        close: uint32,
        cres: z.int().min(0).max(255),
        flags: z.int().min(0).max(255),
      })
      .meta({ description: 'the fields of the header of the ledger' }),
    validation: z.object({
      data: z
        .record(z.string(), bytes)
        .meta({ description: 'serialized validations, by the key that signed (n…)' }),
      unl: z
        .object({
          public_key: bytes.meta({ description: 'the master key of the publisher' }),
          manifest: base64,
          blob: base64,
          signature: bytes,
          version: z.literal(1),
        })
        .meta({ description: 'the validator list, as its publisher signed it' }),
    }),
    transaction: z.object({
      blob: bytes,
      meta: bytes,
      proof: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).meta({
        description: 'the path of the transaction to txroot: nested lists, or nodes with children',
      }),
    }),
  })
  .meta({ id: 'Xpop', description: 'A proof of a transaction in the form of XLS-41.' });

const zeros = '0'.repeat(64);

/** Shows the members. The bytes are truncated, so it does not verify. */
export const exampleXpop = {
  ledger: {
    index: 99_123_456,
    coins: '99985687626634189',
    phash: '0F1E2D3C4B5A69788796A5B4C3D2E1F00F1E2D3C4B5A69788796A5B4C3D2E1F0',
    txroot: 'A0B1C2D3E4F5061728394A5B6C7D8E9FA0B1C2D3E4F5061728394A5B6C7D8E9F',
    acroot: '1122334455667788990011223344556677889900112233445566778899001122',
    pclose: 848_538_390,
    close: 848_538_391,
    cres: 10,
    flags: 0,
  },
  validation: {
    data: { n9KaxgJv69FucW5kkiaMhCqS6sAR1wUVxpZaZmLGVXxAcAse9YhR: '228000000126' },
    unl: {
      public_key: 'ED2677ABFFD1B33AC6FBC3062B71F1E8397C1505E1C42C64D11AD1B28FF73F4734',
      manifest: 'JAAAAAFxIe0=',
      blob: 'eyJzZXF1ZW5jZSI6',
      signature: '849F6F3A',
      version: 1,
    },
  },
  transaction: {
    blob: '120003',
    meta: '201C0000000C',
    proof: [
      '5411333BAAB2CDF1652665E8425611B1CD0E7454189F757A7F297F9DAA17A850',
      ...Array.from({ length: 15 }, () => zeros),
    ],
  },
};
