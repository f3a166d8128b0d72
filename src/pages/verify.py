#!/usr/bin/env python3
"""Verify a Proofmark certificate or proof bundle offline, with Python 3.8 or newer and nothing else:
    python3 verify.py --certificate CERTIFICATE.pdf --file FILE --account rISSUER
Asks no server, sends nothing. Written from the description of the format (docs/bundle-format.md), and shares no
code with the service. The exit code is 1 if a check failed or the input cannot be read, else 0. Only the result
"Proven" is a proof. Licence: Apache-2.0"""
import argparse, base64, hashlib, hmac, json, re, sys, zlib
from collections import namedtuple
from datetime import datetime, timedelta
MAX_BUNDLE_BYTES, MAX_CERTIFICATE_BYTES, MAX_KEYS_BYTES, MAX_TOKEN_BYTES = 2 ** 20, 2 ** 23, 2 ** 16, 2 ** 15
MAX_LIST_BYTES, MAX_MANIFEST_BYTES, MAX_VALIDATION_BYTES, MAX_VALIDATORS, MAX_ENTRIES = 2 ** 16, 1024, 8192, 128, 256
MAX_CHAIN, MAX_SIGNATURES, MAX_UNPACKED, MAX_STREAMS, MAX_ATTACHED, MAX_WORK = 8192, 100, 2 ** 25, 1000, 100, 100000
KNOWN_PUBLISHERS = {  # of validator lists, trusted by the ledger's own servers: master key, name, network
    'ED2677ABFFD1B33AC6FBC3062B71F1E8397C1505E1C42C64D11AD1B28FF73F4734': ('vl.ripple.com', 'mainnet'),
    'ED42AEC58B701EEBB77356FFFEC26F83C1F0407263530F068C7C73D392C7E06FD1': ('unl.xrplf.org', 'mainnet'),
    'ED264807102805220DA0F312E71FC2C69E1552C9C5790F6C25E3729DEB573D5860': ('vl.altnet.rippletest.net', 'testnet')}
class Refused(Exception): """There is no bundle that can be read."""
class Bad(Exception): """Evidence that cannot be read or does not hold: the check that needs it fails."""
class Open(Exception): """A check that cannot be made, with the reason."""
def demand(holds, reason):
    if not holds: raise Bad(reason)
# --- Hashes and encodings -------------------------------------------------------------------------
def sha256(data): return hashlib.sha256(data).digest()
def half(data): return hashlib.sha512(data).digest()[:32]  # the ledger's hash
def number_of(data): return int.from_bytes(data, 'big')
def ripemd160(data):  # RIPEMD-160 of at most 55 bytes, written out because many builds of OpenSSL lack it
    rho, word_mask = (7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8), 0xFFFFFFFF
    shifts = 'befc5879bdef6798 cdbf6997cfbd7877 dfeb7768dedc5569 ebce8655fcfe9986 fcdd9586ebcb8655'.split()
    mixes = (lambda x, y, z: x ^ y ^ z, lambda x, y, z: (x & y) | (~x & z), lambda x, y, z: (x | ~y) ^ z,
             lambda x, y, z: (x & z) | (y & ~z), lambda x, y, z: x ^ (y | ~z))
    left = (list(range(16)), (0, 0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xA953FD4E), mixes)
    right = ([(9 * at + 5) % 16 for at in range(16)], (0x50A28BE6, 0x5C4DD124, 0x6D703EF3, 0x7A6D76E9, 0), mixes[::-1])
    state, ends = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0), []
    block = data + b'\x80' + bytes(55 - len(data)) + (8 * len(data)).to_bytes(8, 'little')
    for order, constants, functions in (left, right):
        a, b, c, d, e = state
        for turn in range(5):
            for at in order:
                word, by = int.from_bytes(block[4 * at:4 * at + 4], 'little'), int(shifts[turn][at], 16)
                total = (a + (functions[turn](b, c, d) & word_mask) + word + constants[turn]) & word_mask
                total = (total << by | total >> (32 - by)) + e & word_mask
                a, b, c, d, e = e, total, b, (c << 10 | c >> 22) & word_mask, d
            order = [rho[at] for at in order]
        ends.append((a, b, c, d, e))
    joined = [state[(at + 1) % 5] + ends[0][(at + 2) % 5] + ends[1][(at + 3) % 5] for at in range(5)]
    return b''.join((value & word_mask).to_bytes(4, 'little') for value in joined)
BASE64 = '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?'
BASE58 = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'
def address_of(account):  # address (r…) of the 20 bytes of an account
    payload = b'\0' + account + sha256(sha256(b'\0' + account))[:4]
    digits = ''.join(BASE58[number_of(payload) // 58 ** place % 58] for place in range(34, -1, -1)).lstrip('r')
    return 'r' * (len(payload) - len(payload.lstrip(b'\0'))) + digits
def from_base64(encoded, most=MAX_BUNDLE_BYTES):  # bytes of base64 in its one canonical form, with padding
    demand(re.fullmatch(BASE64, encoded), 'base64 is malformed')
    data = base64.b64decode(encoded)
    demand(len(data) <= most and base64.b64encode(data).decode() == encoded, 'base64 is not canonical')
    return data
class Reader:  # takes bytes from the front of data. Raises Bad if they end too early
    def __init__(self, data): self.data, self.at = data, 0
    def has_more(self): return self.at < len(self.data)
    def take(self, count):
        start, self.at = self.at, self.at + count
        demand(self.at <= len(self.data), 'its bytes end too early')
        return self.data[start:self.at]
    def number(self, count): return number_of(self.take(count))
def utc(seconds, since=946684800):  # seconds since the year 2000
    return (datetime(1970, 1, 1) + timedelta(seconds=min(seconds + since, 2 ** 37))).isoformat() + '.000Z'
# --- Signatures -----------------------------------------------------------------------------------
P25519, L25519 = 2 ** 255 - 19, 2 ** 252 + 27742317777372353535851937790883648493
D25519 = -121665 * pow(121666, -1, P25519) % P25519
PK1, NK1 = 2 ** 256 - 2 ** 32 - 977, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
def edwards_point(data):  # point of its 32 bytes (RFC 8032, 5.1.3) in extended coordinates; None if there is none
    sign, y = divmod(int.from_bytes(data, 'little'), 2 ** 255)
    square = (y * y - 1) * pow(D25519 * y * y + 1, -1, P25519) % P25519
    x = pow(square, (P25519 + 3) // 8, P25519)
    if x * x % P25519 != square: x = x * pow(2, (P25519 - 1) // 4, P25519) % P25519
    if y >= P25519 or x * x % P25519 != square or (x == 0 and sign): return None
    x = P25519 - x if x & 1 != sign else x
    return x, y, 1, x * y % P25519
def edwards_add(one, two):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, two
    a, b = (y1 - x1) * (y2 - x2) % P25519, (y1 + x1) * (y2 + x2) % P25519
    c, d = 2 * t1 * t2 * D25519 % P25519, 2 * z1 * z2 % P25519
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P25519, g * h % P25519, f * g % P25519, e * h % P25519
def curve_point(key):  # point of secp256k1 of its 33 bytes in projective coordinates; None if there is none
    x = number_of(key[1:])
    y = pow(x * x * x + 7, (PK1 + 1) // 4, PK1)
    if x >= PK1 or (y * y - x * x * x - 7) % PK1: return None
    return x, (y if y & 1 == key[0] & 1 else PK1 - y), 1
def curve_add(one, two):  # sum (Renes, Costello and Batina, 2015); z = 0 is the point at infinity
    (x1, y1, z1), (x2, y2, z2) = one, two
    xx, xy, xz, yz = x1 * x2, (x1 * y2 + x2 * y1) % PK1, (x1 * z2 + x2 * z1) % PK1, (y1 * z2 + y2 * z1) % PK1
    more, less = (y1 * y2 + 21 * z1 * z2) % PK1, (y1 * y2 - 21 * z1 * z2) % PK1
    return (xy * less - 21 * yz * xz) % PK1, (more * less + 63 * xx * xz) % PK1, (yz * more + 3 * xx * xy) % PK1
def double_multiple(add, zero, one, m, two, n):  # m × one + n × two
    table, total = (zero, one, two, add(one, two)), zero
    for bit in range(max(m.bit_length(), n.bit_length()) - 1, -1, -1):
        total = add(add(total, total), table[(m >> bit & 1) + 2 * (n >> bit & 1)])
    return total
EDWARDS_BASE = edwards_point((4 * pow(5, -1, P25519) % P25519).to_bytes(32, 'little'))
CURVE_BASE = curve_point(bytes.fromhex('0279BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798'))
def is_small(point): return double_multiple(edwards_add, (0, 1, 1, 0), point, 8, point, 0)[0] == 0  # of small order
def ed25519_holds(key, message, signature):  # Ed25519 (RFC 8032) without the cofactor, and no point of small order
    point, scalar = edwards_point(key), int.from_bytes(signature[32:], 'little')
    if len(signature) != 64 or point is None or is_small(point) or scalar >= L25519: return False
    factor = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), 'little') % L25519
    negative = (P25519 - point[0], point[1], 1, P25519 - point[3])
    x, y, z, _ = found = double_multiple(edwards_add, (0, 1, 1, 0), EDWARDS_BASE, scalar, negative, factor)
    x, y = (one * pow(z, -1, P25519) % P25519 for one in (x, y))
    return (y | (x & 1) << 255).to_bytes(32, 'little') == signature[:32] and not is_small(found)
def read_der(data, depth=0):  # elements as tag and value, a list if the tag says so. Refuses all but DER
    elements, reader = [], Reader(data)
    while reader.has_more():
        tag, size = reader.take(2)
        demand(depth < 32 and tag & 31 != 31, 'it has more than 32 levels, or a tag of several bytes')
        if size > 127:
            count, size = size - 128, reader.number(size - 128)
            demand(size > 127 and count == (size.bit_length() + 7) // 8, 'a length is not the shortest')
        value = reader.take(size)
        elements.append((tag, read_der(value, depth + 1) if tag & 32 else value))
    return elements
def read_numbers(signature):
    """r and s of an ECDSA signature in DER, each in its shortest form; zeros if it is malformed."""
    try: [(tag, [(tag_r, r), (tag_s, s)])] = read_der(signature)
    except (Bad, TypeError, ValueError): return 0, 0
    if (tag, tag_r, tag_s) != (0x30, 2, 2): return 0, 0
    numbers = [number_of(value) for value in (r, s)]
    return numbers if [one.to_bytes(one.bit_length() // 8 + 1, 'big') for one in numbers] == [r, s] else (0, 0)
def ecdsa_holds(key, digest, signature):  # ECDSA of secp256k1; S must be the lower of its two possible values
    (r, s), point = read_numbers(signature), curve_point(key)
    if point is None or not 0 < r < NK1 or not 0 < s <= NK1 // 2: return False
    m, n = (one * pow(s, -1, NK1) % NK1 for one in (number_of(digest), r))
    x, _, z = double_multiple(curve_add, (0, 1, 0), CURVE_BASE, m, point, n)
    return z != 0 and x * pow(z, -1, PK1) % PK1 % NK1 == r
def is_ledger_key(key): return len(key) == 33 and key[0] in (0xED, 2, 3)
def signature_holds(key, message, signature):  # signature by a key of the ledger: Ed25519 behind ED, else secp256k1
    if is_ledger_key(key) and key[0] == 0xED: return ed25519_holds(key[1:], message, signature)
    return is_ledger_key(key) and ecdsa_holds(key, half(message), signature)
# --- JSON and the form of a bundle ----------------------------------------------------------------
def parse_json(data):  # JSON in UTF-8 without doubled members, infinite numbers and halves of surrogate pairs
    def number(digits):
        value = float(digits)
        demand(value - value == 0, 'a number is too large')
        return int(value) if value.is_integer() else value
    def object_of(pairs):
        demand(len(dict(pairs)) == len(pairs), 'a member is there twice')
        return dict(pairs)
    how = dict(parse_int=number, parse_float=number, parse_constant=number, object_pairs_hook=object_of)
    try:
        value = json.loads(data.decode('utf-8-sig'), **how)
        return value if b'\\u' not in data or canonical(value) else None
    except (ValueError, RecursionError): raise Bad('it is not JSON in UTF-8')
def canonical(value):  # form of RFC 8785. The numbers of a bundle are integers, and its member names ASCII
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(',', ':')).encode()
def text(most, pattern='(?s:.*)'):
    return lambda value: isinstance(value, str) and len(value) <= most and bool(re.fullmatch(pattern, value))
def integer(least, most=2 ** 53 - 1): return lambda value: type(value) is int and least <= value <= most
def one_of(*values): return lambda value: any(type(value) is type(one) and value == one for one in values)
def list_of(form, most): return lambda value: isinstance(value, list) and len(value) <= most and all(map(form, value))
def object_of(shape):
    return lambda value: (isinstance(value, dict) and set(shape) == set(value) and
                          all(fits(form, value[name]) for name, form in shape.items()))
def fits(forms, value): return any(FORMS[name](value) for name in forms.split('|'))
def is_date(value):  # A time in UTC, on a day that exists
    if not text(30, r'[0-9]{4}(-[0-9]{2}){2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]+)?Z')(value): return False
    try: return bool(datetime(int(value[:4]) or 400, int(value[5:7]), int(value[8:10])))
    except ValueError: return False
def encoded(most): return text(most, BASE64)
UINT32, DIGEST = integer(0, 2 ** 32 - 1), text(64, '[a-f0-9]{64}')
HEX, LIST_KEY = '([A-F0-9]{2})+', text(66, '(?i:ED|02|03)[A-Fa-f0-9]{64}')
SPACES = '\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'  # of ECMA-262
FORMS = {  # functions that accept a value or not, by their names in SHAPES
    'true': one_of(True, False), 'null': one_of(None), 'one': one_of(1), 'uint': UINT32, 'size': integer(0),
    'count': integer(1), 'digest': DIGEST, 'hash': text(64, '[A-F0-9]{64}'), 'date': is_date, 'name': text(1000),
    'id': text(26, '[0-9A-HJKMNP-TV-Z]{26}'), 'ulid': text(26, '[0-7][0-9A-HJKMNP-TV-Z]{25}'),
    'format': one_of('proofmark/bundle'), 'type': one_of('proofmark/proof'), 'json': one_of('application/json'),
    'plain': one_of('sha256-plain-v1'), 'salted': one_of('hmac-sha256-nonce-v2', 'hmac-sha256-nonce-v3'),
    'network': one_of('mainnet', 'testnet'), 'account': text(35, 'r[1-9A-HJ-NP-Za-km-z]{24,34}'),
    'url': text(2048, 'https?://[^%s]+' % SPACES), 'anchored': one_of('Anchored'), 'token': encoded(43692),
    'stamped': text(8192, '[^+%s]+\n(0|[1-9][0-9]{0,14})\n[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=\n' % SPACES),
    'data': text(1024), 'blob': text(8192, HEX), 'metadata': text(65536, HEX), 'header': text(236, HEX),
    'signature': text(144, HEX), 'short': text(100), 'note': text(8192), 'issued': text(1024),
    'hashes': list_of(DIGEST, 64), 'path': encoded(41132), 'chain': encoded(851968), 'list': encoded(87384),
    'manifest': encoded(1368), 'manifests': list_of(encoded(1368), 128), 'validations': list_of(encoded(10924), 128)}
SHAPES = dict(line.split(': ') for line in '''
bundle: format certificate file commitment=commitment|plainly revision anchor evidence addresses log attestation \
timestamp issuer checksum=digest
certificate: templateVersion=one proofId=id issuedAt=date organisationName=name workspaceName=name
file: fileName=name|null fileSizeBytes=size|null mimeType=name|null fileHash=digest
plainly: hashScheme=plain commitment=null nonce=null
commitment: hashScheme=salted commitment=digest nonce=digest|null
revision: number=count|null previousTransactionHash=hash|null
anchor: network standalone=true account transactionHash=hash ledgerIndex=uint ledgerHash=hash \
transactionIndex=uint closeTime=uint closeTimeIso=date
evidence: memo blob metadata ledgerHeader=header
memo: type format=json data
addresses: verifyUrl=url verifyPageUrl=url publicApiUrl=url
oldAddresses: verifyUrl=url publicApiUrl=url explorerUrl=url
timestamp: checkpointText=stamped hashes token
log: event ledgerId=short leafIndex=size hashes checkpoint=note
event: v=one eventId=ulid organisationId=ulid stream=short version=count type=anchored schema=one \
recordedAt=date dataHash=digest metaHash=digest
issuer: note=issued
attestation: path chain validations manifests validatorList
validatorList: manifest blob=list signature'''.strip().split('\n'))
for shape, members in SHAPES.items():  # a member without "=" has the form of its own name
    SHAPES[shape] = dict((member.split('=') * 2)[:2] for member in members.split())
    FORMS[shape] = object_of(SHAPES[shape])
def read_bundle(data):  # the bundle, with exactly the members and limits of its version
    try:
        demand(len(data) <= MAX_BUNDLE_BYTES, 'it is too large')
        value = parse_json(data)
        demand(is_bundle(value), 'the member "format" is not "proofmark/bundle"')
        version = value.pop('version', None)
        demand(integer(1, 6)(version), 'this program knows versions 1 to 6 only')
        since = {'log': 2, 'attestation': 4, 'timestamp': 5, 'issuer': 6}
        shape = {name: form for name, form in SHAPES['bundle'].items() if version >= since.get(name, 1)}
        if version < 3: shape['addresses'] = 'oldAddresses'
        if version > 4: shape['attestation'] = 'attestation|null'
        if version > 5: shape['timestamp'] = 'timestamp|null'
        for name in sorted(set(shape) | set(value)):
            demand(name in shape and name in value and fits(shape[name], value[name]), 'member %.40r is wrong' % name)
        return dict(value, version=version)
    except Bad as error: raise Refused('this is not a proof bundle, or it was damaged or changed: %s' % error)
def is_bundle(value): return isinstance(value, dict) and value.get('format') == 'proofmark/bundle'
# --- Binary forms of the ledger -------------------------------------------------------------------
SIZES = {1: 2, 2: 4, 3: 8, 4: 16, 5: 32, 6: 8, 10: 4, 16: 1, 17: 20}
Field = namedtuple('Field', 'header start end value')  # header in hexadecimal; value or inner fields
def read_fields(reader, end=None, depth=0):  # fields of an object, or of a list or object inside until its end marker
    fields, last = [], (0, 0)
    while end or reader.has_more():
        start, first = reader.at, reader.number(1)
        if first == end: break
        kind, code = [part or reader.number(1) for part in (first >> 4, first & 15)]
        demand(reader.at - start == 1 + (kind > 15) + (code > 15), 'a header is too long')
        demand(kind == 14 if end == 0xF1 else (kind, code) > last, 'its fields are not in order')
        last, header, size = (kind, code), reader.data[start:reader.at].hex().upper(), SIZES.get(kind)
        if kind in (14, 15):
            demand(depth < 10 and len(reader.data) <= 16384, 'it is nested too deeply, or larger than 16 KiB')
            value = read_fields(reader, 0xE1 if kind == 14 else 0xF1, depth + 1)
        else:
            if kind in (7, 8, 19): size = reader.number(1)
            demand(size is not None and size < 255, 'a type is unknown, or a length is impossible')
            if size > 240: size = 12481 + 65536 * (size - 241) + reader.number(2)
            elif size > 192: size = 193 + 256 * (size - 193) + reader.number(1)
            value = reader.take(size)
            demand(not size % 32 if kind == 19 else kind != 6 or 0 <= number_of(value) - 2**62 <= 1e17, 'an odd value')
        fields.append(Field(header, start, reader.at, value))
    return fields
def by_header(fields): return {field.header: field.value for field in fields}
def flat(data, most, *signatures):  # values of an object without inner ones by header, and its bytes without signatures
    fields = read_fields(Reader(data))
    demand(len(data) <= most and not any(re.match('[8EF]|0.11', one.header) for one in fields), 'it is large or odd')
    return by_header(fields), without(data, fields, *signatures)
def without(data, fields, *headers):  # the bytes of an object without the fields of these headers
    return b''.join(data[field.start:field.end] for field in fields if field.header not in headers)
def with_length(data):
    size = len(data)
    prefix = 0xC100 + size - 193 if size <= 12480 else 0xF10000 + size - 12481
    return (bytes([size]) if size <= 192 else prefix.to_bytes(2 if size <= 12480 else 3, 'big')) + data
def header_hash(header): return half(b'LWR\0' + header)
class Manifest:  # statement of a master key about its signing key; a revocation has none
    def __init__(self, data):
        values, signed = flat(data, MAX_MANIFEST_BYTES, '76', '7012')
        is_usual = {'24', '71', '7012'} <= set(values) <= {'1010', '24', '71', '73', '76', '77', '7012'}
        demand(is_usual and values.get('1010', b'\0\0') == b'\0\0' and 4 <= len(values.get('77', b'none')) <= 128,
               'a manifest has other fields than it must')
        self.sequence, self.master, self.signing = number_of(values['24']), values['71'], values.get('73')
        is_whole = len({'73', '76'} & set(values)) == (0 if self.sequence == 0xFFFFFFFF else 2)
        are_keys = is_ledger_key(self.master) and is_ledger_key(self.signing or self.master)
        demand(is_whole and are_keys and self.master != self.signing, 'a manifest has an impossible key')
        self.proofs = [(self.master, values['7012'])] + ([(self.signing, values['76'])] if self.signing else [])
        self.signed = b'MAN\0' + signed
    def holds(self): return all(signature_holds(key, self.signed, made) for key, made in self.proofs)
def read_validation(data):  # statement of a validator about a ledger, its key, and the bytes that the key signed
    values, signed = flat(data, MAX_VALIDATION_BYTES, '76')
    demand({'22', '26', '29', '51', '73', '76'} <= set(values), 'a validation lacks a field')
    key, stated = values['73'], (values['22'][3] & 1 == 1, values['26'], values['51'])
    demand(is_ledger_key(key) and key[0] != 0xED, 'the key of a validation is of another kind')
    return stated, key, (key, b'VAL\0' + signed, values['76'])
def values_of(elements, *tags):  # values of the first elements of DER, which must have these tags
    demand([tag for tag, _ in elements[:len(tags)]] == list(tags), 'it is no time-stamp token')
    return [value for _, value in elements[:len(tags)]]
def one_sequence(data):  # elements of the one sequence that these bytes are
    elements = read_der(data)
    demand(len(elements) == 1, 'it is empty, or other bytes follow')
    return values_of(elements, 0x30)[0]
def read_token(data):  # SHA-256 and time that a time-stamp token states (RFC 3161, 2.4.2), without its signature
    kind, content = values_of(one_sequence(data), 0x06, 0xA0)
    _, _, signed = values_of(values_of(content, 0x30)[0], 0x02, 0x31, 0x30)
    kind_signed, content = values_of(signed, 0x06, 0xA0)
    version, _, imprint, _, time = values_of(one_sequence(*values_of(content, 0x04)), 0x02, 0x06, 0x30, 0x02, 0x18)
    algorithm, digest = values_of(imprint, 0x30, 0x04)
    stated = [one.hex() for one in (kind, kind_signed, version, *values_of(algorithm, 0x06))]
    demand(stated == ['2a864886f70d010702', '2a864886f70d0109100104', '01', '608648016503040201'],
           'it is no signed statement of a time, or not of a SHA-256')
    form = re.fullmatch(r'(\d{4})' + r'(\d\d)' * 5 + r'(\.\d*[1-9])?Z', time[:40].decode('latin-1'), re.ASCII)
    shown = form and '%s-%s-%sT%s:%s:%s' % form.groups()[:6]
    demand(form and is_date(shown + 'Z'), 'its time is malformed')
    return digest, '%s.%sZ' % (shown, (form.group(7) or '.')[1:4].ljust(3, '0'))
# --- The log of the issuer ------------------------------------------------------------------------
def is_key_name(name): return re.fullmatch(r'[^\s+\x00-\x1f\x7f-\x9f\ufeff\ud800-\udfff]+', name) is not None
class NoteKey:  # key of a log (type 1) or of a witness (type 4) as NAME+ID+KEY
    def __init__(self, stated, kind):
        name, number, key = (stated.split('+', 2) + ['', ''])[:3]
        demand(is_key_name(name) and re.fullmatch('[0-9a-f]{8}', number), 'a key is not NAME+ID+KEY')
        self.text, self.name, self.id, self.key = stated, name, bytes.fromhex(number), from_base64(key)
        self.is_known = not (kind == 4 and len(self.key) > 1 and self.key[0] > 5)  # else a later kind
        right = len(self.key) == 33 and self.key[0] == kind and sha256(name.encode() + b'\n' + self.key)[:4] == self.id
        demand(right or not self.is_known, 'a key is of another type, or its id is wrong')
    def made(self, text, signature): return ed25519_holds(self.key[1:], text.encode(), signature)
class Note:  # a signed note (C2SP signed-note)
    def __init__(self, note):
        body, empty, rest = note.rpartition('\n\n')
        demand(empty and rest.endswith('\n') and not re.search('[\x00-\x09\x0b-\x1f]', note), 'it is not a signed note')
        lines, self.text, self.signatures = [line.split(' ') for line in rest[:-1].split('\n')], body + '\n', []
        for dash, name, made in (line if len(line) == 3 else ('', '', '') for line in lines[:MAX_SIGNATURES + 1]):
            self.signatures.append((name, from_base64(made)[:4], from_base64(made)[4:]))
            is_right = dash == '\u2014' and is_key_name(name) and self.signatures[-1][2]
            demand(is_right and len(self.signatures) <= MAX_SIGNATURES, 'a signature is malformed')
    def made_by(self, key): return [made for *by, made in self.signatures if by == [key.name, key.id]]
    def holds(self, key): return all(key.made(self.text, made) for made in self.made_by(key))
class Checkpoint(Note):  # the root of a log as a signed note (C2SP tlog-checkpoint)
    def __init__(self, note):
        super().__init__(note)
        lines = self.text[:-1].split('\n')
        demand(len(lines) >= 3 and '' not in lines and re.fullmatch('0|[1-9][0-9]{0,15}', lines[1]),
               'the checkpoint does not state a name, a size and a root')
        self.origin, self.size, self.root = lines[0], int(lines[1]), from_base64(lines[2])
        demand(len(self.root) == 32 and self.size < 2 ** 53, 'the checkpoint states no root')
def root_of(leaf, index, size, hashes):  # root of the tree of this size with this leaf (RFC 9162, 2.1.3.2)
    demand(index < size, 'the log entry is not among the %d events that the checkpoint covers' % size)
    demand((size == 1) == (not hashes), 'the path in the log is too short or too long')
    if size == 1: return leaf
    left = 2 ** ((size - 1).bit_length() - 1)  # leaves of the left half
    if index < left: return sha256(b'\1' + root_of(leaf, index, left, hashes[:-1]) + hashes[-1])
    return sha256(b'\1' + hashes[-1] + root_of(leaf, index - left, size - left, hashes[:-1]))
class Policy:  # logs, witnesses and quorum that somebody trusts (C2SP tlog-policy)
    def __init__(self, data):
        demand(not re.search(rb'[^\t\n\x20-\x7e\x80-\xff]', data), 'the policy has a wrong character')
        demand(len(re.findall(rb'(?m)^[ \t]*[^ \t\n#]', data)) <= MAX_ENTRIES, 'the policy has more than 256 entries')
        self.logs, self.witnesses, self.groups, self.quorum, self.used = {}, {}, {}, None, set()
        for number, line in enumerate(data.decode('utf-8', 'surrogateescape').split('\n'), 1):
            words = re.findall('[^ \t]+', line)
            try:
                if words and not words[0].startswith('#'): self.read(*words)
            except Bad as error: raise Bad('policy, line %d: %s' % (number, error))
        demand(self.quorum is not None, 'the policy has no line: quorum NAME')
    def is_defined(self, name): return name in self.witnesses or name in self.groups
    def read(self, kind, name='', *words):
        least, most = {'log': (0, 1), 'witness': (1, 2), 'quorum': (0, 0), 'group': (2, 999)}.get(kind, (1, 0))
        demand(name and least <= len(words) <= most, 'its first word is unknown, or its number of words is wrong')
        is_defined = name == 'none' or self.is_defined(name)
        demand(kind not in ('witness', 'group') or not is_defined, 'the name is used already')
        if kind in ('log', 'witness'):
            keys, key = (self.logs, NoteKey(name, 1)) if kind == 'log' else (self.witnesses, NoteKey(words[0], 4))
            own = {(kind, key.key), (key.name, key.id, 'id')}  # a signature names its key by name and id alone
            demand(not own & self.used, 'the key, or another one with its name and id, is named twice')
            keys[name], self.used = key, self.used | own
        elif kind == 'quorum':
            demand(self.quorum is None and is_defined, 'the quorum is unknown, or stated twice')
            self.quorum = name
        else:
            names, number = words[1:], {'all': str(len(words) - 1), 'any': '1'}.get(words[0], words[0])
            is_number = re.fullmatch('[1-9][0-9]{0,5}', number) and int(number) <= len(names)
            demand(is_number and all(map(self.is_defined, names)), 'a wrong number, or a member is not defined above')
            demand(len(set(names)) == len(names) and not self.used & set(names), 'a member is in two groups')
            self.groups[name], self.used = (int(number), names), self.used | set(names)
    def accepts(self, name, cosigned):
        least, names = self.groups.get(name, (1, []))
        return name == 'none' or name in cosigned or sum(self.accepts(one, cosigned) for one in names) >= least
# --- The checks -----------------------------------------------------------------------------------
CHECKS = ('checksum, file hash, commitment, memo, transaction, signature, signing key, transaction hash, metadata, '
          'ledger header, close time, addresses, account, network, validated ledger, anchored transaction, '
          'transaction path, header chain, validator list, validations, log entry, log checkpoint, log witnesses, '
          'timestamp, timestamp authority, issuer signature, statements, pages').split(', ')
OF_SERVERS, OF_VALIDATORS, OF_AUTHORITY = CHECKS[13:16], CHECKS[16:20], CHECKS[23:25]
OPTIONAL = ['account'] + CHECKS[20:23] + CHECKS[24:]
NEVER_CHECKED = {**dict.fromkeys(OF_SERVERS, 'no ledger was asked: this program asks no server'),
    'timestamp authority': 'this program cannot check its signature. Use openssl, or ops verify with --tsa-ca',
    'pages': 'the printed pages and a signature of the PDF were not checked. They may show anything'}
Trust = namedtuple('Trust', 'file_hash accounts log_keys policy list_keys issuer_keys')  # what the user knows
def same(what, found, stated):  # the finding that both are the same
    demand(found == stated, '%s is %s, but the bundle states %s' % (what, found, stated))
    return '%s is %s, as the bundle states' % (what, found)
class Report:  # makes the checks. Each method is the check of its name: it returns a finding, or raises Bad or Open
    def __init__(self, bundle, trust, is_pdf):
        self.bundle, self.trust, self.checks, self.outcomes = bundle, trust, [], {}
        self.log_keys = list(trust.log_keys) + (list(trust.policy.logs.values()) if trust.policy else [])
        self.anchor, self.evidence, self.log = bundle['anchor'], bundle['evidence'], bundle.get('log')
        binary = map(self.evidence.get, ('blob', 'metadata', 'ledgerHeader'))
        self.blob, self.changes, self.header = map(bytes.fromhex, binary)
        self.fields, self.signed, self.validators = [], None, None
        try: self.fields = read_fields(Reader(self.blob))
        except Bad: pass  # the checks that need its fields fail
        self.values = by_header(self.fields)
        needed = {'pages': is_pdf, 'log witnesses': trust.policy, 'issuer signature': bundle.get('issuer'),
                  **dict.fromkeys(OF_VALIDATORS, bundle.get('attestation')),
                  **dict.fromkeys(OF_AUTHORITY, bundle.get('timestamp'))}  # by the checks that not every bundle has
        for name in CHECKS:
            if needed.get(name, True): self.make(name)
        if self.outcomes['signing key'] == 'notChecked' and self.is_proven_by_validators():
            self.outcomes['signing key'], shown = 'ok', 'the key was allowed to sign: the ledger shows it'
            self.checks[CHECKS.index('signing key')].update(outcome='ok', detail=shown)
    def make(self, name):
        try:
            if name in NEVER_CHECKED: raise Open(NEVER_CHECKED[name])
            outcome, detail = 'ok', getattr(self, name.replace(' ', '_'))()
        except Bad as error: outcome, detail = 'failed', str(error)
        except Open as reason: outcome, detail = 'notChecked', str(reason)
        self.outcomes[name] = outcome
        self.checks.append({'name': name, 'outcome': outcome, 'detail': detail})
    def is_proven_by_validators(self): return all(self.outcomes.get(name) == 'ok' for name in OF_VALIDATORS)
    def hash_of_bundle(self, *changed, **members):  # SHA-256 of the bundle, without some members and with others
        rest = {name: value for name, value in self.bundle.items() if name not in changed}
        return sha256(canonical({**rest, **members})).hex()
    def checksum(self):
        demand(self.hash_of_bundle('checksum') == self.bundle['checksum'], 'the bundle is damaged or was changed')
        return 'the checksum matches the bundle. It detects damage, not forgery: anybody can compute it'
    def file_hash(self):
        if self.trust.file_hash is None: raise Open('no file was compared with the bundle: give it with --file')
        return same("the file's SHA-256", self.trust.file_hash, self.bundle['file']['fileHash'])
    def commitment(self):
        stated, nonce = map(self.bundle['commitment'].get, ('commitment', 'nonce'))
        if stated is None: return 'this hash scheme has none: the memo contains the SHA-256 of the file itself'
        if nonce is None: raise Open('the bundle has no nonce: ask for the bundle with the nonce')
        found = hmac.digest(bytes.fromhex(nonce), bytes.fromhex(self.bundle['file']['fileHash']), 'sha256').hex()
        return same('the commitment that the nonce and the file hash give', found, stated)
    def memo(self):
        commitment, previous = self.bundle['commitment'], self.bundle['revision']['previousTransactionHash']
        expected = {'fileHash': commitment['commitment'] or self.bundle['file']['fileHash'],
                    'hashScheme': commitment['hashScheme'], **({'previous': previous} if previous else {})}
        demand(self.evidence['memo']['data'].encode() == canonical(expected), 'the memo is not as the bundle states')
        return 'the memo contains exactly what the bundle states. A previous revision was not checked'
    def transaction(self):
        values, stated = self.values, self.evidence['memo']
        is_account_set = ' '.join(values) == '12 24 201B 68 73 74 81 F9' and values['12'] == b'\0\3'
        demand(is_account_set, 'it cannot be read, or is not an AccountSet that changes no setting')
        demand(address_of(values['81']) == self.anchor['account'], 'the transaction is not of the stated account')
        demand(number_of(values['201B']) >= self.anchor['ledgerIndex'], 'it could not enter the ledger')
        memos = [(memo.header, by_header(memo.value)) for memo in values['F9']]
        expected = {key: stated[name].encode() for key, name in (('7C', 'type'), ('7D', 'data'), ('7E', 'format'))}
        demand(memos == [('EA', expected)], 'the transaction does not contain exactly the stated memo')
        return 'it is an AccountSet of the account that changes no setting and contains exactly this memo'
    def signature(self):
        key, made = (self.values.get(name, b'') for name in ('73', '74'))
        demand(signature_holds(key, b'STX\0' + without(self.blob, self.fields, '74'), made), 'it does not match')
        return 'the transaction is signed with the key %s' % key.hex().upper()
    def signing_key(self):
        if self.outcomes['signature'] != 'ok': raise Open('not checked, because the signature is not valid')
        signer = address_of(ripemd160(sha256(self.values['73'])))
        if signer != self.anchor['account']: raise Open('only the ledger shows whether %s may sign' % signer)
        return "the signing key is the account's own key"
    def transaction_hash(self):
        found = half(b'TXN\0' + self.blob).hex().upper()
        return same('the hash of the signed transaction', found, self.anchor['transactionHash'])
    def metadata(self):
        values, sequence = by_header(read_fields(Reader(self.changes))), number_of(self.values.get('24', b''))
        is_usual, index = list(values) == ['201C', 'F8', '0310'], self.anchor['transactionIndex']
        demand(is_usual and values['0310'] == b'\0' and self.values, 'it did not succeed, or the form is another')
        demand(number_of(values['201C']) == index, 'the metadata state another index than %d' % index)
        nodes = [by_header(node.value) for node in values['F8'] if node.header == 'E5']
        used = [(node.get('11'), by_header(node.get('E6', [])).get('24'), by_header(node.get('E7', [])).get('24'),
                 address_of(by_header(node.get('E7', [])).get('81', b''))) for node in nodes]
        numbers = [(sequence + more).to_bytes(4, 'big') for more in (0, 1)]
        demand((b'\0\x61', *numbers, self.anchor['account']) in used, 'they do not use up the Sequence')
        return 'the transaction succeeded (tesSUCCESS), with the index %d in the ledger' % index
    def ledger_header(self):
        is_right = len(self.header) == 118 and number_of(self.header[:4]) == self.anchor['ledgerIndex']
        demand(is_right, 'the ledger header belongs to another ledger')
        return same('the hash of the ledger header', header_hash(self.header).hex().upper(), self.anchor['ledgerHash'])
    def close_time(self):
        seconds = number_of(self.header[112:116])
        demand(len(self.header) == 118 and self.anchor['closeTime'] == seconds, 'the header has another close time')
        return same('the rounded close time in the ledger header', utc(seconds), self.anchor['closeTimeIso'])
    def addresses(self):
        for url in self.bundle['addresses'].values():
            demand(url.endswith('/' + self.anchor['transactionHash']), 'an address ends in another hash')
        return 'all web addresses in the bundle end in the transaction hash. The websites were not checked'
    def account(self):
        found = 'the anchoring account is %s' % self.anchor['account']
        if not self.trust.accounts: raise Open(found + ". Name the issuer's accounts with --account")
        demand(self.anchor['account'] in self.trust.accounts, found + ', none of the expected accounts')
        return found + ', as expected'
    def transaction_path(self):
        path, levels = Reader(from_base64(self.bundle['attestation']['path'])), []
        while path.has_more():
            mask = path.number(2)
            levels.append([path.take(32) if mask >> (15 - place) & 1 else None for place in range(16)])
            demand(len(levels) <= 64 and bytes(32) not in levels[-1], 'the path is too long, or has an empty hash')
        transaction = half(b'TXN\0' + self.blob)
        found = half(b'SND\0' + with_length(self.blob) + with_length(self.changes) + transaction)
        for digit, branches in reversed(list(zip(transaction.hex(), levels))):
            demand(branches[int(digit, 16)] is None, 'the path states the branch of the transaction itself')
            branches[int(digit, 16)] = found
            found = half(b'MIN\0' + b''.join(branch or bytes(32) for branch in branches))
        demand(found == self.header[44:76] and len(self.header) == 118, "it does not lead to the ledger's header")
        return 'the path leads from the transaction and its metadata to the header of the ledger'
    def header_chain(self):
        links, header = from_base64(self.bundle['attestation']['chain']), self.header
        first, count = number_of(header[:4]), len(links) // 78
        demand(len(links) % 78 == 0 and count <= MAX_CHAIN, 'the chain ends within a header or is too long')
        demand(len(header) == 118 and first + count < 2 ** 32, 'it begins or ends with an impossible header')
        for link in (links[at:at + 78] for at in range(0, len(links), 78)):
            index = (number_of(header[:4]) + 1).to_bytes(4, 'big')
            header = index + link[:8] + header_hash(header) + link[8:72] + header[112:116] + link[72:]
        self.signed = header
        return 'the chain leads from ledger %d to ledger %d, which validators signed' % (first, first + count)
    def validator_list(self):
        if self.signed is None: raise Open('the list was not checked, because the header chain does not hold')
        stated, named = self.bundle['attestation']['validatorList'], [key.upper() for key in self.trust.list_keys]
        manifest, validators = Manifest(from_base64(stated['manifest'])), {}
        publisher, network = manifest.master.hex().upper(), self.anchor['network']
        name, known = KNOWN_PUBLISHERS.get(publisher, (None, None))
        name = name if known == network and not self.anchor['standalone'] else None
        if not name and not named: raise Open('to trust its publisher, use --validator-list-key %s' % publisher)
        demand(name or publisher in named, 'it is by the publisher %s, which is not trusted' % publisher)
        demand(manifest.signing and manifest.holds(), 'the manifest revokes its key or does not hold')
        data = from_base64(stated['blob'], MAX_LIST_BYTES)
        demand(signature_holds(manifest.signing, data, bytes.fromhex(stated['signature'])), 'its signature is wrong')
        content = (lambda value: value if isinstance(value, dict) else {})(parse_json(data))
        sequence, expiration, effective, entries = map(content.get, 'sequence expiration effective validators'.split())
        is_list = isinstance(entries, list) and len(entries) <= MAX_VALIDATORS and fits('uint|null', effective)
        demand(is_list and UINT32(sequence) and UINT32(expiration), 'it is malformed or too long')
        for entry in entries:
            demand(isinstance(entry, dict) and LIST_KEY(entry.get('validation_public_key')), 'a key in it is malformed')
            validators.setdefault(bytes.fromhex(entry['validation_public_key']), entry.get('manifest', ''))
        demand((effective or 0) <= number_of(self.signed[112:116]) < expiration, 'it was not in force')
        self.validators = validators
        whose = sequence, name or 'the publisher that you named', publisher, utc(expiration), len(validators)
        return 'trusted: list %d of %s (%s), valid until %s, with %d validators. You rely on them' % whose
    def signing_keys(self):  # validators by their present signing keys
        newer, keys = [Manifest(from_base64(one)) for one in self.bundle['attestation']['manifests']], {}
        for master, own in self.validators.items():
            try: candidates = [Manifest(from_base64(own))] + newer if own and isinstance(own, str) else newer
            except Bad: candidates = newer  # one malformed manifest must not make the whole list useless
            candidates = [one for one in candidates if one.master == master and one.holds()]
            if candidates: keys.setdefault(max(candidates, key=lambda one: one.sequence).signing, master)
            elif own == '': keys.setdefault(master, master)
        return keys
    def validations(self):
        if self.validators is None: raise Open('not counted, because no trusted validator list is known')
        for ones in (self.bundle['attestation']['validations'], self.bundle['attestation']['manifests']):
            demand(len(set(ones)) == len(ones), 'a validation or manifest is in the bundle twice')
        made = [read_validation(from_base64(one)) for one in self.bundle['attestation']['validations']]
        keys, counted, needed = self.signing_keys(), set(), max(1, (4 * len(self.validators) + 4) // 5)
        for stated, key, proof in made:
            is_of_ledger = stated == (True, self.signed[:4], header_hash(self.signed)) and key in keys
            if is_of_ledger and keys[key] not in counted and signature_holds(*proof): counted.add(keys[key])
        found = '%d of %d validators signed the ledger; %d are needed' % (len(counted), len(self.validators), needed)
        demand(len(counted) >= needed, found)
        return found
    def note(self):
        if self.log is None: raise Open("a bundle of version 1 contains no entry of the issuer's log")
        return Checkpoint(self.log['checkpoint'])
    def demand_leaf(self, hashes, size, root, whose):  # demands that the entry is of this proof and in the tree
        event, index = self.log['event'], self.log['leafIndex']
        demand(event['stream'] == 'proof-' + self.bundle['certificate']['proofId'], 'it is of another proof')
        stated = {**self.evidence, **self.anchor, 'ledgerId': self.log['ledgerId']}
        data = {one: stated[one] for one in stated if one not in ('network', 'standalone', 'account', 'memo', 'blob')}
        demand(sha256(canonical(data)).hex() == event['dataHash'], 'the log entry is of another anchoring')
        found = root_of(sha256(b'\0' + canonical(event)), index, size, [bytes.fromhex(one) for one in hashes])
        demand(found == root, 'the path in the log does not lead to the root of %s' % whose)
    def log_entry(self):
        note = self.note()
        self.demand_leaf(self.log['hashes'], note.size, note.root, 'the checkpoint')
        return 'it is at position %d of %d in the log %s' % (self.log['leafIndex'] + 1, note.size, note.origin)
    def timestamp(self):
        stated = self.bundle['timestamp']
        _, size, root, _ = stated['checkpointText'].split('\n')
        self.demand_leaf(stated['hashes'], int(size), from_base64(root), 'the stamped checkpoint')
        imprint, time = read_token(from_base64(stated['token'], MAX_TOKEN_BYTES))
        demand(imprint == sha256(stated['checkpointText'].encode()), 'the token is of other data than the checkpoint')
        is_later = self.anchor['standalone'] or time >= utc(self.anchor['closeTime'] - 300)
        demand(is_later, 'the token states the time %s, but the ledger closed later: one is false' % time)
        return 'the log entry is one of %s in a checkpoint. The token of it states the time %s' % (size, time)
    def log_checkpoint(self):
        if self.log and not self.log_keys: raise Open('name the keys of the log with --log-key')
        note = self.note()
        own, names = [key for key in self.log_keys if key.name == note.origin], [name for name, *_ in note.signatures]
        demand(note.origin in names and all(map(note.holds, own)), 'a signature is wrong, or none is of the log')
        if not own: raise Open('it belongs to %s, and no key of that name was given with --log-key' % note.origin)
        signed = ' and '.join(key.text for key in own if note.made_by(key))
        demand(signed, 'the checkpoint is signed with none of the keys given for %s' % note.origin)
        return 'the checkpoint is signed with the given key %s' % signed
    def log_witnesses(self):
        note, policy, cosigned = self.note(), self.trust.policy, {}
        for name, key in policy.witnesses.items():
            times = [(number_of(made[:8]), made) for made in note.made_by(key) if key.is_known]
            hold = (len(made) == 72 and 0 < seconds < 2 ** 53 and key.made(
                'cosignature/v1\ntime %d\n%s' % (seconds, note.text), made[8:]) for seconds, made in times)
            if times and all(hold): cosigned[name] = '%s (%s)' % (name, utc(min(times)[0], 0))
        who = 'cosigned by ' + (', '.join(cosigned.values()) or 'no witness of the given policy')
        demand(policy.accepts(policy.quorum, cosigned), who + '. This is no quorum of the given policy')
        return who + '. This is the quorum of the given policy'
    def issuer_signature(self):
        note = Note(self.bundle['issuer']['note'])
        (name, number, _), *others = note.signatures
        demand(not others and re.fullmatch('.+/issuer', name), "it has two signatures, or none by an issuer")
        signed = self.hash_of_bundle('issuer', 'checksum', commitment=dict(self.bundle['commitment'], nonce=None))
        demand(note.text == 'proofmark/bundle\n%s\n' % signed, 'the issuer signed another bundle: this one was changed')
        by = '%s+%s' % (name, number.hex())
        keys = [key for key in self.trust.issuer_keys if note.made_by(key)]
        if not keys: raise Open('the bundle states a signature by %s, a key not given with --issuer-key' % by)
        demand(note.holds(keys[0]), 'the signature is not by the key %s: it was forged or changed' % by)
        return 'the bundle, with its names and dates, is signed with the key %s' % by
    def statements(self):
        raise Open('the names of organisation, workspace and file, file size and type, revision number, proof id and '
                   'time of issue are ' + ('stated by the issuer, who signed them. Nothing else confirms them'
                   if self.is_signed() else 'claims. Nothing proves them: their author may have made them up'))
    def is_signed(self): return self.outcomes.get('issuer signature') == 'ok'
    def conclude(self):  # the result (proven, notProvenYet or notProven) and its words
        failed, opened = ([one for one in CHECKS if self.outcomes.get(one) == how] for how in ('failed', 'notChecked'))
        replaced, anchor = OPTIONAL + (OF_SERVERS if self.is_proven_by_validators() else []), self.anchor
        missing = [name for name in opened if name not in replaced]
        listed = ('this check' if len(failed or missing) == 1 else 'these checks', ', '.join(failed or missing))
        if failed: return 'notProven', 'NOT PROVEN: %s FAILED: %s. Do not rely on this proof.' % listed
        if missing: return 'notProvenYet', 'Not proven yet: no check failed, but %s could not be made: %s.' % listed
        words = ('Proven: this file existed, byte for byte, no later than %s. Its %s is in ledger %d of %s, which '
                 'closed at that time (ledger close times are rounded). Nothing more is proven: names, dates and '
                 'other statements in the bundle are %s. Signatures of the ledger\'s validators confirm this ledger: '
                 'the line "validator list" names the publisher whose list of them was trusted.') % (
            anchor['closeTimeIso'], 'commitment' if self.bundle['commitment']['commitment'] else 'SHA-256',
            anchor['ledgerIndex'], 'a standalone ledger' if anchor['standalone'] else anchor['network'],
            'stated by the issuer, who signed them' if self.is_signed() else 'claims, and not verified')
        if 'account' in opened: words += " The account was not checked: name the issuer's accounts with --account."
        if 'log checkpoint' in opened and self.log_keys: words += ' Its record in the log was not verified.'
        if anchor['standalone']: words += ' Test only: nobody else keeps a standalone ledger, so it proves nothing.'
        elif anchor['network'] == 'testnet': words += ' Test only: the test network is reset at times.'
        return 'proven', words
# --- The bundle in a PDF --------------------------------------------------------------------------
BLANK, TEXT = rb'\0\t\n\x0c\r ', rb'(?!)'  # white space (7.2.2), for classes: \s has other characters
EDGE = rb'(?![^%s()<>\[\]{}/%%])' % BLANK  # the end of a word
GAP = rb'[%s]*(?:%%[^\r\n]*(?![^\r\n])[%s]*)*' % (BLANK, BLANK)  # white space and comments
for _ in range(9): TEXT = rb'\([^\\()]*(?:(?:\\[\s\S]|%s)[^\\()]*)*\)' % TEXT  # brackets may be nested in it
def spaced(words): return b''.join(GAP + word + EDGE for word in words.split())  # pattern of words behind white space
TOKEN = re.compile(rb'(?P<open><<|\[)|/(?P<name>[^%s()<>\[\]{}/%%]*)|' % BLANK +
                   rb'(?P<reference>\d{1,10})' + EDGE + spaced(rb'\d{1,5} R') + rb'|<[^<>]*>|' + TEXT + rb'|'
                   rb'(?:(?P<count>\+?\d{1,15})|[+-]?(?:\d{1,30}\.?|\d{0,30}\.\d{1,30})|true|false|null)' + EDGE)
XREF, TRAILER, PLACE, PAIR, ROW, HEAD = map(re.compile, map(spaced, (b'xref', b'trailer', rb'(\d{1,10})',
    rb'(\d{1,10}) (\d{1,10})', rb'(\d{10}) \d{5} ([nf])', rb'(\d{1,10}) \d{1,5} obj')))
def name_of(raw): return re.sub('#([0-9A-Fa-f]{2})', lambda hex: chr(int(hex.group(1), 16)), raw.decode('latin-1'))
Reference, Stream = namedtuple('Reference', 'number'), namedtuple('Stream', 'entries start')
READERS = {'name': name_of, 'reference': lambda digits: Reference(int(digits)), 'count': int}  # of the groups of TOKEN
FREE = 0, 0, 0  # of an object: kind (0 free, 1 alone, 2 packed), place or stream, index in the stream
class Pdf:  # the newest revision of a PDF by its cross-reference sections (ISO 32000-1, 7.5)
    def __init__(self, data):
        end = data.rfind(b'startxref', -1024)
        demand(end >= 0 and b'%PDF-' in data[:1024], 'the end of the file is missing, or it is not a PDF')
        self.data, self.work, self.trailer, self.objects, self.containers = data, 0, None, {}, {}
        self.places, at, seen = {}, int(PLACE.match(data, end + 9).group(1)), {None}
        while at not in seen:
            rows, trailer = self.read_section(at)
            beside = trailer.get('XRefStm')  # has what older readers take for free
            demand('Encrypt' not in trailer, 'the file is encrypted')
            hidden = {} if beside == at or beside in seen else self.read_section(beside)[0]
            rows.update((number, row) for number, row in hidden.items() if rows.get(number, FREE)[0] == 0)
            seen |= {at, beside}
            for number, row in rows.items(): self.places.setdefault(number, row)
            self.trailer, at = self.trailer or trailer, trailer.get('Prev')
    def spend(self, objects, size=0):  # work to read objects, and to pass over bytes
        self.work += objects + size / 64
        demand(self.work <= MAX_WORK, 'it takes too much work to read, or its objects go round in circles')
    def skip(self, data, at):  # the place after white space and comments
        end = re.compile(GAP).match(data, at).end()
        self.spend(0, end - at)
        return end
    def value_at(self, data, at, depth=0):
        """A value and the place of the next word. Names are str, and what nothing here needs is bytes."""
        token = TOKEN.match(data, self.skip(data, at))
        demand(token and depth < 50, 'it is damaged, or nested too deeply')
        self.spend(1, len(token.group()))
        kind, at, items = token.lastgroup, self.skip(data, token.end()), []
        if kind in READERS: return READERS[kind](token.group(kind)), at
        if kind != 'open': return None if token.group() == b'null' else token.group(), at
        closing = b']' if token.group() == b'[' else b'>>'
        while not data.startswith(closing, at):
            item, at = self.value_at(data, at, depth + 1)
            items.append(item)
        names, at = items[::2], self.skip(data, at + len(closing))
        if closing == b']': return items, at
        demand({str} >= set(map(type, names)) and 2 * len(set(names)) == len(items), 'a dictionary is malformed')
        return dict(zip(names, items[1::2])), at
    def read_section(self, at):  # places of objects by their numbers, and the trailer, of a table or stream of them
        found, rows = XREF.match(self.data, at), {}
        if not found: return self.read_stream_section(self.object_at(at))
        while not (trailer := TRAILER.match(self.data, found.end())):
            first, count = map(int, (found := PAIR.match(self.data, found.end())).groups())
            self.spend(count + 1)
            for number in range(first, first + count):
                found = ROW.match(self.data, found.end())
                rows.setdefault(number, (int(found.group(2) == b'n'), int(found.group(1)), 0))
        self.spend(0, trailer.end() - at)
        return rows, self.value_at(self.data, trailer.end())[0]
    def read_stream_section(self, stream):
        widths, index, size, length = map(stream.entries.get, ('W', 'Index', 'Size', 'Length'))
        rows, index = {}, [0, size] if index is None else index
        demand({int} == set(map(type, [length] + widths + index)) and len(widths) == 3, 'its tables are damaged')
        demand(len(index) % 2 == 0 and 0 < sum(widths) and max(widths) <= 6, 'its tables are damaged')
        table = Reader(self.unpack(stream, True))
        for first, count in zip(index[::2], index[1::2]):
            self.spend(count)
            for number in range(first, first + count):
                kind, *row = map(table.number, widths)
                demand(kind < 3, 'its tables are damaged')
                rows.setdefault(number, (kind if widths[0] else 1, *row))
        demand(not table.has_more(), 'its tables are damaged')
        return rows, stream.entries
    def object_at(self, at, number=None):
        demand((head := HEAD.match(self.data, at)) and number in (None, int(head.group(1))), 'its tables are damaged')
        value, end = self.value_at(self.data, head.end())
        end = re.compile(rb'stream\r?\n|endobj' + EDGE).match(self.data, end)
        self.spend(0, end.end() - at)
        return value if end.group() == b'endobj' else Stream(value, end.end())
    def packed_object(self, container, index, number):
        if container not in self.containers:
            stream, starts, end = self.get(Reference(container)), {}, 0
            data, count = self.unpack(stream, True), stream.entries['N']
            self.spend(count)
            for place in range(count):
                pair = PAIR.match(data, end)
                starts[place, int(pair.group(1))], end = stream.entries['First'] + int(pair.group(2)), pair.end()
            demand(len({inner for _, inner in starts}) == count, 'a stream of objects has an object twice')
            self.containers[container] = data, starts
        data, starts = self.containers[container]
        return self.value_at(data, starts[index, number])[0]
    def get(self, value, *names):  # the value, or the one inside that the names lead to, without references, or None
        if isinstance(value, Reference):
            number, (kind, at, index) = value.number, self.places.get(value.number, FREE)
            self.spend(1)
            if number not in self.objects and kind == 2: self.objects[number] = self.packed_object(at, index, number)
            if number not in self.objects: self.objects[number] = self.object_at(at, number) if kind == 1 else None
            value = self.objects[number]
            demand(not isinstance(value, Reference), 'an object is a reference')
        demand(not (names and isinstance(value, Stream)), 'a stream is where a dictionary should be')
        if not names or value is None: return value
        return self.get(value.get(names[0]), *names[1:]) if type(value) is dict else None
    def unpack(self, stream, is_table=False):  # bytes of a stream, packed with FlateDecode alone or not at all
        length, how = (self.get(stream.entries, one) for one in ('Length', 'DecodeParms'))
        packing = stream.entries.get('Filter', b'')  # stands in the dictionary itself
        end = stream.start + (length if type(length) is int else len(self.data))
        demand(re.compile(b'[%s]{0,2}endstream' % BLANK).match(self.data, end), 'a stream is damaged')
        data, how = self.data[stream.start:end], how[0] if type(how) is list and len(how) == 1 else how
        if packing in ('FlateDecode', ['FlateDecode']):
            engine = zlib.decompressobj()
            try: data = engine.decompress(data, MAX_BUNDLE_BYTES + 1)
            except zlib.error: raise Bad('a stream is damaged')
            demand(engine.eof and engine.unused_data in (b'', b'\n', b'\r\n'), 'a stream is damaged or too large')
        else: demand(packing == b'', 'an attached file is packed in another way than usual')
        demand(len(data) <= MAX_BUNDLE_BYTES, 'a stream is too large')
        self.spend(0, (end - stream.start + len(data)) / 8)
        if packing == b'' or how is None or how.get('Predictor') in (None, 1): return data
        width, rows = how.get('Columns'), [bytes(100)]
        is_usual = is_table and how['Predictor'] in range(10, 16) and width in range(1, 100)
        demand(is_usual and len(data) % (width + 1) == 0, 'a stream is packed in another way than usual')
        self.spend(0, 4 * len(data))  # the loop is slow
        for row in (data[start:start + width + 1] for start in range(0, len(data), width + 1)):
            demand(row[0] in (0, 2), 'a stream is packed in another way than usual')
            rows.append(bytes(sum(pair) & 255 for pair in zip(row[1:], rows[-1])) if row[0] == 2 else row[1:])
        return b''.join(rows[1:])
    def list_in(self, node, name):
        demand(type(found := self.get(node, name)) in (list, type(None)), 'something else is where a list should be')
        self.spend(len(found or ()) + 1)
        return found or []
    def nodes(self, root):  # every node of a tree once, also if its branches go round in circles
        pending, found = [root], {}
        while pending:
            node = self.get(pending.pop())
            pending += self.list_in(node, 'Kids') if id(node) not in found else []
            found[id(node)] = node
        return list(found.values())
    def attached(self):  # bytes of all files attached to the document, its pages and their notes
        catalogue = self.get(self.trailer.get('Root'))
        pages = self.nodes(self.get(catalogue, 'Pages'))
        names = self.nodes(self.get(catalogue, 'Names', 'EmbeddedFiles'))
        files = [file for node in [catalogue] + pages for file in self.list_in(node, 'AF')]
        files += [file for node in names for file in self.list_in(node, 'Names')[1::2]]
        files += [self.get(note, 'FS') for page in pages for note in self.list_in(page, 'Annots')]
        streams = [self.get(file, 'EF', name) for file in files for name in ('F', 'UF', 'DOS', 'Mac', 'Unix')]
        demand({Stream, type(None)} >= set(map(type, streams)), 'an attached file is not a readable stream')
        by_place = {stream.start: stream for stream in streams if stream}
        demand(len(by_place) <= MAX_ATTACHED, 'it has too many attached files')
        return [self.unpack(stream) for stream in by_place.values()]
MARKER = re.compile(b'"%s"' % b''.join(rb'(?:\\?%c|\\u00(?i:%02x))' % (one, one) for one in b'proofmark/bundle'))
UNKNOWN_FILTER, UNKNOWN_PREDICTOR, UNKNOWN_BITS = (re.compile('(?a)/' + one.replace('_', BLANK.decode())) for one in (
    r'Filter\b(?![_]*(?:\[[_]*/(?:Flate|DCT|JPX)Decode[_]*\]|<<|/(?:(?:Flate|DCT|JPX)Decode|\w+\.[\w.]+)'
    r'(?![^_/<>\[\]()%])))|/(?:DecodeParms|DP)\b[_\[]*[\d+%\v]', r'Predictor\b(?![_]*1[0-5]?[_]*(?:/|>>))',
    r'(?:BitsPerComponent|BPC)\b(?![_]*(?:8|16)[_]*(?:/|>>))'))
ZLIB = re.compile(b'(?=%s)' % b'|'.join(re.escape(bytes(divmod(head, 256)))  # the first bytes of packed data
    for head in range(0, 2 ** 15, 31) if head >> 8 & 15 == 8 and not head & 32))
class Search:  # bundles anywhere in the bytes of a PDF, in any revision; its tables and lengths are not trusted
    def __init__(self, data):
        text, self.data, self.work, self.found, done = name_of(data), data, 0, set(), 0
        begins = rb'\bstream[\0\t\f ]*(?![\0\t\f \r\n])', rb'\bstream[^\r\n]*(?:\r\n?|\n|\Z)'  # on this line, the next
        declared = {one.end() for begin in begins for one in re.finditer(begin, data)}
        demand(len(declared) <= MAX_STREAMS, 'it has too many streams')
        kind = b'?' if UNKNOWN_PREDICTOR.search(text) else b''  # TIFF images have no byte for a kind of prediction
        self.is_odd, self.odd = UNKNOWN_FILTER.search(text), re.compile(rb'[\0-\4]%s[\xef\t\n\r {]' % kind)
        self.is_odd = self.is_odd or kind and UNKNOWN_BITS.search(text)
        for place in (one.start() for one in ZLIB.finditer(data)):
            content = self.unpack(place, place in declared)
            if MARKER.search(content): demand(self.keep(content) == len(content), 'a bundle is damaged')
        for marker in MARKER.finditer(data):  # bundles that are not packed
            if marker.start() >= done:
                start = data.find(b'{', max(data.rfind(b'stream', done, marker.start()), done), marker.start())
                done = start + self.keep(data[start:start + MAX_BUNDLE_BYTES] if start >= 0 else b'')
    def spend(self, size):
        self.work += size
        demand(self.work <= MAX_UNPACKED, 'it takes too much work to search')
    def unpack(self, place, is_declared):  # unpacks possible data as far as it may be a bundle, or a declared stream
        engine, out, at, step, may_be = zlib.decompressobj(), bytearray(), place, 16, True
        try:
            while (may_be or is_declared) and not engine.eof and len(out) <= MAX_BUNDLE_BYTES and at < len(self.data):
                piece = engine.decompress(engine.unconsumed_tail or self.data[at:at + step], 65536)
                at, step = (at, step) if engine.unconsumed_tail else (at + step, min(2 * step, 65536))
                self.spend(len(piece) + 16)
                out += piece
                may_be = may_be and bool(re.match(rb'[\0-\4]?[\xef\xbb\xbf\t\n\r ]*(?:\{|\Z)', out))
        except zlib.error: pass
        end = re.compile(b'[%s]{0,4}endstream' % BLANK).match(engine.unused_data + self.data[at:at + 13])
        is_odd = not (engine.eof and end) or self.odd.match(out) and not (may_be and MARKER.search(out))  # or predicted
        demand(not (is_declared and is_odd) and len(out) <= MAX_BUNDLE_BYTES, 'a stream may hide a bundle')
        return plain(out) if may_be else b''
    def keep(self, data):  # keeps the bundle with which the data begins. Returns the length of the JSON there
        self.spend(len(data))
        try: size = json.JSONDecoder().raw_decode(data.decode('latin-1'))[1]
        except (ValueError, RecursionError): raise Bad('what looks like another bundle is damaged')
        self.found.add(data[:size])
        return size
def plain(data): return re.sub(b'^\xef\xbb\xbf', b'', bytes(data)).strip(b'\t\n\r ')  # without byte order mark
def bundle_in_pdf(data):  # the one bundle attached to a PDF, if no other is in any revision of it
    try:
        demand(len(data) <= MAX_CERTIFICATE_BYTES, 'the file is too large')
        search, files = Search(data), map(plain, Pdf(data).attached())
        attached = {file for file in files if MARKER.search(file) and is_bundle(parse_json(file))}
        demand(attached, 'no proof bundle is attached to it')
        demand(not search.is_odd, 'a stream is packed in another way than usual')
        demand(attached == search.found and len(attached) == 1, 'it contains several different proof bundles')
        return attached.pop()
    except Bad as error: reason = error
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError): reason = 'its structure is damaged'
    raise Refused('the PDF cannot be used: %s. Ask for the certificate as it was issued' % reason)
# --- The command ----------------------------------------------------------------------------------
def verify(data, is_pdf, trust):  # checks the bundle in these bytes. Raises Refused
    return Report(read_bundle(bundle_in_pdf(data) if is_pdf else data), trust, is_pdf)
def arguments():  # parser of the command line
    about = 'Verify a Proofmark certificate or proof bundle, offline.'
    parser = argparse.ArgumentParser(description=about, allow_abbrev=False)
    add, parser.error = parser.add_argument, lambda message: parser.exit(1, 'error: %s\n' % message)
    add('--certificate', metavar='FILE', help='the certificate (PDF)')
    add('--file', metavar='FILE', help='the proven file')
    add('--bundle', metavar='FILE', help='the proof bundle (JSON), instead of --certificate')
    add('--account', metavar='ADDRESSES', help="the issuer's accounts, separated by commas")
    add('--log-key', metavar='VKEYS', help='known keys of the log, of all epochs, separated by commas')
    add('--policy', metavar='FILE', help='witnesses that you trust, and their quorum (tlog-policy)')
    add('--validator-list-key', metavar='KEY', action='append', default=[],
        help='master key (hex) of a publisher whose validator lists you trust; repeatable')
    add('--issuer-key', metavar='KEY', action='append', default=[],
        help='key of an issuer that you trust (NAME+ID+KEY), or a file with such keys; repeatable')
    add('--json', action='store_true', help='print one JSON object')
    return parser
def read_file(path, most=None):  # the whole file, or of a larger one a byte more than the most that is read
    with open(path, 'rb') as file: return file.read(most and most + 1)
def hash_file(path):
    digest = hashlib.sha256()
    with open(path, 'rb') as file:
        for chunk in iter(lambda: file.read(2 ** 20), b''): digest.update(chunk)
    return digest.hexdigest()
def issuer_keys(given):  # the key that this is, or the keys in the file of this name, one on each line
    if re.fullmatch(r'[^+]+\+[0-9a-f]{8}\+[^+]{4}.*', given): return [NoteKey(given, 1)]
    lines = read_file(given, MAX_KEYS_BYTES).decode('utf-8', 'replace')
    return [NoteKey(line, 1) for line in re.findall(r'(?m)^\s*([^#\s].*?)\s*$', lines)]
def read_trust(given):  # accounts, keys and policy that the user trusts. Raises Bad
    accounts = [one.strip() for one in given.account.split(',')] if given.account else []
    demand(all(map(FORMS['account'], accounts)), 'an account is not an address (r…)')
    demand(all(map(LIST_KEY, given.validator_list_key)), 'a key of a publisher has 66 hexadecimal digits')
    keys = [NoteKey(one.strip(), 1) for one in given.log_key.split(',')] if given.log_key else []
    issuers = [key for one in given.issuer_key for key in issuer_keys(one)]
    policy = Policy(read_file(given.policy)) if given.policy else None
    file_hash = hash_file(given.file) if given.file else None
    return Trust(file_hash, accounts, keys, policy, given.validator_list_key, issuers)
def main():
    for stream in (sys.stdout, sys.stderr): stream.reconfigure(encoding='utf-8', errors='backslashreplace')
    given = (parser := arguments()).parse_args()
    path = given.certificate or given.bundle
    if bool(given.certificate) == bool(given.bundle): parser.error('give --bundle FILE or --certificate FILE')
    try:
        report = verify(read_file(path, MAX_CERTIFICATE_BYTES), given.certificate is not None, read_trust(given))
    except (OSError, Refused) as error: parser.error('cannot read: %s' % error)
    except Bad as error: parser.error('an option is invalid: %s' % error)
    result, words = report.conclude()
    found = {'proven': result == 'proven', 'conclusion': words, 'checks': report.checks, 'anchor': report.anchor,
             'statements': 'statedByIssuer' if report.is_signed() else 'claimed', 'file': report.bundle['file']}
    for check in () if given.json else report.checks:
        shown = {'ok': 'ok', 'failed': 'FAILED', 'notChecked': 'not checked'}[check['outcome']], check['name']
        print('%-12s %-21s' % shown, ''.join(one if one.isprintable() else '?' for one in check['detail']))
    print(json.dumps(found, ensure_ascii=False) if given.json else '\n' + words)
    return 1 if result == 'notProven' else 0
if __name__ == '__main__': sys.exit(main())
