import { noteSigner, renameKey } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../../src/transparency-log/checkpoint/signed-note.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { sampleLogSigner, sampleText } from '../sample-bundle.ts';
import type { VectorInput, VectorOptions } from './vector.ts';
import {
  careful,
  type Draft,
  homographOf,
  leafOf,
  node,
  noteFor,
  origin,
  otherLogKey,
  policyOf,
  resealed,
  sha256,
  witnesses,
} from './vector-bases.ts';

const logged = sampleText();
const genuine = JSON.parse(logged);
const { checkpoint } = genuine.log;
const [body = ''] = checkpoint.split('\n\n');
const noteText = `${body}\n`;
const cosigned = (seconds: number, ...which: readonly number[]) =>
  checkpoint + which.map((n) => witnesses[n]?.cosigner.cosign(noteText, seconds) ?? '').join('');
const now = 1_795_200_000;

/** Places in the log, checkpoints, cosignatures and policies. */
export function logVectors(): VectorInput[] {
  return [...places(), ...notes(), ...keys(), ...cosignatures(), ...policies()];
}

function vector(
  about: string,
  change: (log: Draft, draft: Draft) => void,
  options: VectorOptions = careful,
): VectorInput {
  return {
    id: `log: ${about}`,
    about: `The issuer's log: ${about}; the checksum is right.`,
    bundle: resealed(logged, (one) => change(one.log, one)),
    options,
  };
}

/** Path of a leaf in a tree over these leaves (RFC 9162, 2.1.3.1). */
function pathOf(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  let split = 1;
  while (2 * split < leaves.length) split *= 2;
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...pathOf(index, left), rootOf(right)]
    : [...pathOf(index - split, right), rootOf(left)];
}

function places(): VectorInput[] {
  const inTree = (index: number, size: number) =>
    vector(`leaf ${index} of ${size}`, (log) => {
      const leaves = Array.from({ length: size }, (_, n) => sha256(`leaf ${n}`));
      leaves[index] = leafOf(log.event);
      log.leafIndex = index;
      log.hashes = pathOf(index, leaves).map((hash) => hash.toString('hex'));
      log.checkpoint = noteFor({ size, root: rootOf(leaves) });
    });
  const hashes = (about: string, change: (hashes: string[]) => string[]) =>
    vector(`the path ${about}`, (log) => {
      log.hashes = change(log.hashes);
    });
  const stated = (about: string, leafIndex: number, size = 3) =>
    vector(about, (log) => {
      const root = Buffer.from(body.split('\n')[2] ?? '', 'base64');
      log.leafIndex = leafIndex;
      log.checkpoint = noteFor({ size, root });
    });
  const filler = 'ab'.repeat(32);
  return [
    ...[
      [0, 1],
      [0, 2],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [4, 7],
      [6, 7],
      [100, 257],
      [256, 257],
      [0, 1_000],
    ].map(([index = 0, size = 0]) => inTree(index, size)),
    hashes('has a hash too many', (list) => [...list, filler]),
    hashes('has a hash too many in front', (list) => [filler, ...list]),
    hashes('has 64 hashes', () => Array.from({ length: 64 }, () => filler)),
    hashes('has 65 hashes', () => Array.from({ length: 65 }, () => filler)),
    hashes('lacks its last hash', (list) => list.slice(0, -1)),
    hashes('is empty', () => []),
    hashes('is in another order', (list) => list.toReversed()),
    hashes('has one bit changed', ([one = '', ...rest]) => [
      one.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      ...rest,
    ]),
    stated('another leaf', 0),
    stated('a leaf beyond the end', 3),
    stated('a leaf far beyond the end', 2 ** 53 - 1),
    stated('a tree of another size', 1, 4),
    stated('an empty tree', 0, 0),
    stated('a tree of 2^53 - 1 leaves', 1, 2 ** 53 - 1),
    vector('a leaf that is a node of the tree', (log) => {
      const leaf = leafOf(log.event);
      log.leafIndex = 0;
      log.hashes = [];
      log.checkpoint = noteFor({ size: 1, root: node(leaf, leaf) });
    }),
    vector('the entry is of another proof', (log) => {
      log.event.stream = 'proof-01M7XT7V10RJ1CFD26ZBSKQXP7';
    }),
    vector('the entry is of another ledger', (log) => {
      log.ledgerId = 'testnet';
    }),
    vector('the entry has a type that is not known', (log) => {
      log.event.type = 'Withdrawn';
    }),
    vector('the id of the organisation begins with 8', (log) => {
      log.event.organisationId = `8${log.event.organisationId.slice(1)}`;
    }),
  ];
}

function notes(): VectorInput[] {
  const note = (about: string, text: string) =>
    vector(`the checkpoint ${about}`, (log) => {
      log.checkpoint = text;
    });
  const root = body.split('\n')[2] ?? '';
  const signed = (text: string) => {
    const id = sampleLogSigner.keyId;
    const line = Buffer.concat([id, sampleLogSigner.sign(text)]).toString('base64');
    return `${text}\n— ${origin} ${line}\n`;
  };
  const [, signature = ''] = checkpoint.split('\n\n');
  const signedAs = (name: string) => {
    return signNote(noteText.replace(origin, name), [noteSigner(name, Buffer.alloc(32, 83))]);
  };
  const unknown = `— other.example/x ${Buffer.alloc(68, 3).toString('base64')}\n`;
  return [
    note('is empty', ''),
    note('is of a log whose name looks like the known one', signedAs(homographOf(origin))),
    note('is of a log whose name reverses the text after it', signedAs(`${origin}\u202e\u200b`)),
    note('has no signature', `${noteText}\n`),
    note('has no empty line', checkpoint.replace('\n\n', '\n')),
    note('does not end in a newline', checkpoint.slice(0, -1)),
    note('ends in two newlines', `${checkpoint}\n`),
    note('has a signature line that is none', `${checkpoint}what is this\n`),
    note('has a hyphen in place of the dash', checkpoint.replace('—', '-')),
    note('has two spaces in a signature line', checkpoint.replace('— ', '—  ')),
    note('has a signature that is no base64', checkpoint.replace(/.{6}=\n$/, '!!!!!!=\n')),
    note(
      'has a signature of four bytes',
      `${noteText}\n— ${origin} ${Buffer.from(sampleLogSigner.keyId).toString('base64')}\n`,
    ),
    note(
      'has a short signature',
      `${noteText}\n— ${origin} ${Buffer.concat([sampleLogSigner.keyId, Buffer.alloc(10)]).toString('base64')}\n`,
    ),
    note(
      'has one bit of the signature changed',
      checkpoint.replace(
        /(.)(.{5}=\n)$/,
        (_: string, one: string, rest: string) => (one === 'A' ? 'B' : 'A') + rest,
      ),
    ),
    note('has a signature of an unknown key before', `${noteText}\n${unknown}${signature}`),
    note('has a signature of an unknown key after', checkpoint + unknown),
    note('has 99 signatures of unknown keys', checkpoint + unknown.repeat(98)),
    note('has the same signature twice', checkpoint + signature),
    note(
      'has a true and a false signature of the key',
      `${checkpoint}${signature.replace(/(.)(.{5}=\n)$/, (_: string, one: string, rest: string) => (one === 'A' ? 'B' : 'A') + rest)}`,
    ),
    note(
      'has a false and a true signature of the key',
      `${noteText}\n${signature.replace(/(.)(.{5}=\n)$/, (_: string, one: string, rest: string) => (one === 'A' ? 'B' : 'A') + rest)}${signature}`,
    ),
    note('has a carriage return', checkpoint.replaceAll('\n', '\r\n')),
    note('has a tab', signed(`${origin}\t\n3\n${root}\n`)),
    note('has an extension line', signed(`${origin}\n3\n${root}\nmore\n`)),
    note('has an empty extension line', signed(`${origin}\n3\n${root}\n\n`)),
    note('has an extension after an empty line', signed(`${origin}\n3\n${root}\n\nmore\n`)),
    note('has two lines', signed(`${origin}\n3\n`)),
    note('has a size with a zero in front', signed(`${origin}\n03\n${root}\n`)),
    note('has a size with a sign', signed(`${origin}\n+3\n${root}\n`)),
    note('has a size with a space', signed(`${origin}\n3 \n${root}\n`)),
    note('has a size in other digits', signed(`${origin}\n٣\n${root}\n`)),
    note('has a size of 2^53', signed(`${origin}\n9007199254740992\n${root}\n`)),
    note(
      'has a root of 31 bytes',
      signed(`${origin}\n3\n${Buffer.alloc(31).toString('base64')}\n`),
    ),
    note(
      'has a root that is no canonical base64',
      signed(
        `${origin}\n3\n${root.replace(/.=$/, (end: string) => `${String.fromCharCode(end.charCodeAt(0) + 1)}=`)}\n`,
      ),
    ),
    note('has a root without padding', signed(`${origin}\n3\n${root.replace('=', '')}\n`)),
    note('has an empty name', signed(`\n3\n${root}\n`)),
    note('is of another origin, signed with the key', signed(`proofmark/other\n3\n${root}\n`)),
    note('is of another epoch, signed with the key', signed(`${origin}/2\n3\n${root}\n`)),
    note('is of 8,193 characters', checkpoint.padEnd(8_193)),
  ];
}

function keys(): VectorInput[] {
  const epoch = `${origin}/2`;
  const renamed = renameKey(sampleLogSigner.vkey, epoch) ?? '';
  const root = Buffer.from(body.split('\n')[2] ?? '', 'base64');
  const text = `${epoch}\n3\n${root.toString('base64')}\n`;
  const keyId = Buffer.from(renamed.split('+')[1] ?? '', 'hex');
  const ofEpoch = `${text}\n— ${epoch} ${Buffer.concat([keyId, sampleLogSigner.sign(text)]).toString('base64')}\n`;
  const withKeys = (about: string, logKeys: readonly string[], note = checkpoint) =>
    vector(
      about,
      (log) => {
        log.checkpoint = note;
      },
      { ...careful, logKeys },
    );
  const { vkey } = sampleLogSigner;
  const both = noteFor({ size: 3, root }, [sampleLogSigner, otherLogKey]);
  return [
    withKeys('the key is another one of the same name', [otherLogKey.vkey]),
    withKeys('the key is of another epoch', [renamed]),
    withKeys('the key is of another log', [renameKey(vkey, 'other.example/log') ?? '']),
    withKeys('one of two keys signed', [otherLogKey.vkey, vkey]),
    withKeys('two keys signed, the first is known', [vkey], both),
    withKeys('two keys signed, the second is known', [otherLogKey.vkey], both),
    withKeys('two keys signed, both are known', [otherLogKey.vkey, vkey], both),
    withKeys('a later epoch, whose key is known', [vkey, renamed], ofEpoch),
    withKeys('a later epoch, whose key is not known', [vkey], ofEpoch),
    withKeys('the key has another id', [vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')]),
    withKeys('the key is of a witness', [witnesses[0]?.cosigner.vkey ?? '']),
    withKeys('the key is no key', ['nonsense']),
    withKeys('the key has an empty name', [vkey.slice(vkey.indexOf('+'))]),
  ];
}

function cosignatures(): VectorInput[] {
  const given = (
    about: string,
    note: string,
    policy = policyOf(2),
    options: VectorOptions = careful,
  ) =>
    vector(
      about,
      (log) => {
        log.checkpoint = note;
      },
      { ...options, policy },
    );
  const { cosigner = null } = witnesses[0] ?? {};
  if (cosigner === null) throw new Error('there are three witnesses');
  const { logKeys: _, ...withoutKeys } = careful;
  const falsified = cosigned(now, 0).replace(
    /(.)(.{5}==\n)$/,
    (__, one: string, rest: string) => (one === 'A' ? 'B' : 'A') + rest,
  );
  const ofOther = cosigner.cosign(`${origin}\n4\n${body.split('\n')[2]}\n`, now);
  const short = `— north.example/w ${Buffer.concat([Buffer.from(cosigner.vkey.split('+')[1] ?? '', 'hex'), Buffer.alloc(40)]).toString('base64')}\n`;
  return [
    given('two of three witnesses cosigned', cosigned(now, 0, 2)),
    given('all witnesses cosigned', cosigned(now, 0, 1, 2)),
    given('one of three witnesses cosigned, two are needed', cosigned(now, 1)),
    given('no witness cosigned', checkpoint),
    given('no witness cosigned, any is enough', checkpoint, policyOf('any')),
    given('one witness cosigned, any is enough', cosigned(now, 1), policyOf('any')),
    given('two witnesses cosigned, all are needed', cosigned(now, 0, 1), policyOf('all')),
    given(
      'one witness cosigned twice, two are needed',
      cosigned(now, 0) + cosigner.cosign(noteText, now + 1),
    ),
    given('a cosignature is false', falsified),
    given(
      'a cosignature is false, and two hold',
      falsified + cosigned(now, 1, 2).slice(checkpoint.length),
    ),
    given(
      'a cosignature is false, and another of the same witness and one more hold',
      falsified + cosigned(now, 0, 1).slice(checkpoint.length),
    ),
    given(
      'a cosignature is of another checkpoint',
      checkpoint + ofOther + cosigned(now, 1).slice(checkpoint.length),
    ),
    given('a cosignature is short', checkpoint + short + cosigned(now, 1).slice(checkpoint.length)),
    given('a cosignature at time 0', cosigned(0, 0, 1)),
    given('a cosignature in the year 4000', cosigned(64_060_588_800, 0, 1)),
    given(
      'cosignatures stand before the signature of the log',
      `${noteText}\n${cosigned(now, 0, 1).slice(checkpoint.length)}${checkpoint.slice(noteText.length + 1)}`,
    ),
    given(
      'cosignatures, but no signature of the log',
      `${noteText}\n${cosigned(now, 0, 1).slice(checkpoint.length)}`,
    ),
    given(
      'the policy names the key of the log',
      cosigned(now, 0, 1),
      policyOf(2, `log ${sampleLogSigner.vkey}\n`),
      withoutKeys,
    ),
    given(
      'the policy names another key of the log',
      cosigned(now, 0, 1),
      policyOf(2, `log ${otherLogKey.vkey}\n`),
      withoutKeys,
    ),
    given('nobody names a key of the log', cosigned(now, 0, 1), policyOf(2), withoutKeys),
    given('no witness is needed', checkpoint, 'quorum none\n'),
    {
      id: 'log: a policy for version 1',
      about: 'A bundle of version 1 has no entry of the log, whatever the policy says.',
      bundle: sampleText({ unlogged: true }),
      options: { ...careful, policy: policyOf(2) },
    },
  ];
}

function policies(): VectorInput[] {
  const [north = '', south = '', east = ''] = witnesses.map(
    ({ name, cosigner }) => `witness ${name} ${cosigner.vkey}`,
  );
  const three = `${north}\n${south}\n${east}\n`;
  const given = (about: string, policy: string) => ({
    id: `policy: ${about}`,
    about: `A policy (C2SP tlog-policy) ${about}; north and south cosigned the checkpoint.`,
    bundle: resealed(logged, (one) => {
      one.log.checkpoint = cosigned(now, 0, 1);
    }),
    options: { ...careful, policy },
  });
  const { vkey } = sampleLogSigner;
  return [
    given('is empty', ''),
    given(
      'has comments, tabs and empty lines',
      `# a comment\n\n\t${north}\n \t# another\n${south} https://a.example/\ngroup both\tall north  south\t\nquorum both`,
    ),
    given('has a quorum of one witness', `${three}quorum south\n`),
    given('has a quorum of a witness that did not cosign', `${three}quorum east\n`),
    given(
      'has groups of groups',
      `${three}group a any north south\ngroup b any east\ngroup c 1 a b\nquorum c\n`,
    ),
    given(
      'has groups of groups that lack a quorum',
      `${three}group a any north south\ngroup b any east\ngroup c all a b\nquorum c\n`,
    ),
    given('has no quorum line', three),
    given('has two quorum lines', `${three}quorum north\nquorum south\n`),
    given('names an unknown quorum', `${three}quorum west\n`),
    given('has a quorum before its witness', `quorum north\n${three}`),
    given(
      'names a member that is defined later',
      `${north}\ngroup a any north south\n${south}\nquorum a\n`,
    ),
    given(
      'has a member in two groups',
      `${three}group a any north\ngroup b any north south\nquorum b\n`,
    ),
    given('has a member twice in a group', `${three}group a 2 north north\nquorum a\n`),
    given('has the member none', `${three}group a any none\nquorum a\n`),
    given('has a group with the name none', `${three}group none any north\nquorum none\n`),
    given('has a threshold of 0', `${three}group a 0 north south\nquorum a\n`),
    given('has a threshold beyond the members', `${three}group a 3 north south\nquorum a\n`),
    given('has a threshold with a zero in front', `${three}group a 02 north south\nquorum a\n`),
    given('has a threshold with a sign', `${three}group a +2 north south\nquorum a\n`),
    given('has a group without members', `${three}group a all\nquorum none\n`),
    given(
      'has two witnesses of one name',
      `${north}\n${south.replace('south', 'north')}\nquorum north\n`,
    ),
    given(
      'has two witnesses of one key',
      `${north}\n${north.replace(' north ', ' other ')}\nquorum north\n`,
    ),
    given(
      'has a group with the name of a witness',
      `${three}group north any south\nquorum north\n`,
    ),
    given('has a log twice', `log ${vkey}\nlog ${vkey}\nquorum none\n`),
    given('has a witness with the key of a log', `witness a ${vkey}\nquorum a\n`),
    given(
      'has a log with the key of a witness',
      `log ${witnesses[0]?.cosigner.vkey}\nquorum none\n`,
    ),
    given(
      'has a key with another id',
      `${north.replace(/\+[0-9a-f]{8}\+/, '+00000000+')}\nquorum north\n`,
    ),
    given('has an unknown line', `${three}mirror north\nquorum north\n`),
    given('has a line in capitals', `${three}QUORUM north\n`),
    given('has carriage returns', `${three}quorum north\n`.replaceAll('\n', '\r\n')),
    given('has a form feed', `${three}quorum\fnorth\n`),
    given(
      'has a no-break space in a name',
      `${three.replaceAll(' north ', ' n\u00a0rth ')}quorum n\u00a0rth\n`,
    ),
    given('has names beyond ASCII', `${three.replaceAll(' north ', ' nörd ')}quorum nörd\n`),
    given('has too many words in a line', `${three}quorum north south\n`),
    given('has too few words in a line', `${three}quorum\n`),
    given('has a witness with too many words', `${north} https://a.example/ more\nquorum north\n`),
    given(
      'has a witness of an unknown type of key',
      `witness a a.example/w+01020304+${Buffer.concat([Buffer.of(6), Buffer.alloc(1_312)]).toString('base64')}\n${three}quorum north\n`,
    ),
    given(
      'has a quorum of a witness with an unknown type of key',
      `witness a a.example/w+01020304+${Buffer.concat([Buffer.of(6), Buffer.alloc(1_312)]).toString('base64')}\nquorum a\n`,
    ),
  ];
}
