import { type KeyObject, createPrivateKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Clock } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/database/database.ts'
import type { RootSecret } from '../../../../platform/root-secret.ts'
import { findSamlKey, insertSamlKey } from './own-key.queries.ts'

const PURPOSE = 'saml-key'
const KEY_BITS = 2048

/**
 * The key that signs our requests to providers, and the configured next key. Our metadata contains both, so that
 * providers know the next key in time.
 */
export interface OwnKeys {
  current: KeyObject
  next: KeyObject | null
}

/**
 * Returns a function that loads the keys on its first call. A configured key takes precedence. Otherwise the first
 * replica that needs a key generates it, and all replicas use this key.
 */
export function createOwnKeys(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  configured: { privateKey: KeyObject | null; nextPrivateKey: KeyObject | null }
}): () => Promise<OwnKeys> {
  const { database, clock, secret, configured } = deps
  let stored: KeyObject | null = null

  const find = async (): Promise<KeyObject | null> => {
    const sealed = await findSamlKey(database.sql)
    if (sealed === null) return null
    return createPrivateKey({ key: secret.open(PURPOSE, sealed), format: 'der', type: 'pkcs8' })
  }

  const create = async (): Promise<KeyObject> => {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS })
    const sealed = secret.seal(PURPOSE, privateKey.export({ format: 'der', type: 'pkcs8' }))
    // Does nothing if another replica has already stored a key.
    await insertSamlKey(database.sql, sealed, clock.now())
    const kept = await find()
    if (!kept) throw new Error('The database contains no SAML key.')
    return kept
  }

  return async () => {
    if (configured.privateKey === null) stored ??= (await find()) ?? (await create())
    const current = configured.privateKey ?? stored
    if (!current) throw new Error('There is no SAML key.')
    return { current, next: configured.nextPrivateKey }
  }
}
