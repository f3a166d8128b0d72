"""Compares verify.py with the conformance vectors, and prints each difference.

    python3 run.py VERIFY.PY VECTORS.NDJSON.GZ
"""

import base64
import functools
import gzip
import importlib.util
import json
import sys
import time

sys.dont_write_bytecode = True


def load(path):
    spec = importlib.util.spec_from_file_location('verify', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ('signature_holds', 'ed25519_holds'):  # many vectors have the same signatures
        setattr(module, name, functools.lru_cache(maxsize=None)(getattr(module, name)))
    return module


def judge(verify, vector):
    """Result of verify.py for a vector, in the form of its member `expect`."""
    given = vector['options']
    try:
        keys = [verify.NoteKey(key, 1) for key in given.get('logKeys', [])]
        issuers = [verify.NoteKey(key, 1) for key in given.get('issuerKeys', [])]
        policy = verify.Policy(given['policy'].encode()) if 'policy' in given else None
    except verify.Bad:
        return {'result': 'refused', 'kind': 'options'}
    trust = verify.Trust(given.get('fileHash'), given.get('accounts', ()), keys, policy,
                         given.get('validatorListKeys', ()), issuers)
    is_pdf = 'certificateBase64' in vector
    encoded = vector.get('certificateBase64', vector.get('bundleBase64'))
    data = vector['bundle'].encode() if encoded is None else base64.b64decode(encoded)
    try:
        report = verify.verify(data, is_pdf, trust)
    except verify.Refused:
        return {'result': 'refused', 'kind': 'certificate' if is_pdf else 'bundle'}
    except Exception as error:  # a verifier must find a verdict for any bytes
        return {'result': 'crashed: %r' % error, 'checks': {}}
    return {'result': report.conclude()[0], 'checks': {one['name']: one['outcome'] for one in report.checks}}


def main(verifier, path):
    verify, count, wrong, slowest = load(verifier), 0, 0, (0.0, '')
    with gzip.open(path, 'rt', encoding='utf-8') as lines:
        for vector in map(json.loads, lines):
            started = time.process_time()
            found = judge(verify, vector)
            slowest = max(slowest, (time.process_time() - started, vector['id']))
            count += 1
            if found != vector['expect']:
                wrong += 1
                print(json.dumps({'id': vector['id'], 'found': found, 'expected': vector['expect']}))
    print('%d vectors, %d differ; the slowest took %.2f s: %s' % ((count, wrong) + slowest))
    return 1 if wrong or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
