import { sampleLogSigner, sampleText } from '../sample-bundle.ts';
import type { VectorInput, VectorOptions } from './vector.ts';
import { careful, policyOf, resealed, witnesses } from './vector-bases.ts';

const now = 1_795_200_000;

/** Notes that are no checkpoints, and the limits of notes and policies. */
export function limitVectors(): VectorInput[] {
  return [...notes(), ...policies()];
}

/** The sample, with this checkpoint. */
function withNote(change: (checkpoint: string) => string): string {
  return resealed(sampleText(), ({ log }) => {
    log.checkpoint = change(log.checkpoint);
  });
}

const cosign = (text: string, count = witnesses.length) =>
  witnesses
    .slice(0, count)
    .map(({ cosigner }) => cosigner.cosign(text, now))
    .join('');

const textOf = (note: string) => note.slice(0, note.indexOf('\n\n') + 1);

function notes(): VectorInput[] {
  const given = (
    about: string,
    change: (checkpoint: string) => string,
    options: VectorOptions = careful,
  ): VectorInput => ({
    id: `log: ${about}`,
    about: `The issuer's log: ${about}; the checksum is right.`,
    bundle: withNote(change),
    options,
  });
  const cosigned = (about: string, change: (text: string) => string) =>
    given(
      `witnesses cosigned ${about}`,
      (checkpoint) => {
        const text = change(textOf(checkpoint));
        return `${text}\n${cosign(text)}`;
      },
      { ...careful, policy: policyOf(2) },
    );
  const line = `— x.example ${Buffer.alloc(5, 7).toString('base64')}\n`;
  return [
    cosigned('a greeting', () => 'hello\n'),
    cosigned('a checkpoint without a root', (text) => text.replace(/[^\n]+\n$/, '')),
    given('the checkpoint has 100 signature lines', (note) => note + line.repeat(99)),
    given('the checkpoint has 101 signature lines', (note) => note + line.repeat(100)),
  ];
}

/** Key of a type that is not known here. Nothing relates the id to the key. */
function laterKey(name: string, id: string, number: number): string {
  return `${name}+${id}+${Buffer.of(6, number >> 8, number & 255).toString('base64')}`;
}

function policies(): VectorInput[] {
  const [north = '', south = ''] = witnesses.map(
    ({ name, cosigner }) => `witness ${name} ${cosigner.vkey}\n`,
  );
  const quorum = 'group both all north south\nquorum both\n';
  const given = (about: string, policy: string): VectorInput => ({
    id: `policy: ${about}`,
    about: `A policy (C2SP tlog-policy) ${about}; north and south cosigned the checkpoint.`,
    bundle: withNote((checkpoint) => checkpoint + cosign(textOf(checkpoint), 2)),
    options: { ...careful, policy },
  });
  const later = (count: number) =>
    Array.from(
      { length: count },
      (_, n) => `witness w${n} ${laterKey(`w${n}.example/w`, '00000001', n)}\n`,
    ).join('');
  const sameAs = (vkey: string) => {
    const [name = '', id = ''] = vkey.split('+');
    return `witness later ${laterKey(name, id, 1)}\n`;
  };
  const { vkey } = sampleLogSigner;
  const ofNorth = sameAs(witnesses[0]?.cosigner.vkey ?? '');
  const first = `witness first ${laterKey('a.example/w', '01020304', 2)}\n`;
  return [
    given('has 256 entries', north + south + later(252) + quorum),
    given('has 257 entries', north + south + later(253) + quorum),
    given(
      'has 256 entries between comments and empty lines',
      `${north + south + later(252)}\n \t\n# more\n \t# more\n${quorum}#`,
    ),
    given(
      'has a comment of 70,000 characters',
      `#${' long'.repeat(14_000)}\n${north}${south}${quorum}`,
    ),
    given(
      'has two witnesses of a later type with the same name and id',
      `${north}${south}${first}${sameAs('a.example/w+01020304')}${quorum}`,
    ),
    given(
      'has two witnesses of a later type with the same name and different ids',
      `${north}${south}${first}${sameAs('a.example/w+01020305')}${quorum}`,
    ),
    given(
      'has two witnesses of a later type with the same id and different names',
      `${north}${south}${first}${sameAs('b.example/w+01020304')}${quorum}`,
    ),
    given(
      'has a witness of a later type with name and id of one above',
      `${north}${south}${ofNorth}${quorum}`,
    ),
    given(
      'has a witness of a later type with name and id of one below',
      `${ofNorth}${north}${south}${quorum}`,
    ),
    given(
      'has a witness of a later type with name and id of a log above',
      `log ${vkey}\n${north}${south}${sameAs(vkey)}${quorum}`,
    ),
    given(
      'has a witness of a later type with name and id of a log below',
      `${sameAs(vkey)}${north}${south}${quorum}log ${vkey}\n`,
    ),
  ];
}
