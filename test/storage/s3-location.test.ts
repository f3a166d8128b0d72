import { test } from 'tap';
import { parseS3Url } from '../../src/storage/s3-location.ts';

test('reads bucket, prefix, endpoint and region from the URL', async (t) => {
  t.strictSame(
    parseS3Url('s3://files/proof/mark?endpoint=https://s3.example.org:9000&region=eu-central-2'),
    {
      bucket: 'files',
      prefix: 'proof/mark/',
      endpoint: 'https://s3.example.org:9000',
      region: 'eu-central-2',
    },
  );
});

test('everything but the bucket is optional', async (t) => {
  const bare = { bucket: 'files', prefix: '', endpoint: null, region: null };
  t.strictSame(parseS3Url('s3://files'), bare);
  t.strictSame(parseS3Url('s3://files/'), bare);
  t.strictSame(parseS3Url('s3://files/?endpoint=&region='), bare);
  t.equal(parseS3Url('s3://files//a/b//').prefix, 'a/b/');
  t.equal(
    parseS3Url('s3://files?endpoint=http%3A%2F%2Flocalhost%3A1').endpoint,
    'http://localhost:1',
  );
});

test('a mistake is reported in one line that names the variable', async (t) => {
  const mistakes = [
    's3://',
    's3://UPPER_case',
    's3://files?endpoit=http://x',
    's3://files?endpoint=localhost:9000',
    's3://files?endpoint=ftp://x',
    's3://files/ü',
    's3://files/a%0Ab',
  ];
  for (const text of mistakes) t.throws(() => parseS3Url(text), /^STORAGE_URL: .*$/, text);
});
