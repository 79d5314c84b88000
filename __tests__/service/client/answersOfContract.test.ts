import fc from 'fast-check';
import {
  decodeAcknowledgement,
  decodeAd,
  decodeConnect,
  decodeFirstGrant,
  decodePlayer,
  decodeSurfaces,
} from '../../../src/service/decode.js';
import { openApi } from '../server/ContractChecker.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number';
  readonly enum?: readonly string[];
  readonly format?: 'uri' | 'uuid';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const schemaOf = (name: string): Schema => openApi.components.schemas[name] as Schema;
/** What no bound of the document holds. */
const MOST_CHARACTERS = 5_000;

/** Whatever a schema of the document allows, its limits above all, and fields it does not name. */
function allowed(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return allowed(schemaOf(schema.$ref.replace('#/components/schemas/', '')));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type === 'array') return fc.array(allowed(schema.items!), { maxLength: 5 });
  if (schema.type === 'string') return textOf(schema);
  if (schema.type !== 'object') {
    const least = schema.exclusiveMinimum === undefined ? (schema.minimum ?? 0) : schema.exclusiveMinimum + 1;
    const most = schema.maximum ?? Number.MAX_SAFE_INTEGER;
    return fc.oneof(fc.constantFrom(least, most), fc.integer({ min: least, max: most }));
  }
  const { properties = {}, required = [] } = schema;
  const fields = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, allowed(field)])),
    { requiredKeys: [...required] },
  );
  const more = fc.dictionary(fc.constantFrom('constructor', 'toString', 'then', 'x-new', ''), fc.jsonValue());
  return fc.tuple(more, fields).map(([unknown, known]) => ({ ...unknown, ...known }));
}

function textOf({ format, pattern, minLength = 0, maxLength = MOST_CHARACTERS }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') {
    const start = 'https://cdn.example.com/';
    return fc.constantFrom(start, start + 'x'.repeat(maxLength - start.length), `${start}ä?q=%20#f`);
  }
  const fits = new RegExp(pattern ?? '', 'u');
  // Blanks alone are no id, as the document says in words.
  const units = ['x', 'é', '\u202e', '😀', '~', ' x', '\n', '\u0000', '\u0085', '"<'].filter((unit) => fits.test(unit));
  const unit = fc.constantFrom(...units.filter(({ length }) => length <= Math.max(1, maxLength)));
  const short = fc.array(unit, { minLength: Math.max(1, minLength), maxLength: 8 }).map((list) => list.join(''));
  const whole = unit.map((text) =>
    text
      .repeat(maxLength)
      .slice(0, maxLength)
      .replace(/\p{Surrogate}$/u, 'x'),
  );
  return fc.oneof(whole, short).filter((text) => text.length >= minLength && text.length <= maxLength);
}

const runs = { numRuns: process.env['DEEP'] ? 20_000 : 500, seed: 20_261_129 };
const everyAnswer = (name: string, isTaken: (answer: unknown) => void): void =>
  fc.assert(fc.property(allowed(schemaOf(name)), isTaken), runs);

describe('whatever the contract allows, the client takes', () => {
  it('surfaces: all of them', () => {
    everyAnswer('AdSurfaceList', (answer) => {
      const notes: string[] = [];
      decodeSurfaces(answer, (note) => notes.push(note));
      expect(notes.filter((note) => !note.includes('repeats'))).toEqual([]);
    });
  });

  it('an ad', () => everyAnswer('Ad', (answer) => expect(decodeAd(answer).adId).not.toBe('')));

  it('the start of a connect, and its addresses', () => {
    everyAnswer('StartedConnect', (answer) => {
      const note = jest.fn();
      decodeConnect(answer, note);
      expect(note).not.toHaveBeenCalled();
    });
  });

  it('tokens, but for those that are over when they arrive', () => {
    everyAnswer('TokenAnswer', (answer) => {
      const { token_type, expires_in } = answer as { token_type: 'Bearer' | 'DPoP'; expires_in: number };
      const given = { ...(answer as object), expires_in: Math.max(1, expires_in) };
      decodeFirstGrant(given, token_type === 'Bearer' ? 'bearer' : 'dpop');
    });
  });

  it('a player', () => everyAnswer('Player', (answer) => void decodePlayer(answer)));

  it('what became of events: each that was sent', () => {
    everyAnswer('Acknowledgement', (answer) => {
      const { accepted, duplicate, rejected } = answer as Record<string, unknown[]>;
      const sent = new Set([...accepted!, ...duplicate!, ...(rejected as { id: unknown }[]).map(({ id }) => id)]);
      const told = decodeAcknowledgement(answer, sent as Set<string>);
      expect(new Set(Object.values(told).flat())).toEqual(sent);
    });
  });
});
