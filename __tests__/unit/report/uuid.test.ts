import { uuidOf } from '../../../src/report/uuid.js';

describe('a UUID', () => {
  it.each([
    [0x00, '00000000-0000-4000-8000-000000000000'],
    [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  ])('made of bytes 0x%s has the version and variant of random ones', (byte, uuid) => {
    const bytes = new Uint8Array(16).fill(byte);
    expect(uuidOf(bytes)).toBe(uuid);
    expect(bytes[6]).toBe(byte);
  });

  it('keeps every other bit of its bytes, in order', () => {
    expect(uuidOf(Uint8Array.from({ length: 16 }, (_, i) => i * 16 + i))).toBe('00112233-4455-4677-8899-aabbccddeeff');
  });
});
