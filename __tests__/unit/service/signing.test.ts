import { createHash, createHmac } from 'node:crypto';

import { contentDigest, createSigner } from '../../../src/service/signing.js';

describe('request signatures', () => {
  const sign = createSigner('key-1', 'sécret');
  const nonce = '0123456789abcdef0123456789abcdef';

  it('are HMAC-SHA-256 over the RFC 9421 signature base, as another implementation computes it', () => {
    const body = '{"a":"ü"}';
    const authorization = 'Bearer abc';
    const headers = sign(
      { method: 'POST', path: '/api/v1/x', query: 'a=1', body, authorization },
      1_700_000_000,
      nonce,
    );
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const parameters = `("@method" "@path" "@query" "content-digest" "authorization");created=1700000000;nonce="${nonce}";keyid="key-1";alg="hmac-sha256"`;
    const base = [
      '"@method": POST',
      '"@path": /api/v1/x',
      '"@query": ?a=1',
      `"content-digest": ${digest}`,
      '"authorization": Bearer abc',
      `"@signature-params": ${parameters}`,
    ].join('\n');
    expect(headers).toEqual({
      'Content-Digest': digest,
      'Signature-Input': `sig1=${parameters}`,
      Signature: `sig1=:${createHmac('sha256', 'sécret').update(base).digest('base64')}:`,
    });
  });

  it('cover no digest and no authorization where the request has none', () => {
    const headers = sign({ method: 'GET', path: '/', query: '' }, 1, nonce);
    expect(headers['Signature-Input']).toContain('sig1=("@method" "@path" "@query");created=1;');
    expect(Object.keys(headers)).toEqual(['Signature-Input', 'Signature']);
  });

  it('differ with everything they cover', () => {
    const request = { method: 'GET', path: '/a', query: '' };
    const signatures = [
      sign(request, 1, nonce),
      sign({ ...request, method: 'POST' }, 1, nonce),
      sign({ ...request, path: '/b' }, 1, nonce),
      sign({ ...request, query: 'a' }, 1, nonce),
      sign({ ...request, body: '' }, 1, nonce),
      sign({ ...request, authorization: '' }, 1, nonce),
      sign(request, 2, nonce),
      sign(request, 1, nonce.replace('0', 'f')),
      createSigner('key-1', 'other')(request, 1, nonce),
      createSigner('key-2', 'sécret')(request, 1, nonce),
    ].map((headers) => headers['Signature']);
    expect(new Set(signatures).size).toBe(signatures.length);
  });

  it('digest a body as the example of RFC 9530 does', () => {
    expect(contentDigest('{"hello": "world"}\n')).toBe('sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:');
  });
});
