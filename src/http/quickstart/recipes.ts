import type { Recipe } from './quickstart-schema.ts';

/** Relation between the file and the commitment on the ledger. */
export const verificationRule =
  'Under sha256-plain-v1, memo.fileHash of the public verification result is the SHA-256 of the ' +
  'file. Under the salted schemes, memo.fileHash is the HMAC-SHA-256 with the bytes of proofNonce ' +
  'as key and the 32 bytes of the SHA-256 as message.';

/**
 * Ways to verify that anybody can follow with sh, openssl and curl. URLs have no trailing slash.
 */
export function verificationRecipes(baseUrl: string, verifyUrl: string): Recipe[] {
  const lookUp = { run: `curl -sSf "${verifyUrl}/$TX_HASH"`, gives: 'result' };
  const file = { FILE: 'path of the file' };
  const transaction = { TX_HASH: 'txHash of the proof' };
  const verified = [
    { value: 'result.data.verified', equals: true },
    { value: 'result.data.memo.fileHash', equals: '{commitment}' },
  ];
  return [
    {
      name: 'plain',
      when: 'the scheme is sha256-plain-v1',
      hashSchemes: ['sha256-plain-v1'],
      needs: { ...file, ...transaction },
      steps: [
        { run: 'openssl dgst -sha256 -r "$FILE" | cut -c 1-64', gives: 'commitment' },
        lookUp,
      ],
      expect: verified,
    },
    {
      name: 'salted',
      when: 'the scheme is salted, and you have the nonce',
      hashSchemes: ['hmac-sha256-nonce-v2', 'hmac-sha256-nonce-v3'],
      needs: {
        ...file,
        ...transaction,
        PROOF_NONCE: 'proofNonce of the proof; confidential',
      },
      steps: [
        {
          run:
            'openssl dgst -sha256 -binary "$FILE" | ' +
            'openssl dgst -sha256 -mac HMAC -macopt "hexkey:$PROOF_NONCE" -r | cut -c 1-64',
          gives: 'commitment',
        },
        lookUp,
      ],
      expect: verified,
    },
    {
      name: 'certificate',
      when:
        'you have the file and its certificate, and want to verify them without trusting this service: ' +
        'run the commands in a copy of its source code',
      hashSchemes: ['sha256-plain-v1', 'hmac-sha256-nonce-v2', 'hmac-sha256-nonce-v3'],
      needs: {
        ...file,
        API_KEY: 'a key with certificates:read, if you do not have the certificate',
        PROOF_ID: 'proofId of the proof',
        CERTIFICATE: 'path of the certificate',
        LEDGER: 'a server of the XRP Ledger that you trust, wss://…',
        ACCOUNT: 'an account from which this service anchors, as you know it from another source',
      },
      steps: [
        {
          run:
            'curl -sSf -o "$CERTIFICATE" -H "Authorization: Bearer $API_KEY" ' +
            `"${baseUrl}/certificates/$PROOF_ID"`,
          gives: 'nothing',
        },
        {
          run:
            'npm run --silent ops -- verify --json --certificate "$CERTIFICATE" --file "$FILE" ' +
            '--ledger "$LEDGER" --account "$ACCOUNT"',
          gives: 'verdict',
        },
      ],
      expect: [{ value: 'verdict.proven', equals: true }],
    },
  ];
}
