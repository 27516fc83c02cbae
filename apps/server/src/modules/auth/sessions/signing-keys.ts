import { type CryptoKey, type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import { type Clock, MINUTE_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import { StartupError } from '../../../platform/startup-error.ts'
import { ACCESS_TOKEN_MS } from './session-life.ts'
import {
  type SigningKeyRow,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
} from './signing-keys.queries.ts'

const ALGORITHM = 'ES256'
const PURPOSE = 'signing-keys'
/** How long verifiers may cache the key set. A new key is published at least this long before it signs. */
export const KEY_SET_MAX_AGE_SECONDS = 600
export const PUBLISHED_BEFORE_MS = KEY_SET_MAX_AGE_SECONDS * SECOND_MS
/**
 * How long a key stays in the set after it has stopped signing: until its last token has expired, and a minute longer
 * because clocks differ.
 */
export const KEPT_AFTER_MS = ACCESS_TOKEN_MS + MINUTE_MS
/**
 * The age at which a server loads the keys again. A new key is published ten minutes before it signs, so every replica
 * has loaded it by then.
 */
const RELOAD_AFTER_MS = MINUTE_MS
/**
 * The minimum time between two loads of the keys for tokens with unknown keys. Another replica may have just created
 * such a key.
 */
const RELOAD_UNKNOWN_AFTER_MS = 10 * SECOND_MS

/** A public key of the key set, in the format JWK. */
export interface PublicJwk {
  kty: string
  kid: string
  alg: string
  use: 'sig'
  key_ops: string[]
  crv: string
  x: string
  y: string
}

export interface SigningKeys {
  /** Returns the key that signs now, which is the same on every replica. */
  active(): Promise<{ kid: string; privateKey: CryptoKey }>
  /**
   * Returns the public key with this id, even if the key no longer signs. Returns null if the id is unknown or the key
   * has left the set.
   */
  findPublicKey(kid: string): Promise<CryptoKey | null>
  /**
   * Returns the public keys with which other programs verify tokens: the key that signs, the next key, and the keys of
   * tokens that may still be valid.
   */
  publicJwks(): Promise<PublicJwk[]>
}

/** Adds a new key that signs from `signsFrom` on. Returns its id. Call this under `lockSigningKeys`. */
export async function addSigningKey(
  tx: Queryable,
  secret: RootSecret,
  { signsFrom, now }: { signsFrom: Date; now: Date },
): Promise<string> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const sealed = secret.seal(PURPOSE, JSON.stringify(await exportJWK(pair.privateKey)))
  await insertSigningKey(tx, { kid, algorithm: ALGORITHM, publicJwk, sealed, signsFrom, now })
  return kid
}

async function createKeyIfNone(tx: Queryable, secret: RootSecret, now: Date): Promise<void> {
  await lockSigningKeys(tx)
  if ((await listSigningKeys(tx)).length === 0) await addSigningKey(tx, secret, { signsFrom: now, now })
}

function openPrivateJwk(secret: RootSecret, row: SigningKeyRow): JWK {
  try {
    return JSON.parse(secret.open(PURPOSE, row.private_jwk_sealed).toString('utf8')) as JWK
  } catch (cause) {
    throw new StartupError(
      'The root secret does not belong to this database. Set ROOT_SECRET (or DATA_DIR/secrets) to the secret that the database was created with.',
      { cause },
    )
  }
}

const importKey = async (jwk: JWK): Promise<CryptoKey> => (await importJWK(jwk, ALGORITHM)) as CryptoKey

/** Returns whether tokens that were signed with this key can still be valid. */
export const isInSet = ({ signs_until: until }: Pick<SigningKeyRow, 'signs_until'>, now: Date): boolean =>
  until === null || addMs(new Date(until), KEPT_AFTER_MS) > now

/**
 * Returns the newest key whose time to sign has begun. If there is none because the clock was set back, returns the
 * oldest key.
 */
export const activeOf = <T extends Pick<SigningKeyRow, 'signs_from'>>(
  newestFirst: readonly T[],
  now: Date,
): T | undefined => newestFirst.find((row) => new Date(row.signs_from) <= now) ?? newestFirst.at(-1)

interface LoadedKey {
  row: SigningKeyRow
  publicKey: CryptoKey
  privateKey: CryptoKey
}

/**
 * Loads the keys, and creates the first key if there is none. Throws StartupError if the root secret cannot
 * decrypt them.
 */
export async function loadSigningKeys(
  database: Database,
  secret: RootSecret,
  clock: Clock,
): Promise<SigningKeys> {
  await database.transaction((tx) => createKeyIfNone(tx, secret, clock.now()))

  let keys: LoadedKey[] = []
  let loadedAt = 0
  const load = async (): Promise<void> => {
    loadedAt = clock.now().getTime()
    const rows = await listSigningKeys(database.sql)
    keys = await Promise.all(
      rows.map(async (row) => ({
        row,
        publicKey: await importKey(row.public_jwk),
        privateKey: await importKey(openPrivateJwk(secret, row)),
      })),
    )
  }
  /** Loads the keys again if they are older than `maxAgeMs`, or if the clock was set back by as much. */
  const refresh = async (maxAgeMs: number): Promise<void> => {
    if (Math.abs(clock.now().getTime() - loadedAt) >= maxAgeMs) await load()
  }
  await load()

  return {
    async active() {
      await refresh(RELOAD_AFTER_MS)
      const now = clock.now()
      const key = keys.find(
        ({ row }) =>
          row ===
          activeOf(
            keys.map((each) => each.row),
            now,
          ),
      )
      if (!key) throw new Error('The database holds no signing key.')
      return { kid: key.row.kid, privateKey: key.privateKey }
    },

    async findPublicKey(kid) {
      const find = () => keys.find(({ row }) => row.kid === kid && isInSet(row, clock.now()))
      if (!find()) await refresh(RELOAD_UNKNOWN_AFTER_MS)
      return find()?.publicKey ?? null
    },

    async publicJwks() {
      await refresh(RELOAD_AFTER_MS)
      const now = clock.now()
      return keys
        .filter(({ row }) => isInSet(row, now))
        .map(
          ({
            row: {
              kid,
              public_jwk: { kty = '', crv = '', x = '', y = '' },
            },
          }) => ({
            kty,
            kid,
            alg: ALGORITHM,
            use: 'sig' as const,
            key_ops: ['verify'],
            crv,
            x,
            y,
          }),
        )
    },
  }
}
