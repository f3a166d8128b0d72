import type { Random } from '../seed.ts';
import { pick, upTo } from './mutated-bytes.ts';

/** The JSON text with one change of its writing, of which some keep its meaning. */
export function mutateJson(text: string, random: Random): string {
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],:]|true|false|null/g)];
  if (tokens.length === 0) return text;
  const token = pick(tokens, random);
  const [written] = token;
  const end = token.index + written.length;
  const put = (other: string) => text.slice(0, token.index) + other + text.slice(end);
  if (random() < 0.15) return put(pick(spaces, random) + written);
  if (random() < 0.05) return pick(spaces, random) + text + pick(spaces, random);
  if (random() < 0.15) return doubled(text, random);
  if (written.startsWith('"')) return put(otherText(written, random));
  if (/^[-\d]/.test(written)) return put(otherNumber(written, random));
  return put(
    pick(
      ['', ',', written + written, 'NaN', 'Infinity', '-Infinity', 'null', '[', '{', '/**/', "'"],
      random,
    ),
  );
}

const spaces = [
  ' ',
  '\t',
  '\r',
  '\n',
  '\f',
  '\v',
  '\u00a0',
  '\ufeff',
  '\u2028',
  '\0',
  '// x\n',
  '  ',
];

function otherText(written: string, random: Random): string {
  const inner = written.slice(1, -1);
  const at = upTo(inner.length + 1, random);
  const character = inner.charCodeAt(Math.min(at, inner.length - 1)) || 97;
  const hex = character.toString(16).padStart(4, '0');
  const escaped = `${inner.slice(0, at)}\\u${random() < 0.5 ? hex : hex.toUpperCase()}${inner.slice(at + 1)}`;
  const others = [
    '\\ud800',
    '\\udc00\\ud800',
    '\\ud83d\\ude00',
    '\\/',
    '\\x41',
    '\\u00',
    '\\u{41}',
    '\n',
    '\t',
    '\u007f',
    '\ud800',
    '😀',
    '\\u0000',
    "\\'",
  ];
  return random() < 0.5
    ? `"${escaped}"`
    : `"${inner.slice(0, at)}${pick(others, random)}${inner.slice(at)}"`;
}

function otherNumber(written: string, random: Random): string {
  const odd = [
    '1e400',
    '-1e400',
    '-0',
    '-0.0',
    '0e0',
    '1E+0',
    '00',
    '01',
    '+1',
    '1.',
    '.5',
    '0x1',
    '1_000',
    '9'.repeat(400),
    '9007199254740993',
    '9007199254740992',
    '1e-400',
    '5e-324',
    '-',
  ];
  const same = [
    `${written}.0`,
    `${written}e0`,
    `${written}E-0`,
    `${written}.000e+00`,
    `${written}0e-1`,
    `0${written}`,
    `-${written}`,
    `"${written}"`,
    `${written}.0000000000000000000001`,
  ];
  return pick(random() < 0.5 ? odd : same, random);
}

/** A member stands twice, its second name perhaps written with an escape. */
function doubled(text: string, random: Random): string {
  const members = [...text.matchAll(/"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+|true|false|null)/g)];
  if (members.length === 0) return text;
  const member = pick(members, random);
  const [whole, name = '', value] = member;
  const first = `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const again = pick(
    [name, first + name.slice(1), `${name}\\u0000`, '__proto__', 'constructor', `\\u005f_proto__`],
    random,
  );
  const at = member.index + (random() < 0.5 ? 0 : whole.length);
  const copy = `"${again}":${value}`;
  return text.slice(0, at) + (at === member.index ? `${copy},` : `,${copy}`) + text.slice(at);
}
