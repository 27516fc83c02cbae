import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'

const PURPOSE = 'push-key'

interface SealedPair {
  public_key: string
  private_key_sealed: string
}

/** The key pair that identifies this installation to push services (VAPID), in base64url. */
export interface PushKeys {
  /** Returns the public key. The first replica that needs the key pair generates it, and all replicas use this pair. */
  publicKey(): Promise<string>
  /** Returns both keys. Throws SealError if the pair was encrypted with another root secret. */
  pair(): Promise<{ publicKey: string; privateKey: string }>
}

const find = async (sql: Queryable): Promise<SealedPair | undefined> =>
  (await sql<SealedPair[]>`select public_key, private_key_sealed from push_keys`)[0]

export function createPushKeys({
  database: { sql },
  clock,
  secret,
}: {
  database: Database
  clock: Clock
  secret: RootSecret
}): PushKeys {
  let known: SealedPair | undefined

  const create = async (): Promise<SealedPair> => {
    const { default: webPush } = await import('web-push')
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    // Does nothing if another replica has already stored a pair.
    await sql`
      insert into push_keys (public_key, private_key_sealed, created_at)
      values (${publicKey}, ${secret.seal(PURPOSE, privateKey)}, ${clock.now()}) on conflict (is_only) do nothing`
    const stored = await find(sql)
    if (!stored) throw new Error('The database contains no key for push services.')
    return stored
  }

  const load = async (): Promise<SealedPair> => (known ??= (await find(sql)) ?? (await create()))

  return {
    publicKey: async () => (await load()).public_key,
    async pair() {
      const { public_key: publicKey, private_key_sealed: sealed } = await load()
      return { publicKey, privateKey: secret.open(PURPOSE, sealed).toString('utf8') }
    },
  }
}
