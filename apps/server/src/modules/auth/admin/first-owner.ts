import { createHmac } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import { writeAudit } from '../../audit/index.ts'
import { insertUser } from '../../users/index.ts'
import { type AccountRow, insertAccount } from '../accounts/accounts.queries.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { accountEntity } from '../audit/account-audit.ts'

/** An alphabet without letters and digits that look alike, because people copy the password from a screen. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

export interface OwnerSettings {
  email: string
  username: string
  password: string | null
}

export interface OwnerSignIn {
  email: string
  username: string
  /** The generated password. Null after it has been shown. */
  password: string | null
}

export interface FirstOwner {
  /**
   * Creates the first owner's account if there is no account yet, and marks the first owner. Returns how the first
   * owner signs in.
   */
  ensure(settings: OwnerSettings): Promise<OwnerSignIn>
  /** Marks the generated password as shown, so that it is not shown again. */
  markPasswordShown(): Promise<void>
}

/**
 * Derives the first password from the root secret and the id of the account. If the first start crashes before it shows
 * the password, the next start can show the same one.
 */
function generatedPassword(secret: RootSecret, accountId: string): string {
  const bytes = createHmac('sha256', secret.deriveKey('owner-password')).update(accountId).digest()
  const letters = [...bytes.subarray(0, GROUPS * GROUP_LENGTH)].map(
    (byte) => ALPHABET[byte % ALPHABET.length],
  )
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}

/**
 * Returns the first owner, whose email address may have changed. Returns the oldest account if no account is marked as
 * the first owner.
 */
async function getFirstOwner(sql: Queryable): Promise<AccountRow> {
  const [owner] = await sql<[AccountRow]>`
    select * from accounts order by is_first_owner desc, created_at, id limit 1`
  return owner
}

/**
 * Marks the account of the first start as the first owner, whose role stays owner. If no account is marked yet, the
 * oldest active owner is that account, also in a database that is older than the mark.
 */
async function markFirstOwner(tx: Queryable): Promise<void> {
  await tx`
    update accounts set is_first_owner = true
    where id = (select id from people where role = 'owner' and is_active order by created_at, id limit 1)
      and not exists (select from accounts marked where marked.is_first_owner)`
}

export function createFirstOwner(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  hashing: PasswordHashing
}): FirstOwner {
  const { database, clock, secret, hashing } = deps

  return {
    async ensure(settings) {
      await database.transaction(async (tx) => {
        await tx`select pg_advisory_xact_lock(hashtextextended('first-owner', 0))`
        const [existing] = await tx`select id from accounts limit 1`
        if (existing) return markFirstOwner(tx)
        const id = uuidv7()
        const now = clock.now()
        await insertAccount(tx, {
          id,
          email: settings.email,
          username: settings.username,
          passwordHash: await hashing.hash(settings.password ?? generatedPassword(secret, id)),
          mustChangePassword: settings.password === null,
          emailConfirmedAt: now,
          isVouchedFor: true,
          approvedAt: now,
          userMetadata: null,
          now,
        })
        await insertUser(tx, { accountId: id, fullName: 'Owner', role: 'owner', systemAccess: true })
        await markFirstOwner(tx)
        const { email, username } = settings
        const event = { ...accountEntity({ id }), after: { email, username, role: 'owner' } }
        await writeAudit(tx, { action: 'account.created', ...event }, { actor: SYSTEM_ACTOR, now })
      })
      const owner = await getFirstOwner(database.sql)
      const isUnseen = owner.must_change_password && owner.generated_password_shown_at === null
      return {
        email: owner.email,
        username: owner.username,
        password: isUnseen ? generatedPassword(secret, owner.id) : null,
      }
    },

    async markPasswordShown() {
      const { id } = await getFirstOwner(database.sql)
      await database.sql`
        update accounts set generated_password_shown_at = ${clock.now()}
        where id = ${id} and must_change_password and generated_password_shown_at is null`
    },
  }
}
