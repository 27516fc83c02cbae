import type { SigningKey } from '@pegasus/contracts/auth/signing-keys'
import { type AuditContext, SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import { writeAudit } from '../../audit/index.ts'
import { KEPT_AFTER_MS, PUBLISHED_BEFORE_MS, activeOf, addSigningKey, isInSet } from './signing-keys.ts'
import {
  type SigningKeyRow,
  deleteSigningKeys,
  listSigningKeys,
  lockSigningKeys,
} from './signing-keys.queries.ts'

/** Rotates the key that signs access tokens. */
export interface KeyRotation {
  /** Returns the signing keys that tokens in use may need, newest first. */
  list(): Promise<SigningKey[]>
  /**
   * Publishes a new key, which signs from ten minutes later on. Tokens of the old key stay valid until they expire.
   * Throws SIGNING_KEY_WAITING if another new key does not sign yet.
   */
  rotate(audit: AuditContext): Promise<SigningKey[]>
  /** Rotates the key if it has reached the configured age. Deletes keys that are no longer needed. */
  tidy(): Promise<void>
}

function present(rows: readonly SigningKeyRow[], now: Date): SigningKey[] {
  const active = activeOf(rows, now)
  return rows
    .filter((row) => isInSet(row, now))
    .map((row) => ({
      kid: row.kid,
      state: row === active ? 'signs' : new Date(row.signs_from) > now ? 'waits' : 'verifies',
      signs_from: row.signs_from,
      signs_until: row.signs_until,
      retires_at: row.signs_until && addMs(new Date(row.signs_until), KEPT_AFTER_MS).toISOString(),
    }))
}

export function createKeyRotation(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  /** The age in days at which the key is replaced. If null, it is replaced only on request. */
  rotationDays: number | null
}): KeyRotation {
  const { database, clock, secret, rotationDays } = deps

  /** Rotates the key if `mayRotate` allows it for the latest key. Returns whether the key was rotated. */
  const rotateIf = (
    audit: AuditContext,
    mayRotate: (last: SigningKeyRow | undefined) => boolean,
  ): Promise<boolean> =>
    database.transaction(async (tx) => {
      await lockSigningKeys(tx)
      const [last] = await listSigningKeys(tx)
      if (!mayRotate(last)) return false
      const signsFrom = addMs(audit.now, PUBLISHED_BEFORE_MS)
      const kid = await addSigningKey(tx, secret, { signsFrom, now: audit.now })
      const after = { kid, signs_from: signsFrom.toISOString() }
      const subject = { entity: 'signing_key', entityId: kid, entityName: kid.slice(0, 8) } as const
      await writeAudit(tx, { action: 'signing_key.rotated', ...subject, after }, audit)
      return true
    })

  const list = async () => present(await listSigningKeys(database.sql), clock.now())

  return {
    list,

    async rotate(audit) {
      const rotated = await rotateIf(audit, (last) => !last || new Date(last.signs_from) <= audit.now)
      if (!rotated) throw new AppError('SIGNING_KEY_WAITING')
      return list()
    },

    async tidy() {
      const now = clock.now()
      if (rotationDays !== null)
        await rotateIf(
          { actor: SYSTEM_ACTOR, now },
          (last) => last !== undefined && addMs(new Date(last.signs_from), rotationDays * DAY_MS) <= now,
        )
      await deleteSigningKeys(database.sql, addMs(now, -KEPT_AFTER_MS))
    },
  }
}
