import { type CryptoKey, type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import { StartupError } from '../../../platform/startup-error.ts'

const ALGORITHM = 'ES256'
const PURPOSE = 'signing-keys'
/**
 * Another replica may have just created the key that a token names. The keys are loaded again, but not for every
 * forged token.
 */
const RELOAD_AFTER_MS = 10_000

interface SigningKeyRow extends Row<'signing_keys', 'kid' | 'private_jwk_sealed' | 'retired_at'> {
  public_jwk: JWK
}

export interface SigningKeys {
  /** The one key that signs. */
  active(): { kid: string; privateKey: CryptoKey }
  /** The public key with that id, also a retired one; null if unknown. */
  findPublicKey(kid: string): Promise<CryptoKey | null>
  /** Public keys with which others verify tokens. */
  publicJwks(): {
    kty: string
    kid: string
    alg: string
    use: 'sig'
    key_ops: string[]
    crv: string
    x: string
    y: string
  }[]
}

async function createKeyIfNone(tx: Queryable, secret: RootSecret): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('signing-keys', 0))`
  const [existing] = await tx`select kid from signing_keys where retired_at is null`
  if (existing) return
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const sealed = secret.seal(PURPOSE, JSON.stringify(await exportJWK(pair.privateKey)))
  await tx`
    insert into signing_keys (kid, algorithm, public_jwk, private_jwk_sealed)
    values (${kid}, ${ALGORITHM}, ${tx.json(publicJwk)}, ${sealed})`
}

function openPrivateJwk(secret: RootSecret, row: SigningKeyRow): JWK {
  try {
    return JSON.parse(secret.open(PURPOSE, row.private_jwk_sealed).toString('utf8')) as JWK
  } catch (cause) {
    throw new StartupError(
      'The root secret does not fit this database; ROOT_SECRET (or DATA_DIR/secrets) should hold the one it was set up with.',
      { cause },
    )
  }
}

const importKey = async (jwk: JWK): Promise<CryptoKey> => (await importJWK(jwk, ALGORITHM)) as CryptoKey

/** Loads the keys and creates the first one. Throws StartupError if the root secret cannot decrypt them. */
export async function loadSigningKeys(database: Database, secret: RootSecret): Promise<SigningKeys> {
  await database.transaction((tx) => createKeyIfNone(tx, secret))

  let rows: SigningKeyRow[] = []
  let publicKeys = new Map<string, CryptoKey>()
  let loadedAt = 0
  const load = async (): Promise<void> => {
    loadedAt = performance.now()
    rows = await database.sql<SigningKeyRow[]>`select * from signing_keys order by created_at desc`
    publicKeys = new Map(
      await Promise.all(rows.map(async (row) => [row.kid, await importKey(row.public_jwk)] as const)),
    )
  }
  await load()
  const row = rows.find((candidate) => candidate.retired_at === null)
  if (!row) throw new StartupError('The database holds no active signing key.')
  const active = { kid: row.kid, privateKey: await importKey(openPrivateJwk(secret, row)) }

  return {
    active: () => active,
    async findPublicKey(kid) {
      if (!publicKeys.has(kid) && performance.now() - loadedAt > RELOAD_AFTER_MS) await load()
      return publicKeys.get(kid) ?? null
    },
    publicJwks: () =>
      rows.map(({ kid, public_jwk: { kty = '', crv = '', x = '', y = '' } }) => ({
        kty,
        kid,
        alg: ALGORITHM,
        use: 'sig' as const,
        key_ops: ['verify'],
        crv,
        x,
        y,
      })),
  }
}
