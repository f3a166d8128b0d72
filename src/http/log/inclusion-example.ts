import { completedProof } from '../proofs/proof-examples.ts';

const rootHash = '0ac5186291863e8e1d90c8080148aa9bf5da8e3ee1d9f07630f0378f68f1ab62';

/** Example of the shape of an inclusion proof. Its values are invented, so it does not verify. */
export const inclusion = {
  event: {
    v: 1,
    eventId: '01M7XT7V5TQ6V2H8J9KAMBNCPD',
    organisationId: '01M7XT7TZ4E5F6G7H8J9KAMBNC',
    stream: `proof-${completedProof.proofId}`,
    version: 3,
    type: 'Anchored',
    schema: 1,
    recordedAt: '2026-11-21T01:06:32.104Z',
    dataHash: '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    metaHash: '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  },
  leafHash: '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  leafIndex: 2,
  treeSize: 3,
  rootHash,
  hashes: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  checkpoint:
    'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y\n3\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n' +
    '— proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n',
  logKeys: [
    'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y+033de0ae+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  ],
};
