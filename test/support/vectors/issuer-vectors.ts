import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../../src/transparency-log/checkpoint/signed-note.ts';
import { createCosigner } from '../../../src/transparency-log/cosigning/cosigner.ts';
import { issuedText } from '../../../src/verifier/bundle/issued-text.ts';
import { alterAt, placesIn } from '../alterations.ts';
import { sampleAttested, sampleStamped, sampleStampedAlone, sampleText } from '../sample-bundle.ts';
import type { Random } from '../seed.ts';
import type { VectorInput, VectorOptions } from './vector.ts';
import { careful, type Draft, homographOf, origin, relog, sealed, sha256 } from './vector-bases.ts';

const issuer = noteSigner(`${origin}/issuer`, Buffer.alloc(32, 60));
const newer = noteSigner(`${origin}/issuer`, Buffer.alloc(32, 61));
const stranger = noteSigner('other.example/log/issuer', Buffer.alloc(32, 62));
const informed = { ...careful, issuerKeys: [issuer.vkey] } satisfies VectorOptions;

const stamped = sampleText(sampleStamped);
const bases = {
  whole: stamped,
  'null timestamp': sampleText({ attested: sampleAttested }),
  'null attestation': sampleText(sampleStampedAlone),
};

/** Bundles of version 6: signatures of their issuers, genuine and not. */
export function issuerVectors(random: Random): VectorInput[] {
  return [
    ...genuine(),
    homograph(),
    ...readers(),
    ...changed(),
    ...notes(),
    ...members(),
    ...altered(random),
  ];
}

/** The bundle as version 6, without a signature. */
function unsigned(text: string): Draft {
  const { checksum: _, ...rest } = JSON.parse(text);
  return {
    ...rest,
    version: 6,
    attestation: rest.attestation ?? null,
    timestamp: rest.timestamp ?? null,
  };
}

/** The bundle as version 6, signed. */
function signed(draft: Draft, signer = issuer): Draft {
  return { ...draft, issuer: { note: signNote(issuedText(draft), [signer]) } };
}

function vector(about: string, draft: Draft, options: VectorOptions = informed): VectorInput {
  const said = `Version 6: ${about}; the checksum is right.`;
  return { id: `issuer: ${about}`, about: said, bundle: sealed(draft), options };
}

const whole = () => signed(unsigned(stamped));

/** A genuine bundle that was changed after its issuer had signed it. */
function after(about: string, change: (draft: Draft) => void): VectorInput {
  const draft = whole();
  change(draft);
  return vector(about, draft);
}

/** A bundle that its issuer signed with these contents. */
function before(about: string, change: (draft: Draft) => void, text = stamped): VectorInput {
  const draft = unsigned(text);
  change(draft);
  return vector(about, signed(draft));
}

/** Signed by somebody whose name looks like that of the known issuer. */
function homograph(): VectorInput {
  const signer = noteSigner(`${homographOf(origin)}/issuer`, Buffer.alloc(32, 63));
  return vector(
    'the name of the issuer looks like the known one',
    signed(unsigned(stamped), signer),
  );
}

function genuine(): VectorInput[] {
  const same = () => {};
  return [
    before('genuine', same),
    before('genuine, without a timestamp', same, bases['null timestamp']),
    before('genuine, without signatures of validators', same, bases['null attestation']),
    before('genuine, with neither', same, sampleText()),
    before('genuine, with the plain scheme', same, sampleText({ hashScheme: 'sha256-plain-v1' })),
    before('genuine, of a standalone ledger', ({ anchor }) => {
      anchor.standalone = true;
    }),
    after('the form for sharing', ({ commitment }) => {
      commitment.nonce = null;
    }),
    before('signed as the form for sharing', ({ commitment }) => {
      commitment.nonce = null;
    }),
    before('signed with other names', ({ certificate }) => {
      certificate.organisationName = 'Somebody else';
    }),
    before('signed with another hash of the file', ({ file }) => {
      file.fileHash = 'ab'.repeat(32);
    }),
    before('signed with another close time', (one) => {
      one.anchor.closeTime += 10;
      relog(one);
    }),
    before('signed with a text beyond ASCII', ({ certificate }) => {
      certificate.workspaceName = 'Ünïcode \u2028 \u{1f4dc} "\\/\u007f';
    }),
  ];
}

function readers(): VectorInput[] {
  const draft = whole();
  const of = (about: string, options: VectorOptions) =>
    vector(`of a reader who names ${about}`, draft, options);
  const wrongId = issuer.vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+');
  return [
    of('no key of an issuer', careful),
    of('nothing', {}),
    of('the key only', { issuerKeys: informed.issuerKeys }),
    of('a newer key of this issuer', { ...careful, issuerKeys: [newer.vkey] }),
    of('the key of another issuer', { ...careful, issuerKeys: [stranger.vkey] }),
    of('several keys', { ...careful, issuerKeys: [stranger.vkey, newer.vkey, issuer.vkey] }),
    of('a key twice', { ...careful, issuerKeys: [issuer.vkey, issuer.vkey] }),
    of('the key of the log', { ...careful, issuerKeys: careful.logKeys }),
    of('the key of the issuer for the log', { ...careful, logKeys: [issuer.vkey] }),
    of('a key with a wrong id', { ...careful, issuerKeys: [wrongId] }),
    of('the key of a witness', {
      ...careful,
      issuerKeys: [createCosigner('north.example/issuer', Buffer.alloc(32, 200)).vkey],
    }),
    of('text instead of a key', { ...careful, issuerKeys: ['issuer'] }),
  ];
}

function changed(): VectorInput[] {
  const differs = (about: string, change: (draft: Draft) => void) =>
    after(`${about} after the signature`, change);
  return [
    differs('the organisation is changed', ({ certificate }) => {
      certificate.organisationName = 'Somebody else';
    }),
    differs('the time of issue is changed', ({ certificate }) => {
      certificate.issuedAt = '2026-11-21T04:05:06.790Z';
    }),
    differs('the name of the file is changed', ({ file }) => {
      file.fileName = 'other.pdf';
    }),
    differs('the name of the file is removed', ({ file }) => {
      file.fileName = null;
    }),
    differs('the number of the revision is changed', ({ revision }) => {
      revision.number = 3;
    }),
    differs('the nonce is changed', ({ commitment }) => {
      commitment.nonce = 'ab'.repeat(32);
    }),
    differs('the timestamp is removed', (one) => {
      one.timestamp = null;
    }),
    differs('the attestation is removed', (one) => {
      one.attestation = null;
    }),
    differs('a cosignature is added', ({ log }) => {
      const [body = ''] = log.checkpoint.split('\n\n');
      const witness = createCosigner('north.example/w', Buffer.alloc(32, 200));
      log.checkpoint += witness.cosign(`${body}\n`, 1_795_200_000);
    }),
    differs('it is restated as version 5', (one) => {
      one.version = 5;
      delete one.issuer;
    }),
    (() => {
      const { checksum, ...draft } = JSON.parse(sealed(whole()));
      const bundle = JSON.stringify({ ...draft, checksum: checksum.replace(/^./, 'x') });
      const about = 'Version 6: the checksum is no checksum.';
      return { id: 'issuer: malformed checksum', about, bundle, options: informed };
    })(),
    (() => {
      const draft = JSON.parse(sealed(whole()));
      const bundle = JSON.stringify({ ...draft, checksum: 'ab'.repeat(32) });
      const about = 'Version 6: the checksum is of another bundle.';
      return { id: 'issuer: false checksum', about, bundle, options: informed };
    })(),
  ];
}

function notes(): VectorInput[] {
  const text = issuedText(whole());
  const { note } = whole().issuer;
  const [, line = ''] = note.split('\n\n');
  const put = (about: string, changed: string) =>
    after(`the note ${about}`, (one) => {
      one.issuer.note = changed;
    });
  const says = (about: string, said: string) => put(about, signNote(said, [issuer]));
  const bySigner = (about: string, signer: typeof issuer) => put(about, signNote(text, [signer]));
  const bytes = Buffer.from(line.trim().split(' ')[2] ?? '', 'base64');
  const made = (about: string, signature: Uint8Array, name: string = issuer.name) =>
    put(about, `${text}\n— ${name} ${Buffer.from(signature).toString('base64')}\n`);
  const forged = Buffer.concat([bytes.subarray(0, -1), Buffer.of((bytes.at(-1) ?? 0) ^ 1)]);
  return [
    bySigner('is signed with a newer key', newer),
    bySigner('is signed by another issuer', stranger),
    bySigner(
      'is signed with a key not named as of an issuer',
      noteSigner(origin, Buffer.alloc(32, 60)),
    ),
    bySigner('is signed with a key named "/issuer"', noteSigner('/issuer', Buffer.alloc(32, 60))),
    bySigner(
      'is signed with a key of a later epoch',
      noteSigner(`${origin}/2/issuer`, Buffer.alloc(32, 60)),
    ),
    put('has two signatures', signNote(text, [issuer, newer])),
    put('has the same signature twice', note + line),
    put('has no signature', `${text}\n`),
    put('has no empty line', text + line),
    put('is empty', ''),
    put('lacks its last newline', note.slice(0, -1)),
    put('has carriage returns', note.replaceAll('\n', '\r\n')),
    put('has a hyphen for the dash', note.replace('—', '-')),
    put('has a signature without padding', note.replace(/=*\n$/, '\n')),
    put('has a signature that is not canonical base64', note.replace(/.(=*)\n$/, '?$1\n')),
    put('has another line after the signature', `${note}more\n`),
    put('has 1,025 characters', note.padEnd(1_025, 'x')),
    says('has another hash', `proofmark/bundle\n${'ab'.repeat(32)}\n`),
    says(
      'has the hash in upper case',
      text.replace(/[a-f]/g, (one) => one.toUpperCase()),
    ),
    says(
      'has the hash in upper case alone',
      text.replace(/\n.*/, (one) => one.toUpperCase()),
    ),
    says('has another first line', text.replace('proofmark/bundle', 'proofmark/other')),
    says('has a third line', `${text}more\n`),
    says('has the hash alone', `${text.split('\n')[1]}\n`),
    says('has the hash of the bundle with its nonce', `proofmark/bundle\n${withNonce()}\n`),
    says('is a checkpoint', `${origin}\n1\n${sha256('root').toString('base64')}\n`),
    made('has a forged signature', forged),
    made('has a signature of 63 bytes', bytes.subarray(0, -1)),
    made('has a signature of 65 bytes', Buffer.concat([bytes, Buffer.of(0)])),
    made('has a key id alone', bytes.subarray(0, 4)),
    made('has an empty signature', Buffer.of()),
    made('has a key id with one signature byte', bytes.subarray(0, 5)),
    made('has another key id', Buffer.concat([Buffer.alloc(4, 1), bytes.subarray(4)])),
    made('states another name', bytes, 'other.example/log/issuer'),
    made('states a name with a plus sign', bytes, 'a+b/issuer'),
  ];
}

/** The hash that a writer computes who forgets to leave out the nonce. */
function withNonce(): string {
  const { issuer: _, ...rest } = whole();
  return JSON.parse(sealed(rest)).checksum;
}

function members(): VectorInput[] {
  return [
    after('without issuer', (one) => {
      delete one.issuer;
    }),
    after('the issuer is null', (one) => {
      one.issuer = null;
    }),
    after('the note is missing', (one) => {
      one.issuer = {};
    }),
    after('the issuer has another member', (one) => {
      one.issuer.key = issuer.vkey;
    }),
    after('the note is a number', (one) => {
      one.issuer.note = 6;
    }),
    after('the log is null', (one) => {
      one.log = null;
    }),
    ...[3, 4, 5, 7].map((version) =>
      after(`stated as version ${version}`, (one) => {
        one.version = version;
      }),
    ),
  ];
}

/** Each value altered in turn, under the signature of the bundle as it was. */
function altered(random: Random): VectorInput[] {
  const draft = whole();
  const kept = ['certificate', 'file', 'commitment', 'revision', 'issuer'];
  const places = [['issuer'], ...placesIn(draft)].filter(([first]) => kept.includes(String(first)));
  return places.flatMap((place, n) => {
    const changed = alterAt(draft, place, random);
    if (changed === null) return [];
    const path = place.join('.');
    return {
      id: `altered: version 6, ${path} (${n})`,
      about: `The value ${path} is altered or missing; the checksum is right.`,
      bundle: sealed(changed),
      options: informed,
    };
  });
}
