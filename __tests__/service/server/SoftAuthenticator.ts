import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What can be wrong with an authenticator's answer. */
export interface Oddity {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly counter?: number;
  /** 1: somebody was there; 4: and was recognised. */
  readonly flags?: number;
  readonly userHandle?: string;
  readonly id?: string;
  /** Signs with another key than the passkey's. */
  readonly isForged?: boolean;
}

const PRESENT_AND_RECOGNISED = 0x05;
const WITH_CREDENTIAL = 0x40;

/** One passkey and the browser around it, written after the standard (WebAuthn Level 3), independently of the service. */
export class SoftAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  counter = 0;
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle = '';

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The answer to creation options, as JSON. */
  create(
    { challenge, user }: { readonly challenge: string; readonly user: { readonly id: string } },
    odd: Oddity = {},
  ) {
    this.#userHandle = user.id;
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    const id = Buffer.from(this.id, 'base64url');
    // COSE's map of an ES256 key: kty EC2, alg -7, crv P-256, x, y.
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, key]);
    const data = this.#data({ flags: PRESENT_AND_RECOGNISED, ...odd }, credential);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      Buffer.from([0x59, data.length >> 8, data.length & 255]),
      data,
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge, odd).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    });
  }

  /** The answer to request options, as JSON. */
  get({ challenge }: { readonly challenge: string }, odd: Oddity = {}): string {
    const clientData = this.#clientData('webauthn.get', challenge, odd);
    const data = this.#data(odd);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    const key = odd.isForged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : this.#key;
    return this.#answer(
      {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, key.privateKey).toString('base64url'),
        userHandle: odd.userHandle ?? this.#userHandle,
      },
      odd.id,
    );
  }

  #answer(response: Record<string, string>, id = this.id): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }

  #clientData(type: string, challenge: string, odd: Oddity): Buffer {
    const origin = odd.origin ?? this.#origin;
    return Buffer.from(JSON.stringify({ type: odd.type ?? type, challenge, origin, crossOrigin: false }));
  }

  #data(odd: Oddity, credential = Buffer.alloc(0)): Buffer {
    const rpId = odd.rpId ?? new URL(this.#origin).hostname;
    const flags = (odd.flags ?? PRESENT_AND_RECOGNISED) | (credential.length > 0 ? WITH_CREDENTIAL : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(odd.counter ?? this.counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter, credential]);
  }
}

/** Of less than 24 bytes. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}
