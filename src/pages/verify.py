#!/usr/bin/env python3
"""Verify a Proofmark certificate or proof bundle offline, without installing anything:
    python3 verify.py --certificate CERTIFICATE.pdf --file FILE --account rISSUER
Needs Python 3.8 or newer, nothing else. Asks no server, sends nothing. Written from the description of the format
(docs/bundle-format.md): a second implementation, which shares no code with the service. The exit code is 1 if a check
failed or the input cannot be read, else 0. Only the result "Proven" is a proof. Licence: Apache-2.0"""
import argparse, base64, hashlib, hmac, json, re, sys, zlib
from collections import namedtuple
from datetime import datetime, timedelta
MAX_BUNDLE_BYTES, MAX_CERTIFICATE_BYTES, MAX_POLICY_BYTES = 2 ** 20, 2 ** 23, 2 ** 16
MAX_TOKEN_BYTES, MAX_LIST_BYTES, MAX_MANIFEST_BYTES, MAX_VALIDATION_BYTES, MAX_VALIDATORS, MAX_CHAIN, MAX_SIGNATURES = \
    32768, 65536, 1024, 8192, 128, 8192, 100
KNOWN_PUBLISHERS = {  # of validator lists, trusted by the ledger's own servers: master key, name, network
    'ED2677ABFFD1B33AC6FBC3062B71F1E8397C1505E1C42C64D11AD1B28FF73F4734': ('vl.ripple.com', 'mainnet'),
    'ED42AEC58B701EEBB77356FFFEC26F83C1F0407263530F068C7C73D392C7E06FD1': ('unl.xrplf.org', 'mainnet'),
    'ED264807102805220DA0F312E71FC2C69E1552C9C5790F6C25E3729DEB573D5860': ('vl.altnet.rippletest.net', 'testnet')}

class Refused(Exception): """There is no bundle that can be read."""
class Bad(Exception): """Evidence that cannot be read or does not hold: the check that needs it fails."""
class Open(Exception): """A check that cannot be made, with the reason."""
def demand(holds, reason):
    if not holds: raise Bad(reason)
# --- Hashes and encodings ---------------------------------------------------------------------------------------------
def sha256(data): return hashlib.sha256(data).digest()
def half(data): return hashlib.sha512(data).digest()[:32]  # the ledger's hash
def number_of(data): return int.from_bytes(data, 'big')
def ripemd160(data):
    """RIPEMD-160 of at most 55 bytes, written out because many builds of OpenSSL lack it."""
    rho, word_mask = (7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8), 0xFFFFFFFF
    shifts = ('befc5879bdef6798', 'cdbf6997cfbd7877', 'dfeb7768dedc5569', 'ebce8655fcfe9986', 'fcdd9586ebcb8655')
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
def address_of(account):
    """Address (r…) of the 20 bytes of an account."""
    payload = b'\0' + account + sha256(sha256(b'\0' + account))[:4]
    number, digits = number_of(payload), ''
    while number:
        number, digit = divmod(number, 58)
        digits = BASE58[digit] + digits
    return 'r' * (len(payload) - len(payload.lstrip(b'\0'))) + digits
def from_base64(encoded, most=MAX_BUNDLE_BYTES):
    """Bytes of base64 in its one canonical form, with padding."""
    demand(re.fullmatch(BASE64, encoded), 'base64 is malformed')
    data = base64.b64decode(encoded)
    demand(len(data) <= most and base64.b64encode(data).decode() == encoded, 'base64 is too long or not canonical')
    return data
def utc(seconds, since=946684800):  # seconds since the year 2000
    return (datetime(1970, 1, 1) + timedelta(seconds=min(seconds + since, 2 ** 37))).isoformat() + '.000Z'
# --- Signatures -------------------------------------------------------------------------------------------------------
P25519, L25519 = 2 ** 255 - 19, 2 ** 252 + 27742317777372353535851937790883648493
D25519 = -121665 * pow(121666, P25519 - 2, P25519) % P25519
PK1, NK1 = 2 ** 256 - 2 ** 32 - 977, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
def edwards_point(data):
    """Point of its 32 bytes (RFC 8032, 5.1.3) in extended coordinates; None if there is none."""
    sign, y = divmod(int.from_bytes(data, 'little'), 2 ** 255)
    square = (y * y - 1) * pow(D25519 * y * y + 1, P25519 - 2, P25519) % P25519
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
def curve_point(key):
    """Point of secp256k1 of its 33 bytes in projective coordinates; None if there is none."""
    x = number_of(key[1:])
    y = pow(x * x * x + 7, (PK1 + 1) // 4, PK1)
    if x >= PK1 or (y * y - x * x * x - 7) % PK1: return None
    return x, (y if y & 1 == key[0] & 1 else PK1 - y), 1
def curve_add(one, two):
    """Sum of any two points of secp256k1 (Renes, Costello and Batina, 2015); z = 0 is the point at infinity."""
    (x1, y1, z1), (x2, y2, z2) = one, two
    xx, xy, xz, yz = x1 * x2, (x1 * y2 + x2 * y1) % PK1, (x1 * z2 + x2 * z1) % PK1, (y1 * z2 + y2 * z1) % PK1
    more, less = (y1 * y2 + 21 * z1 * z2) % PK1, (y1 * y2 - 21 * z1 * z2) % PK1
    return (xy * less - 21 * yz * xz) % PK1, (more * less + 63 * xx * xz) % PK1, (yz * more + 3 * xx * xy) % PK1
def double_multiple(add, zero, one, m, two, n):
    """m × one + n × two."""
    table, total = (zero, one, two, add(one, two)), zero
    for bit in range(max(m.bit_length(), n.bit_length()) - 1, -1, -1):
        total = add(add(total, total), table[(m >> bit & 1) + 2 * (n >> bit & 1)])
    return total
EDWARDS_BASE = edwards_point((4 * pow(5, P25519 - 2, P25519) % P25519).to_bytes(32, 'little'))
CURVE_BASE = curve_point(bytes.fromhex('0279BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798'))
def ed25519_holds(key, message, signature):
    """Ed25519 (RFC 8032), without the cofactor, as the ledger's servers verify it."""
    point, scalar = edwards_point(key), int.from_bytes(signature[32:], 'little')
    if len(signature) != 64 or point is None or scalar >= L25519: return False
    factor = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), 'little') % L25519
    negative = (P25519 - point[0], point[1], 1, P25519 - point[3])
    x, y, z, _ = double_multiple(edwards_add, (0, 1, 1, 0), EDWARDS_BASE, scalar, negative, factor)
    inverse = pow(z, P25519 - 2, P25519)
    return (y * inverse % P25519 | (x * inverse % P25519 & 1) << 255).to_bytes(32, 'little') == signature[:32]
def read_der(data, depth=0):
    """Elements of DER as tag and value, which is a list of elements if the tag says so. Refuses all other forms."""
    elements, at = [], 0
    while at < len(data):
        demand(depth < 32 and data[at] & 31 != 31, 'it has more than 32 levels, or a tag of more than one byte')
        tag, size, at = data[at], number_of(data[at + 1:at + 2]), at + 2
        if size > 127:
            count, size, at = size - 128, number_of(data[at:at + size - 128]), at + size - 128
            demand(size > 127 and count == (size.bit_length() + 7) // 8, 'it has a length that is indefinite or not the shortest')
        demand(at + size <= len(data), 'it ends too early')
        value, at = data[at:at + size], at + size
        elements.append((tag, read_der(value, depth + 1) if tag & 32 else value))
    return elements
def read_numbers(signature):
    """r and s of an ECDSA signature in DER, each in its shortest form; zeros if it is malformed."""
    try: [(tag, [(*tag_r, r), (*tag_s, s)])] = read_der(signature)
    except (Bad, TypeError, ValueError): return 0, 0
    is_right = [tag, *tag_r, *tag_s] == [0x30, 2, 2] and all(
        value and value[0] < 128 and (len(value) == 1 or value[0] or value[1] > 127) for value in (r, s))
    return (number_of(r), number_of(s)) if is_right else (0, 0)
def ecdsa_holds(key, digest, signature):
    """ECDSA of secp256k1; S must be the lower of its two possible values."""
    (r, s), point = read_numbers(signature), curve_point(key)
    if point is None or not 0 < r < NK1 or not 0 < s <= NK1 // 2: return False
    inverse = pow(s, NK1 - 2, NK1)
    x, _, z = double_multiple(curve_add, (0, 1, 0), CURVE_BASE, number_of(digest) * inverse % NK1, point, r * inverse % NK1)
    return z != 0 and x * pow(z, PK1 - 2, PK1) % PK1 % NK1 == r
def is_ledger_key(key): return len(key) == 33 and key[0] in (0xED, 2, 3)
def signature_holds(key, message, signature):
    """Signature by a key of the ledger: Ed25519 behind ED, else secp256k1."""
    if is_ledger_key(key) and key[0] == 0xED: return ed25519_holds(key[1:], message, signature)
    return is_ledger_key(key) and ecdsa_holds(key, half(message), signature)
# --- JSON and the form of a bundle ------------------------------------------------------------------------------------
def parse_json(data):
    """JSON in UTF-8 without doubled members, infinite numbers and halves of surrogate pairs."""
    def number(digits):
        value = float(digits)
        demand(value - value == 0, 'a number is too large')
        return int(value) if value.is_integer() else value
    def object_of(pairs):
        demand(len(dict(pairs)) == len(pairs), 'a member is there twice')
        return dict(pairs)
    how = {'parse_int': number, 'parse_float': number, 'parse_constant': number, 'object_pairs_hook': object_of}
    try:
        value = json.loads(data.decode('utf-8-sig'), **how)
        return value if b'\\u' not in data or canonical(value) else None
    except (ValueError, RecursionError): raise Bad('it is not JSON in UTF-8')
def canonical(value):
    """Form of RFC 8785. The numbers of a bundle are integers, and its member names ASCII."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(',', ':')).encode()
def text(most, pattern='(?s:.*)'): return lambda value: isinstance(value, str) and len(value) <= most and re.fullmatch(pattern, value) is not None
def integer(least, most=2 ** 53 - 1): return lambda value: type(value) is int and least <= value <= most
def one_of(*values): return lambda value: any(type(value) is type(one) and value == one for one in values)
def list_of(form, most): return lambda value: isinstance(value, list) and len(value) <= most and all(map(form, value))
def is_date(value):
    """A time in UTC, on a day that exists."""
    if not text(30, r'[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]+)?Z')(value): return False
    try: return bool(datetime(int(value[:4]) or 400, int(value[5:7]), int(value[8:10])))
    except ValueError: return False
def hexadecimal(most): return text(most, '([A-F0-9]{2})+')
def encoded(most): return text(most, BASE64)
UINT32, DIGEST, LIST_KEY = integer(0, 2 ** 32 - 1), text(64, '[a-f0-9]{64}'), text(66, '(?i:ED|02|03)[A-Fa-f0-9]{64}')
SPACES = '\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'  # of ECMA-262
FORMS = {  # of single values, by their names in SHAPES
    'true': one_of(True, False), 'null': one_of(None), 'name': text(1000), 'date': is_date, 'uint': UINT32,
    'size': integer(0), 'count': integer(1), 'digest': DIGEST, 'hash': text(64, '[A-F0-9]{64}'), 'one': one_of(1),
    'id': text(26, '[0-9A-HJKMNP-TV-Z]{26}'), 'ulid': text(26, '[0-7][0-9A-HJKMNP-TV-Z]{25}'),
    'format': one_of('proofmark/bundle'), 'type': one_of('proofmark/proof'), 'json': one_of('application/json'),
    'plain': one_of('sha256-plain-v1'), 'salted': one_of('hmac-sha256-nonce-v2', 'hmac-sha256-nonce-v3'),
    'network': one_of('mainnet', 'testnet'), 'account': text(35, 'r[1-9A-HJ-NP-Za-km-z]{24,34}'),
    'url': text(2048, 'https?://[^%s]+' % SPACES), 'token': encoded(43692),
    'stamped': text(8192, '[^+%s]+\n(0|[1-9][0-9]{0,14})\n[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=\n' % SPACES),
    'anchored': one_of('Anchored'), 'data': text(1024), 'blob': hexadecimal(8192), 'metadata': hexadecimal(65536),
    'header': hexadecimal(236), 'signature': hexadecimal(144), 'short': text(100), 'note': text(8192), 'issued': text(1024),
    'hashes': list_of(DIGEST, 64), 'path': encoded(41132), 'chain': encoded(851968), 'list': encoded(87384),
    'manifest': encoded(1368), 'manifests': list_of(encoded(1368), 128), 'validations': list_of(encoded(10924), 128)}
SHAPES = {name: dict(member.split('=') for member in members.split()) for name, members in (line.split(': ') for line in '''
bundle: format=format certificate=certificate file=file commitment=commitment|plainly revision=revision \
anchor=anchor evidence=evidence addresses=addresses log=log attestation=attestation timestamp=timestamp issuer=issuer checksum=digest
certificate: templateVersion=one proofId=id issuedAt=date organisationName=name workspaceName=name
file: fileName=name|null fileSizeBytes=size|null mimeType=name|null fileHash=digest
plainly: hashScheme=plain commitment=null nonce=null
commitment: hashScheme=salted commitment=digest nonce=digest|null
revision: number=count|null previousTransactionHash=hash|null
anchor: network=network standalone=true account=account transactionHash=hash ledgerIndex=uint ledgerHash=hash \
transactionIndex=uint closeTime=uint closeTimeIso=date
evidence: memo=memo blob=blob metadata=metadata ledgerHeader=header
memo: type=type format=json data=data
addresses: verifyUrl=url verifyPageUrl=url publicApiUrl=url
oldAddresses: verifyUrl=url publicApiUrl=url explorerUrl=url
timestamp: checkpointText=stamped hashes=hashes token=token
log: event=event ledgerId=short leafIndex=size hashes=hashes checkpoint=note
event: v=one eventId=ulid organisationId=ulid stream=short version=count type=anchored schema=one recordedAt=date dataHash=digest metaHash=digest
issuer: note=issued
attestation: path=path chain=chain validations=validations manifests=manifests validatorList=validatorList
validatorList: manifest=manifest blob=list signature=signature'''.strip().split('\n'))}
def fits(shape, value):
    """True if the value has one of these forms, whose names are separated by bars."""
    return any(FORMS[name](value) if name in FORMS else has_members(SHAPES[name], value) for name in shape.split('|'))
def has_members(shape, value):
    return isinstance(value, dict) and set(shape) == set(value) and all(fits(shape[name], value[name]) for name in shape)
def read_bundle(data):
    """Bundle with exactly the members and limits of its version. A later version is one more case here."""
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
            demand(name in shape and name in value and fits(shape[name], value[name]), 'member %.40r is malformed' % name)
        return dict(value, version=version)
    except Bad as error: raise Refused('this is not a proof bundle, or it was damaged or changed: %s' % error)
def is_bundle(value): return isinstance(value, dict) and value.get('format') == 'proofmark/bundle'
# --- Binary forms of the ledger ---------------------------------------------------------------------------------------
SIZES = {1: 2, 2: 4, 3: 8, 4: 16, 5: 32, 6: 8, 16: 1, 17: 20}
Field = namedtuple('Field', 'header start end value')  # its header in hexadecimal, its place, its value or inner fields
def read_fields(data, at=0, end=None, depth=0):
    """Fields of an object, or of a list or object inside until its end marker; and the place after it."""
    def take(count):
        nonlocal at
        demand(at + count <= len(data), 'its bytes end too early')
        at += count
        return data[at - count:at]
    fields, last = [], (0, 0)
    while at < len(data) or end:
        start, first = at, take(1)
        if first == end: return fields, at
        kind, code = [part or take(1)[0] for part in (first[0] >> 4, first[0] & 15)]
        demand(len(data[start:at]) == 1 + (kind > 15) + (code > 15), 'a header is too long')
        demand(kind == 14 if end == b'\xF1' else (kind, code) > last, 'its fields are not in order')
        last, header = (kind, code), data[start:at].hex().upper()
        if kind in (14, 15):
            demand(depth < 8, 'it is nested too deeply')
            value, at = read_fields(data, at, b'\xE1' if kind == 14 else b'\xF1', depth + 1)
        elif kind in (7, 8, 19):
            size = take(1)[0]
            demand(size < 255, 'a length is impossible')
            if size > 240: size = 12481 + 65536 * (size - 241) + number_of(take(2))
            elif size > 192: size = 193 + 256 * (size - 193) + take(1)[0]
            value = take(size)
        else:
            demand(kind in SIZES, 'a type is unknown')
            value = take(SIZES[kind])
            demand(kind != 6 or value[0] >> 6 == 1, 'an amount is not in drops')
        fields.append(Field(header, start, at, value))
    return fields, at
def by_header(fields): return {field.header: field.value for field in fields}
def flat(data, most):
    """Fields of an object without inner ones, and their values by header."""
    fields, _ = read_fields(data)
    demand(len(data) <= most and all(type(field.value) is bytes for field in fields), 'it is too large or nested')
    return fields, by_header(fields)
def without(data, fields, *headers): return b''.join(data[field.start:field.end] for field in fields if field.header not in headers)
def with_length(data):
    size = len(data)
    prefix = 0xC100 + size - 193 if size <= 12480 else 0xF10000 + size - 12481
    return (bytes([size]) if size <= 192 else prefix.to_bytes(2 if size <= 12480 else 3, 'big')) + data
def header_hash(header): return half(b'LWR\0' + header)
class Manifest:
    """Statement of a master key about its signing key; a revocation has none."""
    def __init__(self, data):
        fields, values = flat(data, MAX_MANIFEST_BYTES)
        demand({'24', '71', '7012'} <= set(values) <= {'1010', '24', '71', '73', '76', '77', '7012'} and
               values.get('1010', b'\0\0') == b'\0\0' and 4 <= len(values.get('77', b'none')) <= 128, 'a manifest has other fields than it must')
        self.sequence, self.master, self.signing = number_of(values['24']), values['71'], values.get('73')
        is_right = len({'73', '76'} & set(values)) == (0 if self.sequence == 0xFFFFFFFF else 2) and self.master != self.signing
        demand(is_right and all(map(is_ledger_key, (self.master, self.signing or self.master))), 'a manifest has an impossible key')
        message = b'MAN\0' + without(data, fields, '76', '7012')
        self.proofs = [(self.master, message, values['7012']), (self.signing, message, values.get('76'))][:2 if self.signing else 1]
    def holds(self): return all(signature_holds(*proof) for proof in self.proofs)
def read_validation(data):
    """Statement of a validator about a ledger, its key, and the bytes that the key signed."""
    fields, values = flat(data, MAX_VALIDATION_BYTES)
    demand({'22', '26', '29', '51', '73', '76'} <= set(values), 'a validation lacks a field')
    key, stated = values['73'], (values['22'][3] & 1 == 1, values['26'], values['51'])
    demand(is_ledger_key(key) and key[0] != 0xED, 'the key of a validation is of another kind')
    return stated, key, (key, b'VAL\0' + without(data, fields, '76'), values['76'])

def values_of(elements, *tags):
    """Values of the first elements of DER, which must have these tags."""
    demand([tag for tag, _ in elements[:len(tags)]] == list(tags), 'it is no time-stamp token')
    return [value for _, value in elements[:len(tags)]]
def one_sequence(data):
    """Elements of the one sequence that these bytes are."""
    elements = read_der(data)
    demand(len(elements) == 1, 'it is empty, or other bytes follow')
    return values_of(elements, 0x30)[0]
def read_token(data):
    """SHA-256 and time that a time-stamp token states (RFC 3161, 2.4.2). Its signature is not verified."""
    kind, content = values_of(one_sequence(data), 0x06, 0xA0)
    _, _, signed = values_of(values_of(content, 0x30)[0], 0x02, 0x31, 0x30)
    kind_signed, content = values_of(signed, 0x06, 0xA0)
    version, _, imprint, _, time = values_of(one_sequence(values_of(content, 0x04)[0]), 0x02, 0x06, 0x30, 0x02, 0x18)
    algorithm, digest = values_of(imprint, 0x30, 0x04)
    stated = [one.hex() for one in (kind, kind_signed, version, *values_of(algorithm, 0x06))]
    demand(stated == ['2a864886f70d010702', '2a864886f70d0109100104', '01', '608648016503040201'],
           'it is no signed statement of a time, or not of a SHA-256')
    form = re.fullmatch(rb'(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d*[1-9])?Z', time[:40])
    shown = form and ('%s-%s-%sT%s:%s:%s' % tuple(part.decode() for part in form.groups()[:6]))
    demand(form and is_date(shown + 'Z'), 'its time is malformed')
    return digest, '%s.%sZ' % (shown, (form.group(7) or b'.').decode()[1:4].ljust(3, '0'))
# --- The log of the issuer --------------------------------------------------------------------------------------------
def is_key_name(name): return re.fullmatch(r'[^\s+\x00-\x1f\x7f-\x9f\ufeff\ud800-\udfff]+', name) is not None
class NoteKey:
    """Key of a log (type 1) or of a witness (type 4) as NAME+ID+KEY."""
    def __init__(self, stated, kind):
        name, number, key = (stated.split('+', 2) + ['', ''])[:3]
        demand(is_key_name(name) and re.fullmatch('[0-9a-f]{8}', number), 'a key is not NAME+ID+KEY')
        self.text, self.name, self.id, self.key = stated, name, bytes.fromhex(number), from_base64(key)
        self.is_known = not (kind == 4 and len(self.key) > 1 and self.key[0] > 5)  # else a kind of later signatures
        demand(not self.is_known or (len(self.key) == 33 and self.key[0] == kind and
               sha256(name.encode() + b'\n' + self.key)[:4] == self.id), 'a key is of another type, or its id is wrong')
    def made(self, text, signature): return ed25519_holds(self.key[1:], text.encode(), signature)
class Note:
    """A signed note (C2SP signed-note)."""
    def __init__(self, note):
        body, empty, rest = note.rpartition('\n\n')
        demand(empty and rest.endswith('\n') and not re.search('[\x00-\x09\x0b-\x1f]', note), 'it is not a signed note')
        self.text, self.signatures = body + '\n', []
        for line in rest[:-1].split('\n'):
            words = line.split(' ')
            demand(len(words) == 3 and words[0] == '\u2014' and is_key_name(words[1]), 'a signature is malformed')
            made = from_base64(words[2])
            demand(len(made) > 4 and len(self.signatures) < MAX_SIGNATURES, 'a signature is malformed')
            self.signatures.append((words[1], made[:4], made[4:]))
    def made_by(self, key): return [made for name, number, made in self.signatures if (name, number) == (key.name, key.id)]
class Checkpoint(Note):
    """The root of a log as a signed note (C2SP tlog-checkpoint)."""
    def __init__(self, note):
        super().__init__(note)
        lines = self.text[:-1].split('\n')
        demand(len(lines) >= 3 and '' not in lines and re.fullmatch('0|[1-9][0-9]{0,15}', lines[1]),
               'the checkpoint does not state a name, a size and a root')
        self.origin, self.size, self.root = lines[0], int(lines[1]), from_base64(lines[2])
        demand(len(self.root) == 32 and self.size < 2 ** 53, 'the checkpoint states no root')
def root_of(leaf, index, size, hashes):
    """Root of the tree of this size with this leaf (RFC 9162, 2.1.3.2)."""
    place, last, root = index, size - 1, leaf
    demand(index < size, 'the log entry is not among the %d events that the checkpoint covers' % size)
    for one in hashes:
        demand(last > 0, 'the path in the log is too long')
        if place & 1 or place == last:
            root = sha256(b'\1' + one + root)
            while place and not place & 1: place, last = place >> 1, last >> 1
        else: root = sha256(b'\1' + root + one)
        place, last = place >> 1, last >> 1
    demand(last == 0, 'the path in the log is too short')
    return root
class Policy:
    """Logs, witnesses and quorum that somebody trusts (C2SP tlog-policy)."""
    def __init__(self, data):
        demand(len(data) <= MAX_POLICY_BYTES and not re.search(rb'[^\t\n\x20-\x7e\x80-\xff]', data), 'a wrong character')
        self.logs, self.witnesses, self.groups, self.quorum, self.used = {}, {}, {}, None, set()
        for number, line in enumerate(data.decode('utf-8', 'surrogateescape').split('\n'), 1):
            words = [word for word in re.split('[ \t]+', line) if word]
            try:
                if words and not words[0].startswith('#'): self.read(words[0], words[1:])
            except Bad as error: raise Bad('policy, line %d: %s' % (number, error))
        demand(self.quorum is not None, 'the policy has no line: quorum NAME')
    def is_defined(self, name): return name in self.witnesses or name in self.groups
    def read(self, kind, words):
        least = {'log': 1, 'witness': 2, 'quorum': 1, 'group': 3}.get(kind, 999)
        demand(least <= len(words) <= {'log': 2, 'witness': 3, 'quorum': 1}.get(kind, 999), 'wrong number of words')
        if kind in ('witness', 'group'): demand(words[0] != 'none' and not self.is_defined(words[0]), 'the name is used already')
        if kind in ('log', 'witness'):
            keys, key = (self.logs, NoteKey(words[0], 1)) if kind == 'log' else (self.witnesses, NoteKey(words[1], 4))
            demand(all(one.key != key.key for one in keys.values()), 'the key is named twice')
            keys[words[0]] = key
        elif kind == 'quorum':
            demand(self.quorum is None and (words[0] == 'none' or self.is_defined(words[0])), 'the quorum is unknown')
            self.quorum = words[0]
        else:
            names, number = words[2:], {'all': str(len(words) - 2), 'any': '1'}.get(words[1], words[1])
            demand(all(map(self.is_defined, names)), 'a member is not defined above')
            demand(len(set(names)) == len(names) and not self.used & set(names), 'a member is in two groups')
            demand(re.fullmatch('[1-9][0-9]{0,5}', number) and int(number) <= len(names), 'the number is impossible')
            self.used.update(names)
            self.groups[words[0]] = (int(number), names)
    def accepts(self, name, cosigned):
        least, names = self.groups.get(name, (1, []))
        return name == 'none' or name in cosigned or sum(self.accepts(one, cosigned) for one in names) >= least
# --- The checks -------------------------------------------------------------------------------------------------------
OF_SERVERS = ('network', 'validated ledger', 'anchored transaction')
OF_VALIDATORS = ('transaction path', 'header chain', 'validator list', 'validations')
OF_AUTHORITY = ('timestamp', 'timestamp authority')
CHECKS = ('checksum', 'file hash', 'commitment', 'memo', 'transaction', 'signature', 'signing key', 'transaction hash',
          'metadata', 'ledger header', 'close time', 'addresses', 'account') + OF_SERVERS + OF_VALIDATORS + (
              'log entry', 'log checkpoint', 'log witnesses') + OF_AUTHORITY + ('issuer signature', 'statements', 'pages')
OPTIONAL = ('account', 'log entry', 'log checkpoint', 'log witnesses', 'timestamp authority', 'issuer signature', 'statements', 'pages')
NEVER_CHECKED = {
    **dict.fromkeys(OF_SERVERS, 'no ledger was asked: this program asks no server'),
    'timestamp authority': 'the signature of the authority was not checked: this program cannot. Use openssl, or ops verify with --tsa-ca',
    'pages': 'the printed pages were not compared with the bundle and may show other names and dates. Do not rely on them'}
# SHA-256 of the file, and the accounts and keys that the user trusts. Each may be missing.
Trust = namedtuple('Trust', 'file_hash accounts log_keys policy list_keys issuer_keys', defaults=(None, (), (), None, (), ()))
class Report:
    """Makes the checks. Each method is the check of its name: it returns a finding, or raises Bad or Open."""
    def __init__(self, bundle, trust, is_pdf):
        self.bundle, self.trust, self.checks, self.outcomes = bundle, trust, [], {}
        self.log_keys = list(trust.log_keys) + (list(trust.policy.logs.values()) if trust.policy else [])
        self.anchor, self.evidence, self.log = bundle['anchor'], bundle['evidence'], bundle.get('log')
        self.fields, self.signed, self.validators = [], None, None
        self.blob, self.changes, self.header = (bytes.fromhex(self.evidence[name]) for name in ('blob', 'metadata', 'ledgerHeader'))
        try: self.fields, _ = read_fields(self.blob)
        except Bad: pass  # the checks that need its fields fail
        self.values = by_header(self.fields)
        needed = {'pages': is_pdf, 'log witnesses': trust.policy, 'issuer signature': bundle.get('issuer')}  # by the checks that not every bundle has
        needed.update(dict.fromkeys(OF_VALIDATORS, bundle.get('attestation')), **dict.fromkeys(OF_AUTHORITY, bundle.get('timestamp')))
        for name in CHECKS:
            if needed.get(name, True): self.make(name)
        if self.outcomes['signing key'] == 'notChecked' and self.is_proven_by_validators():
            self.outcomes['signing key'] = 'ok'
            self.checks[CHECKS.index('signing key')].update(outcome='ok', detail='the key was allowed to sign: the ledger shows it')
    def make(self, name):
        try:
            if name in NEVER_CHECKED: raise Open(NEVER_CHECKED[name])
            outcome, detail = 'ok', getattr(self, name.replace(' ', '_'))()
        except Bad as error: outcome, detail = 'failed', str(error)
        except Open as reason: outcome, detail = 'notChecked', str(reason)
        self.outcomes[name] = outcome
        self.checks.append({'name': name, 'outcome': outcome, 'detail': detail})
    def is_proven_by_validators(self): return all(self.outcomes.get(name) == 'ok' for name in OF_VALIDATORS)
    def checksum(self):
        rest = {name: value for name, value in self.bundle.items() if name != 'checksum'}
        demand(sha256(canonical(rest)).hex() == self.bundle['checksum'], 'the bundle is damaged or was changed')
        return 'the checksum matches the bundle. It detects damage, not forgery: anybody can compute it'
    def file_hash(self):
        stated, found = self.bundle['file']['fileHash'], self.trust.file_hash
        if found is None: raise Open('no file was compared with the bundle: give it with --file')
        demand(found == stated, "the file's SHA-256 is %s, but the bundle states %s" % (found, stated))
        return "the file's SHA-256 is %s, as the bundle states" % stated
    def commitment(self):
        stated, nonce = self.bundle['commitment']['commitment'], self.bundle['commitment']['nonce']
        if stated is None: return 'this hash scheme has no commitment: the memo contains the SHA-256 of the file itself'
        if nonce is None: raise Open('the bundle has no nonce, so its commitment cannot be compared: ask for the bundle with the nonce')
        found = hmac.new(bytes.fromhex(nonce), bytes.fromhex(self.bundle['file']['fileHash']), 'sha256').hexdigest()
        demand(found == stated, 'the nonce and the file hash give the commitment %s, not %s' % (found, stated))
        return 'the nonce and the file hash give the commitment %s, as the bundle states' % found
    def memo(self):
        commitment, previous = self.bundle['commitment'], self.bundle['revision']['previousTransactionHash']
        value, rest = commitment['commitment'] or self.bundle['file']['fileHash'], ',"previous":"%s"' % previous if previous else ''
        expected = '{"fileHash":"%s","hashScheme":"%s"%s}' % (value, commitment['hashScheme'], rest)
        demand(self.evidence['memo']['data'] == expected, 'the memo does not contain exactly what the bundle states')
        return 'the memo contains exactly what the bundle states. A previous revision was not checked'
    def transaction(self):
        values, stated = self.values, self.evidence['memo']
        demand([field.header for field in self.fields] == ['12', '24', '201B', '68', '73', '74', '81', 'F9'] and
               values['12'] == b'\0\3', 'it cannot be read, or is not an AccountSet that changes no setting')
        demand(address_of(values['81']) == self.anchor['account'], 'the transaction is not of the stated account')
        demand(number_of(values['201B']) >= self.anchor['ledgerIndex'], 'it could not enter the stated ledger')
        memos = [(memo.header, [(one.header, one.value) for one in memo.value]) for memo in values['F9']]
        expected = [('7C', stated['type'].encode()), ('7D', stated['data'].encode()), ('7E', stated['format'].encode())]
        demand(memos == [('EA', expected)], 'the transaction does not contain exactly the stated memo')
        return 'the transaction is an AccountSet of %s that changes no setting and contains exactly this memo' % self.anchor['account']
    def signature(self):
        key, made = (self.values.get(name, b'') for name in ('73', '74'))
        demand(signature_holds(key, b'STX\0' + without(self.blob, self.fields, '74'), made), 'the signature does not match the transaction')
        return 'the transaction is signed with the key %s' % key.hex().upper()
    def signing_key(self):
        if self.outcomes['signature'] != 'ok': raise Open('the key was not checked, because the signature is not valid')
        signer = address_of(ripemd160(sha256(self.values['73'])))
        if signer != self.anchor['account']: raise Open('the signing key belongs to %s. Only the ledger shows whether it may sign' % signer)
        return "the signing key is the account's own key"
    def transaction_hash(self):
        found = half(b'TXN\0' + self.blob).hex().upper()
        demand(found == self.anchor['transactionHash'], 'the hash of the signed transaction is %s' % found)
        return 'the hash of the signed transaction is %s, as the bundle states' % found
    def metadata(self):
        (fields, _), sequence = read_fields(self.changes), number_of(self.values.get('24', b''))
        values, index = by_header(fields), self.anchor['transactionIndex']
        demand([field.header for field in fields] == ['201C', 'F8', '0310'] and values['0310'] == b'\0' and self.values,
               'the transaction did not succeed, or the metadata have another form')
        demand(number_of(values['201C']) == index, 'the metadata state another index than %d' % index)
        for node in values['F8']:
            parts = by_header(node.value)
            before, after = by_header(parts.get('E6', [])), by_header(parts.get('E7', []))
            used = [one['24'] for one in (before, after) if '24' in one] == [(sequence + more).to_bytes(4, 'big') for more in (0, 1)]
            if (node.header, parts.get('11'), used) == ('E5', b'\0\x61', True) and address_of(after.get('81', b'')) == self.anchor['account']:
                return 'the transaction succeeded (tesSUCCESS), with the stated index %d in the ledger' % index
        raise Bad('the metadata do not use up the Sequence of the transaction')
    def ledger_header(self):
        found, index = header_hash(self.header).hex().upper(), self.anchor['ledgerIndex']
        is_right = len(self.header) == 118 and found == self.anchor['ledgerHash'] and number_of(self.header[:4]) == index
        demand(is_right, 'the hash of the ledger header is %s, or it is of another ledger' % found)
        return 'the ledger header belongs to ledger %d and has the hash %s' % (index, found)
    def close_time(self):
        seconds, stated = number_of(self.header[112:116]), (self.anchor['closeTime'], self.anchor['closeTimeIso'])
        demand(len(self.header) == 118 and stated == (seconds, utc(seconds)), 'the close time in the header is %s' % utc(seconds))
        return 'the close time in the ledger header is %s. Ledger close times are rounded' % utc(seconds)
    def addresses(self):
        ending = '/' + self.anchor['transactionHash']
        demand(all(url.endswith(ending) for url in self.bundle['addresses'].values()), 'an address ends in another hash')
        return 'all web addresses in the bundle end in the transaction hash. The websites were not checked'
    def account(self):
        found = 'the anchoring account is %s' % self.anchor['account']
        if not self.trust.accounts: raise Open(found + ". It was not compared with the issuer's accounts: name them with --account")
        demand(self.anchor['account'] in self.trust.accounts, found + ', which is none of the expected accounts')
        return found + ', as expected'
    def transaction_path(self):
        path, levels, at = from_base64(self.bundle['attestation']['path']), [], 0
        while at < len(path):
            mask, branches, at = number_of(path[at:at + 2]), [bytes(32)] * 16, at + 2
            for place in range(16):
                if mask >> (15 - place) & 1:
                    branches[place], at = path[at:at + 32], at + 32
                    demand(any(branches[place]), 'the path has an empty hash')
            levels.append(branches)
            demand(len(levels) <= 64 and at <= len(path), 'the path is too long, or ends within a level')
        transaction = half(b'TXN\0' + self.blob)
        found = half(b'SND\0' + with_length(self.blob) + with_length(self.changes) + transaction)
        for digit, branches in reversed(list(zip(transaction.hex(), levels))):
            demand(not any(branches[int(digit, 16)]), 'the path states the branch of the transaction itself')
            branches[int(digit, 16)] = found
            found = half(b'MIN\0' + b''.join(branches))
        demand(found == self.header[44:76] and len(self.header) == 118, "it does not lead to the root in the ledger's header")
        return 'the path leads from the transaction and its metadata to the header of the ledger, which contains them'
    def header_chain(self):
        links, header = from_base64(self.bundle['attestation']['chain']), self.header
        first, count = number_of(header[:4]), len(links) // 78
        demand(len(links) % 78 == 0 and count <= MAX_CHAIN, 'the chain ends within a header or is too long')
        demand(len(header) == 118 and first + count < 2 ** 32, 'it begins or ends with an impossible header')
        for link in (links[at:at + 78] for at in range(0, len(links), 78)):
            index = (number_of(header[:4]) + 1).to_bytes(4, 'big')
            header = index + link[:8] + header_hash(header) + link[8:72] + header[112:116] + link[72:]
        self.signed = header
        return 'the chain leads from ledger %d to ledger %d, which the validators signed' % (first, first + count)
    def validator_list(self):
        if self.signed is None: raise Open('the list was not checked, because the header chain does not hold')
        stated, named = self.bundle['attestation']['validatorList'], [key.upper() for key in self.trust.list_keys]
        manifest = Manifest(from_base64(stated['manifest']))
        publisher, network = manifest.master.hex().upper(), self.anchor['network']
        name = dict([KNOWN_PUBLISHERS.get(publisher, ('', ''))[::-1]]).get('' if self.anchor['standalone'] else network)
        if not name and not named: raise Open('to trust the lists of this publisher, use --validator-list-key %s' % publisher)
        demand(name or publisher in named, 'the validator list is by the publisher %s, which is not trusted' % publisher)
        demand(manifest.signing and manifest.holds(), "the publisher's manifest revokes its key or does not hold")
        data = from_base64(stated['blob'], MAX_LIST_BYTES)
        demand(signature_holds(manifest.signing, data, bytes.fromhex(stated['signature'])), 'the signature is wrong')
        content = (lambda value: value if isinstance(value, dict) else {})(parse_json(data))
        sequence, expiration, effective = (content.get(key) for key in ('sequence', 'expiration', 'effective'))
        entries, validators = content.get('validators'), {}
        is_list = isinstance(entries, list) and len(entries) <= MAX_VALIDATORS and (effective is None or UINT32(effective))
        demand(is_list and UINT32(sequence) and UINT32(expiration), 'the validator list is malformed or too long')
        for entry in entries:
            demand(isinstance(entry, dict) and LIST_KEY(entry.get('validation_public_key')), 'the list has a malformed key')
            validators.setdefault(bytes.fromhex(entry['validation_public_key']), entry.get('manifest', ''))
        demand((effective or 0) <= number_of(self.signed[112:116]) < expiration, 'it was not in force at the close time')
        self.validators = validators
        whose = (sequence, name or 'the publisher that you named', publisher, utc(expiration), len(validators))
        return 'trusted: list %d of %s (%s), valid until %s, with %d validators. You rely on this publisher and on them' % whose
    def signing_keys(self):
        """Validators by their present signing keys."""
        newer, keys = [Manifest(from_base64(one)) for one in self.bundle['attestation']['manifests']], {}
        for master, own in self.validators.items():
            try: candidates = [Manifest(from_base64(own))] + newer if own and isinstance(own, str) else newer
            except Bad: candidates = newer  # one malformed manifest must not make the whole list useless
            candidates = [one for one in candidates if one.master == master and one.holds()]
            if candidates: keys.setdefault(max(candidates, key=lambda one: one.sequence).signing, master)
            elif own == '': keys.setdefault(master, master)
        return keys
    def validations(self):
        if self.validators is None: raise Open('they were not counted, because no trusted validator list is known')
        for ones in (self.bundle['attestation']['validations'], self.bundle['attestation']['manifests']):
            demand(len(set(ones)) == len(ones), 'a validation or manifest is in the bundle twice')
        made = [read_validation(from_base64(one)) for one in self.bundle['attestation']['validations']]
        keys, counted, needed = self.signing_keys(), set(), max(1, (4 * len(self.validators) + 4) // 5)
        for stated, key, proof in made:
            is_of_ledger = stated == (True, self.signed[:4], header_hash(self.signed)) and key in keys
            if is_of_ledger and keys[key] not in counted and signature_holds(*proof): counted.add(keys[key])
        found = '%d of the %d listed validators signed the ledger; %d are needed' % (len(counted), len(self.validators), needed)
        demand(len(counted) >= needed, found)
        return found
    def note(self):
        if self.log is None: raise Open("a bundle of version 1 contains no entry of the issuer's log")
        return Checkpoint(self.log['checkpoint'])
    def demand_leaf(self, hashes, size, root, whose):
        """Demands that the log entry is of this anchoring, and a leaf of the tree with this root."""
        event, index = self.log['event'], self.log['leafIndex']
        demand(event['stream'] == 'proof-' + self.bundle['certificate']['proofId'], 'the log entry is of another proof')
        names = 'transactionHash ledgerIndex ledgerHash transactionIndex closeTime closeTimeIso metadata ledgerHeader ledgerId'
        data = {name: {**self.anchor, **self.evidence, **self.log}[name] for name in names.split()}
        demand(sha256(canonical(data)).hex() == event['dataHash'], 'the log entry is of another anchoring')
        found = root_of(sha256(b'\0' + canonical(event)), index, size, map(bytes.fromhex, hashes))
        demand(found == root, 'the path in the log does not lead to the root of %s' % whose)
    def log_entry(self):
        note = self.note()
        self.demand_leaf(self.log['hashes'], note.size, note.root, 'the checkpoint')
        where = self.log['leafIndex'] + 1, note.size, note.origin
        return 'the log entry is at position %d of the %d events that the checkpoint of %s covers' % where
    def timestamp(self):
        stated = self.bundle['timestamp']
        _, size, root, _ = stated['checkpointText'].split('\n')
        self.demand_leaf(stated['hashes'], int(size), from_base64(root), 'the stamped checkpoint')
        try: imprint, time = read_token(from_base64(stated['token'], MAX_TOKEN_BYTES))
        except Bad as error: raise Bad('the time-stamp token cannot be used: %s' % error)
        demand(imprint == sha256(stated['checkpointText'].encode()), 'the token is of other data than the checkpoint in the bundle')
        demand(self.anchor['standalone'] or time >= utc(self.anchor['closeTime'] - 300),
               'the token states the time %s, but the ledger closed later: one of these times is false' % time)
        return 'the log entry is one of the %s events of a checkpoint, and the token is of this checkpoint. ' \
            'The token states the time %s' % (size, time)
    def log_checkpoint(self):
        if self.log is not None and not self.log_keys: raise Open("the signature of the checkpoint was not checked: name the keys of the log with --log-key")
        note = self.note()
        signed = [key for key in self.log_keys if note.made_by(key)]
        demand(all(key.name == note.origin and key.made(note.text, one) for key in signed for one in note.made_by(key)),
               'a signature does not match the checkpoint, or belongs to another log')
        if note.origin not in [key.name for key in self.log_keys]:
            raise Open('the checkpoint belongs to %s, and no key of that name was given with --log-key' % note.origin)
        demand(signed, 'the checkpoint is signed with none of the keys given for %s' % note.origin)
        return 'the checkpoint is signed with the given key %s' % ' and '.join(key.text for key in signed)
    def log_witnesses(self):
        note, policy, cosigned = self.note(), self.trust.policy, {}
        for name, key in policy.witnesses.items():
            times = [(number_of(made[:8]), made) for made in note.made_by(key) if key.is_known]
            if times and all(len(made) == 72 and 0 < seconds < 2 ** 53 and key.made(
                    'cosignature/v1\ntime %d\n%s' % (seconds, note.text), made[8:]) for seconds, made in times):
                cosigned[name] = '%s (%s)' % (name, utc(min(times)[0], 0))
        who = 'cosigned by ' + (', '.join(cosigned.values()) or 'no witness of the given policy')
        demand(policy.accepts(policy.quorum, cosigned), who + '. This is no quorum of the given policy')
        return who + '. This is the quorum of the given policy'
    def issuer_signature(self):
        note = Note(self.bundle['issuer']['note'])
        name, number, made = note.signatures[0]
        demand(len(note.signatures) == 1 and re.fullmatch('.+/issuer', name), 'it needs one signature, named as of an issuer')
        signed = {one: value for one, value in self.bundle.items() if one not in ('issuer', 'checksum')}
        signed['commitment'] = dict(signed['commitment'], nonce=None)
        text = 'proofmark/bundle\n%s\n' % sha256(canonical(signed)).hex()
        demand(note.text == text, 'the issuer signed another bundle: this one was changed afterwards')
        by, keys = '%s+%s' % (name, number.hex()), [key for key in self.trust.issuer_keys if (key.name, key.id) == (name, number)]
        if not keys: raise Open('none of the given keys is %s, which is said to have signed the bundle: name it with --issuer-key' % by)
        demand(keys[0].made(text, made), 'the signature is not by the key %s: it was forged or changed' % by)
        return 'the bundle, with its names and dates, is signed with the key %s' % by
    def statements(self):
        named = 'the names of organisation, workspace and file, file size and type, revision number, proof id and time of issue are '
        raise Open(named + ('stated by the issuer, who signed them. Nothing else confirms them' if self.is_signed() else
                            'claims. Nothing proves them: the author of the bundle may have made them up'))
    def is_signed(self): return self.outcomes.get('issuer signature') == 'ok'
    def conclude(self):
        """The result (proven, notProvenYet or notProven) and its words."""
        def named(outcome, but=()): return [name for name in CHECKS if self.outcomes.get(name) == outcome and name not in but]
        def listed(words, names): return words % ('this check' if len(names) == 1 else 'these checks', ', '.join(names))
        failed, opened = named('failed'), named('notChecked')
        missing = named('notChecked', OPTIONAL + (OF_SERVERS if self.is_proven_by_validators() else ()))
        if failed: return 'notProven', listed('NOT PROVEN: %s FAILED: %s. Do not rely on this proof. Each FAILED line gives the reason.', failed)
        if missing: return 'notProvenYet', listed(
            'Not proven yet: no check failed, but %s could not be made: %s. Each line "not checked" says what is missing.', missing)
        anchor, salted = self.anchor, self.bundle['commitment']['commitment'] is not None
        words = 'Proven: this file existed, byte for byte, no later than %s. Its %s is in ledger %d of %s, which closed at that time ' \
            '(ledger close times are rounded). Nothing more is proven: names, dates and other statements in the bundle are %s Signatures of the ledger\'s validators confirm this ledger: the line "validator list" names the ' \
            'publisher whose list of them was trusted.' % (anchor['closeTimeIso'], 'commitment' if salted else 'SHA-256', anchor[
                'ledgerIndex'], 'a standalone ledger' if anchor['standalone'] else anchor['network'], 'stated by the issuer, who signed them.' if self.is_signed() else 'claims, and not verified.')
        if 'account' in opened: words += " The account that anchored the file was not checked: name the issuer's accounts with --account."
        if 'log checkpoint' in opened and self.log_keys:
            words += ' The record of this proof in the log was not verified: the line "log checkpoint" gives the reason.'
        if anchor['standalone']: words += ' Test only: a standalone ledger has no evidential value, because nobody else keeps it.'
        elif anchor['network'] == 'testnet': words += ' Test only: the test network is reset at times, and its records are then lost.'
        return 'proven', words
# --- The bundle in a PDF ---------------------------------------------------------------------------------------
MAX_UNPACKED_BYTES, MAX_STREAMS, MAX_ATTACHED, MAX_OBJECTS = 2 ** 25, 1000, 100, 100000
GAP = re.compile(rb'(?:[\0\t\n\x0c\r ]+|%[^\r\n]*)*')
TOKEN = re.compile(rb'(?P<open><<|\[)|(?P<shut>>>|\])|/(?P<name>[^\0\t\n\x0c\r ()<>\[\]{}/%]*)|<(?P<hex>[^<>]*)>|'
                   rb'(?P<text>\()|(?P<ref>\d{1,10})\s+\d{1,5}\s+R(?![^\0\t\n\x0c\r ()<>\[\]{}/%])|'
                   rb'(?P<number>[+-]?\d{1,15}(?:\.\d{0,15})?|[+-]?\.\d{1,15})(?![0-9.])|(?P<word>true|false|null)')
class Reference(int): """Number of an object."""
Stream = namedtuple('Stream', 'entries start')
class Pdf:
    """The newest revision of a PDF by its cross-reference sections (ISO 32000-1, 7.5). Raises Bad for damage."""
    def __init__(self, data):
        ends = re.findall(rb'startxref\s+(\d{1,10})', data[-1024:])
        demand(ends and b'%PDF-' in data[:1024], 'the end of the file is missing, or it is not a PDF')
        self.data, self.count, self.places, self.containers, self.depth = data, 0, {}, {}, 0
        self.trailer, pending, seen = None, [int(ends[-1])], set()
        while pending:
            at = GAP.match(data, pending.pop()).end()
            demand(len(seen) < MAX_STREAMS, 'it has too many revisions')
            if at in seen: continue
            seen.add(at)
            rows, trailer = self.read_table(at + 4) if data.startswith(b'xref', at) else self.read_xref_stream(at)
            beside = self.read_xref_stream(trailer['XRefStm'])[0] if type(trailer.get('XRefStm')) is int else {}
            rows.update({one: row for one, row in beside.items() if rows.get(one, 'f')[0] == 'f'})
            for number, row in rows.items(): self.places.setdefault(number, row)
            self.count += len(rows)
            demand('Encrypt' not in trailer, 'the file is encrypted')
            self.trailer = self.trailer or trailer
            pending += [trailer['Prev']] if type(trailer.get('Prev')) is int and trailer['Prev'] >= 0 else []
    def value_at(self, data, at, depth=0):
        """A value and the place after it. Names are str, strings are bytes."""
        token = TOKEN.match(data, GAP.match(data, at).end())
        self.count += 1
        demand(token and depth < 50 and self.count <= MAX_OBJECTS, 'it is damaged, or nested too deeply')
        kind, at = token.lastgroup, token.end()
        if kind == 'open':
            items, closing = [], b']' if token.group() == b'[' else b'>>'
            while not data.startswith(closing, GAP.match(data, at).end()):
                item, at = self.value_at(data, at, depth + 1)
                items.append(item)
            at, names = GAP.match(data, at).end() + len(closing), items[::2]
            if closing == b']': return items, at
            demand(len(items) % 2 == 0 and {str} >= set(map(type, names)) and len(set(names)) == len(names), 'a dictionary is malformed')
            return dict(zip(names, items[1::2])), at
        if kind == 'text':
            level = 1
            for mark in re.compile(rb'\\.|[()]', re.DOTALL).finditer(data, at, at + 65536):
                level += {b'(': 1, b')': -1}.get(mark.group(), 0)
                if level == 0: return data[at:mark.start()], mark.end()
        demand(kind not in ('text', 'shut'), 'it is damaged')
        found = token.group(kind)
        if kind == 'name': return re.sub(rb'#([0-9A-Fa-f]{2})', lambda one: bytes.fromhex(one.group(1).decode()), found).decode('latin-1'), at
        if kind == 'word': return {b'true': True, b'false': False, b'null': None}[found], at
        return (found if kind == 'hex' else Reference(found) if kind == 'ref' else float(found) if b'.' in found else int(found)), at
    def read_table(self, at):
        rows, head = {}, re.compile(rb'\s*(\d{1,10}) +(\d{1,10}) *(?=[\r\n])')
        row_form = re.compile(rb'[\r\n ]*(\d{10}) \d{5} ([nf])(?=[\r\n ])')
        while (section := head.match(self.data, at)):
            first, count, at = int(section.group(1)), int(section.group(2)), section.end()
            for number in range(first, first + count):
                row = row_form.match(self.data, at)
                demand(row and len(rows) < MAX_OBJECTS, 'its tables are damaged')
                rows[number], at = (row.group(2).decode(), int(row.group(1))), row.end()
        at = GAP.match(self.data, at).end()
        trailer = self.value_at(self.data, at + 7)[0] if self.data.startswith(b'trailer', at) else None
        demand(type(trailer) is dict, 'its tables are damaged')
        return rows, trailer
    def read_xref_stream(self, at):
        entries, data = self.open_stream(self.object_at(at), 'XRef')
        widths, index, rows, at = entries.get('W'), entries.get('Index', [0, entries.get('Size')]), {}, 0
        demand(all(type(ones) is list and all(type(one) is int and one >= 0 for one in ones) for ones in (widths, index))
               and len(widths) == 3 and 0 < sum(widths) <= 32 and len(index) % 2 == 0, 'its tables are damaged')
        for first, count in zip(index[::2], index[1::2]):
            demand(count * sum(widths) <= len(data) - at, 'its tables are damaged')
            for number in range(first, first + count):
                kind, place, _ = (number_of(data[at + sum(widths[:n]):at + sum(widths[:n + 1])]) for n in range(3))
                rows[number], at = ('n' if not widths[0] else 'fnpf'[min(kind, 3)], place), at + sum(widths)
        return rows, entries
    def open_stream(self, stream, kind):
        demand(isinstance(stream, Stream) and stream.entries.get('Type') == kind, 'its tables are damaged')
        return stream.entries, self.unpack(stream, True)
    def object_at(self, at, number=None):
        head = re.compile(rb'(\d{1,10})\s+\d{1,5}\s+obj').match(self.data, GAP.match(self.data, at).end())
        demand(head and number in (None, int(head.group(1))), 'its tables are damaged')
        value, at = self.value_at(self.data, head.end())
        end = re.compile(rb'stream\r?\n|endobj').match(self.data, GAP.match(self.data, at).end())
        demand(end, 'an object is damaged')
        return Stream(value, end.end()) if type(value) is dict and end.group() != b'endobj' else value
    def get(self, value, *names):
        """The value, or the one inside that these names lead to, without references; null if there is none."""
        while isinstance(value, Reference):
            kind, at = self.places.get(int(value), ('f', 0))
            self.depth, self.count = self.depth + 1, self.count + 1
            demand(self.depth < 9 and self.count <= MAX_OBJECTS, 'its objects go round in circles')
            value = None if kind == 'f' else self.object_at(at, int(value)) if kind == 'n' else self.packed_object(at, int(value))
            self.depth -= 1
        if not names or value is None: return value
        return self.get(value.get(names[0]), *names[1:]) if type(value) is dict else None
    def packed_object(self, container, number):
        if container not in self.containers:
            kind, at = self.places.get(container, ('f', 0))
            entries, data = self.open_stream(self.object_at(at, container) if kind == 'n' else None, 'ObjStm')
            first = self.get(entries, 'First')
            demand(type(first) is int and 0 <= first <= len(data), 'its tables are damaged')
            numbers = [int(one) for one in re.findall(rb'\d{1,10}', data[:first])]
            self.containers[container] = data, {one: first + at for one, at in zip(numbers[::2], numbers[1::2])}
        data, starts = self.containers[container]
        demand(number in starts, 'its tables are damaged')
        return self.value_at(data, starts[number])[0]
    def unpack(self, stream, may_predict=False):
        """Bytes of a stream that is not packed, or with FlateDecode alone."""
        length, packing, how = (self.get(stream.entries, name) for name in ('Length', 'Filter', 'DecodeParms'))
        is_right = type(length) is int and length >= 0
        demand(is_right and re.compile(rb'\s{0,2}endstream').match(self.data, stream.start + length), 'a stream is damaged')
        data, how = self.data[stream.start:stream.start + length], how[0] if type(how) is list and how else how
        if packing in ('FlateDecode', ['FlateDecode']):
            engine = zlib.decompressobj()
            try: data = engine.decompress(data, 4 * 2 ** 20)
            except zlib.error: raise Bad('a stream is damaged')
            demand(engine.eof and not engine.unused_data.strip(), 'a stream is damaged or too large')
        else: demand(packing in (None, []), 'an attached file is packed in another way than usual')
        if type(how) is not dict or how.get('Predictor', 1) == 1: return data
        width, out, above = how.get('Columns', 1), bytearray(), bytes(100)
        is_usual = how['Predictor'] in range(10, 16) and how.get('Colors', 1) == 1 and type(width) is int and 0 < width < 100
        demand(may_predict and is_usual, 'an attached file is packed in another way than usual')
        for start in range(0, len(data), width + 1):  # the filters of PNG
            kind, row = data[start], bytearray(data[start + 1:start + 1 + width])
            demand(kind < 4, 'a stream is damaged')
            for at, value in enumerate(row):
                left = row[at - 1] if at else 0
                row[at] = value + (0, left, above[at], (left + above[at]) // 2)[kind] & 255
            out, above = out + row, bytes(row) + bytes(100)
        return bytes(out)
    def nodes(self, root):
        """Every node of a tree once."""
        pending, seen = [root], set()
        while pending:
            value = pending.pop()
            node = None if isinstance(value, Reference) and value in seen else self.get(value)
            if isinstance(value, Reference): seen.add(value)
            if type(node) is dict:
                yield node
                pending += self.list_in(node, 'Kids')
    def list_in(self, node, name):
        found = self.get(node, name) or []
        self.count += len(found) if type(found) is list else 0
        demand(self.count <= MAX_OBJECTS, 'it takes too much work to read')
        return found if type(found) is list else []
    def attached(self):
        """Bytes of all files attached to the document, its pages and their notes."""
        catalogue, streams = self.get(self.trailer.get('Root')), {}
        files = self.list_in(catalogue, 'AF')[:]
        for node in self.nodes(self.get(catalogue, 'Names', 'EmbeddedFiles')): files += self.list_in(node, 'Names')[1::2]
        for page in self.nodes(self.get(catalogue, 'Pages')):
            files += self.list_in(page, 'AF') + [self.get(note, 'FS') for note in self.list_in(page, 'Annots')]
        for stream in (self.get(file, 'EF', name) for file in files for name in ('F', 'UF', 'DOS', 'Mac', 'Unix')):
            if isinstance(stream, Stream): streams[stream.start] = stream
            demand(len(streams) <= MAX_ATTACHED, 'it has too many attached files')
        return [self.unpack(stream) for stream in streams.values()]
# The value of "format" in JSON, each character perhaps escaped.
MARKER = re.compile(b'(?i:"%s")' % b''.join(rb'(?:%c|\\u00%02x%s)' % (one, one, rb'|\\/' if one == 47 else b'') for one in b'proofmark/bundle'))
class Search:
    """Bundles anywhere in the bytes of a PDF, in any revision; its tables and lengths are not trusted."""
    def __init__(self, data):
        self.data, self.work, self.found, self.reason = data, 0, set(), None
        starts = [one.end() for one in re.finditer(rb'(?<!end)stream', data)]
        opening = re.compile(rb'[\0\t\x0c ]*(?:%[^\r\n]*)?(?:\r\n|\r|\n)?')
        declared = {opening.match(data, start).end() for start in starts[:MAX_STREAMS]}
        for place in (one.start() for one in re.finditer(b'[\x08\x18\x28\x38\x48\x58\x68\x78]', data)):
            head = number_of(data[place:place + 2])
            if head % 31 == 0 and not head & 32 and self.work <= MAX_UNPACKED_BYTES: self.unpack(place, place in declared)
        if len(starts) > MAX_STREAMS or self.work > MAX_UNPACKED_BYTES: self.reason = 'it takes too much work to search'
        done = 0
        for marker in MARKER.finditer(data):  # bundles that are not packed
            if marker.start() >= done:
                start = data.find(b'{', max(data.rfind(b'stream', 0, marker.start()), done), marker.start())
                done = self.keep(data[start:start + MAX_BUNDLE_BYTES] if start >= 0 else b'', False) + max(start, 0)
    def unpack(self, place, is_declared):
        """Unpacks what may be packed data, as long as it may be a bundle, or to the end of a declared stream."""
        engine, out, at, step, may_be = zlib.decompressobj(), bytearray(), place, 16, True
        try:
            while not engine.eof and at < len(self.data) and self.work <= MAX_UNPACKED_BYTES and (may_be or is_declared):
                piece = engine.decompress(engine.unconsumed_tail or self.data[at:at + step], 65536)
                at, step = (at, step) if engine.unconsumed_tail else (at + step, min(2 * step, 65536))
                self.work += len(piece) + 16
                out += piece if may_be else b''
                may_be = may_be and len(out) <= MAX_BUNDLE_BYTES + 3 and re.match(rb'(?:\xef\xbb\xbf)?[\t\n\r ]*(?:\{|\Z)', out) is not None
        except zlib.error: pass
        if is_declared and not engine.eof or len(out) > MAX_BUNDLE_BYTES:
            self.reason = 'a stream is damaged or too large, so another bundle may be hidden in it'
        if may_be and MARKER.search(out): self.keep(plain(out), True)
    def keep(self, data, is_whole):
        """Keeps a bundle; what only looks like one is suspicious. Returns its length."""
        size = len(data)
        try:
            if not is_whole:
                decoded = data.decode('utf-8', 'surrogateescape')
                size = len(decoded[:json.JSONDecoder().raw_decode(decoded)[1]].encode('utf-8', 'surrogateescape'))
            if is_bundle(parse_json(data[:size])): self.found.add(data[:size])
        except (Bad, ValueError, RecursionError): self.reason = 'something that looks like another bundle is damaged'
        return size
def plain(data):
    """The bytes without a byte order mark, and without white space at both ends."""
    return bytes(data[3:] if data.startswith(b'\xef\xbb\xbf') else data).strip(b'\t\n\r ')
def bundle_in_pdf(data):
    """Bytes of the one bundle that is attached to a PDF, if no other bundle is in any revision of it."""
    try:
        demand(len(data) <= MAX_CERTIFICATE_BYTES, 'the file is too large')
        search = Search(data)
        demand(len(search.found) < 2, 'it contains several different proof bundles')
        files = Pdf(data).attached()
        demand(search.reason is None, search.reason)
        found = {plain(file) for file in files if MARKER.search(file) and is_bundle(parse_json(file))}
        demand(found, 'no proof bundle is attached to it')
        demand(found == search.found, 'it contains several different proof bundles')
        return found.pop()
    except (Bad, RecursionError) as error: raise Refused('the PDF cannot be used: %s. Ask for the certificate as it was issued' % error)
# --- The command -----------------------------------------------------------------------------------------------
def verify(data, is_pdf, trust):
    """Checks the bundle in these bytes. Raises Refused."""
    return Report(read_bundle(bundle_in_pdf(data) if is_pdf else data), trust, is_pdf)
class Parser(argparse.ArgumentParser):
    def error(self, message): self.exit(1, 'error: %s\n' % message)
def arguments():
    parser = Parser(description='Verify a Proofmark certificate or proof bundle, offline.', allow_abbrev=False)
    parser.add_argument('--certificate', metavar='FILE', help='the certificate (PDF)')
    parser.add_argument('--file', metavar='FILE', help='the proven file')
    parser.add_argument('--bundle', metavar='FILE', help='the proof bundle (JSON), instead of --certificate')
    parser.add_argument('--account', metavar='ADDRESSES', help="the issuer's accounts, separated by commas")
    parser.add_argument('--log-key', metavar='VKEYS', help='known keys of the log, of all epochs, separated by commas')
    parser.add_argument('--policy', metavar='FILE', help='witnesses that you trust, and their quorum (tlog-policy)')
    parser.add_argument('--validator-list-key', action='append', default=[], metavar='KEY',
                        help='master key (hex) of a publisher whose validator lists you trust; repeatable')
    parser.add_argument('--issuer-key', action='append', default=[], metavar='KEY',
                        help='key of an issuer that you trust (NAME+ID+KEY), or a file with such keys; repeatable')
    parser.add_argument('--json', action='store_true', help='print one JSON object')
    return parser
def read_file(path, most):
    with open(path, 'rb') as file: return file.read(most + 1)
def hash_file(path):
    digest = hashlib.sha256()
    with open(path, 'rb') as file:
        for chunk in iter(lambda: file.read(2 ** 20), b''): digest.update(chunk)
    return digest.hexdigest()
def issuer_keys(given):
    """The key that this is, or the keys in the file of this name, one on each line."""
    if re.fullmatch(r'[^+]+\+[0-9a-f]{8}\+[^+]{4}.*', given): return [NoteKey(given, 1)]
    lines = [line.strip() for line in read_file(given, MAX_POLICY_BYTES).decode('utf-8', 'replace').split('\n')]
    return [NoteKey(line, 1) for line in lines if line and not line.startswith('#')]
def read_trust(given):
    """Accounts, keys and policy that the user trusts. Raises Bad."""
    accounts = [one.strip() for one in given.account.split(',')] if given.account else []
    demand(all(map(FORMS['account'], accounts)), 'an account is not an address (r…)')
    demand(all(map(LIST_KEY, given.validator_list_key)), 'a key of a publisher must have 66 hexadecimal digits (ED, 02, 03)')
    keys = [NoteKey(one.strip(), 1) for one in given.log_key.split(',')] if given.log_key else []
    issuers = [key for one in given.issuer_key for key in issuer_keys(one)]
    policy = Policy(read_file(given.policy, MAX_POLICY_BYTES)) if given.policy else None
    return Trust(hash_file(given.file) if given.file else None, accounts, keys, policy, given.validator_list_key, issuers)
def main():
    for stream in (sys.stdout, sys.stderr): stream.reconfigure(encoding='utf-8', errors='backslashreplace')
    given = (parser := arguments()).parse_args()
    path = given.certificate or given.bundle
    if not path or (given.certificate and given.bundle): parser.error('give either --bundle FILE or --certificate FILE')
    try:
        trust = read_trust(given)
        report = verify(read_file(path, MAX_CERTIFICATE_BYTES), given.certificate is not None, trust)
    except OSError as error: parser.error('cannot read %s: %s' % (error.filename, error.strerror))
    except Bad as error: parser.error('an option is invalid: %s' % error)
    except Refused as error: parser.error('cannot read %s: %s' % (path, error))
    result, words = report.conclude()
    found = {'proven': result == 'proven', 'conclusion': words, 'statements': 'statedByIssuer' if report.is_signed() else 'claimed', 'checks': report.checks}
    if given.json: print(json.dumps(dict(found, file=report.bundle['file'], anchor=report.anchor), ensure_ascii=False))
    else:
        for check in report.checks:
            shown = {'ok': 'ok', 'failed': 'FAILED', 'notChecked': 'not checked'}[check['outcome']]
            print('%-12s %-21s %s' % (shown, check['name'], re.sub('[^ -~\xa1-\uffff]', '?', check['detail'])))
        print('\n' + words)
    return 1 if result == 'notProven' else 0
if __name__ == '__main__': sys.exit(main())
