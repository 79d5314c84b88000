import { type IDBPDatabase, openDB } from 'idb';

/** Keeps key pairs for later pages of this origin, as they are: whoever reads the storage can use them here, not copy them. */
export interface KeyStore {
  /** Null when none is kept. */
  get(name: string): Promise<CryptoKeyPair | null>;
  /** Keeps a pair unless there is one; resolves to the one that is kept. */
  keep(name: string, pair: CryptoKeyPair): Promise<CryptoKeyPair>;
}

const DATABASE = 'phaser-inview-keys';
const TABLE = 'keys';

/** In IndexedDB, which stores keys that cannot be exported. */
export class IndexedDbKeyStore implements KeyStore {
  get(name: string): Promise<CryptoKeyPair | null> {
    return withKeys(async (database) => readPair(await database.get(TABLE, name)));
  }

  keep(name: string, pair: CryptoKeyPair): Promise<CryptoKeyPair> {
    return withKeys(async (database) => {
      // Two tabs may begin at the same time: the first one's key is everybody's.
      const transaction = database.transaction(TABLE, 'readwrite');
      const kept = readPair(await transaction.store.get(name));
      if (kept === null) await transaction.store.put(pair, name);
      await transaction.done;
      return kept ?? pair;
    });
  }
}

async function withKeys<T>(work: (database: IDBPDatabase) => Promise<T>): Promise<T> {
  const database = await openDB(DATABASE, 1, { upgrade: (created) => void created.createObjectStore(TABLE) });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/** The whole origin shares this storage: null for anything that is not a pair as `DpopProver` makes it. */
function readPair(value: unknown): CryptoKeyPair | null {
  const { privateKey, publicKey } = (value ?? {}) as Partial<CryptoKeyPair>;
  if (!(privateKey instanceof CryptoKey && publicKey instanceof CryptoKey)) return null;
  const areOfCurve = [privateKey, publicKey].every(
    ({ algorithm }) => (algorithm as Partial<EcKeyAlgorithm>).namedCurve === 'P-256',
  );
  const canSign = !privateKey.extractable && privateKey.usages.includes('sign');
  return areOfCurve && canSign && publicKey.extractable ? { privateKey, publicKey } : null;
}
