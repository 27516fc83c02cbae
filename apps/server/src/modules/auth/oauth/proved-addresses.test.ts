import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../../test/support/database/test-database.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { HOUR_MS, addMs } from '../../../platform/clock.ts'
import { migrate } from '../../../platform/database/migrate.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../../migrations', import.meta.url))
const FILE = '0075-oauth.sql'
const MADE_AT = new Date('2026-01-05T08:00:00Z')
const LATER = addMs(MADE_AT, HOUR_MS)
const LATEST = addMs(LATER, HOUR_MS)

interface Entry {
  action: string
  at: Date
  after?: object
}

interface Case {
  confirmedAt: Date | null
  approvedAt: Date | null
  entries: Entry[]
}

const SIGNED_UP: Entry = { action: 'account.signed_up', at: MADE_AT }
const CREATED: Entry = { action: 'account.created', at: MADE_AT }
const CHANGED: Entry = { action: 'email.changed', at: LATER }
const approvedAt = (at: Date): Entry => ({ action: 'account.approved', at })
const askedFor = (name: string, at = MADE_AT): Entry => ({
  action: 'profile.updated',
  at,
  after: { new_email: `${name}@Example.com` },
})

const CASES: Record<string, Case & { isProved: boolean }> = {
  created: { confirmedAt: MADE_AT, approvedAt: MADE_AT, entries: [CREATED], isProved: true },
  invited: { confirmedAt: LATER, approvedAt: MADE_AT, entries: [CREATED], isProved: true },
  'invited-and-waiting': { confirmedAt: null, approvedAt: MADE_AT, entries: [CREATED], isProved: false },
  'signed-up-openly': { confirmedAt: MADE_AT, approvedAt: MADE_AT, entries: [SIGNED_UP], isProved: false },
  'confirmed-by-mail': { confirmedAt: LATER, approvedAt: null, entries: [SIGNED_UP], isProved: true },
  'confirmed-and-approved': {
    confirmedAt: LATER,
    approvedAt: LATEST,
    entries: [SIGNED_UP, approvedAt(LATEST)],
    isProved: true,
  },
  'approved-unseen': { confirmedAt: LATER, approvedAt: LATER, entries: [SIGNED_UP], isProved: false },
  'approved-unseen-twice': {
    confirmedAt: LATER,
    approvedAt: LATEST,
    entries: [SIGNED_UP, approvedAt(LATER), approvedAt(LATEST)],
    isProved: false,
  },
  'changed-unseen': {
    confirmedAt: LATER,
    approvedAt: MADE_AT,
    entries: [CREATED, askedFor('another'), CHANGED],
    isProved: false,
  },
  'changed-by-mail': {
    confirmedAt: LATER,
    approvedAt: MADE_AT,
    entries: [CREATED, askedFor('changed-by-mail'), CHANGED],
    isProved: true,
  },
  'asked-for-afterwards': {
    confirmedAt: LATER,
    approvedAt: MADE_AT,
    entries: [CREATED, CHANGED, askedFor('asked-for-afterwards', LATEST)],
    isProved: false,
  },
  'of-unknown-origin': { confirmedAt: LATER, approvedAt: MADE_AT, entries: [], isProved: false },
}

describe('addresses of accounts that existed before sign-in through providers', () => {
  it('the migration that adds verified addresses marks an address as verified only if somebody has verified it', async () => {
    const { database, drop } = await createTestDatabase({ isEmpty: true })
    onTestFinished(drop)
    const { sql } = database
    const bring = (isWanted: (name: string) => boolean) =>
      migrate({ database, folder: MIGRATIONS, log: silentLog, isWanted })
    await bring((name) => name < FILE)
    for (const [name, { confirmedAt, approvedAt: approved, entries }] of Object.entries(CASES)) {
      const id = crypto.randomUUID()
      await sql`
        insert into accounts (id, email, username, email_confirmed_at, approved_at, created_at)
        values (${id}, ${`${name}@example.com`}, ${name}, ${confirmedAt}, ${approved}, ${MADE_AT})`
      for (const { action, at, after = {} } of entries)
        await sql`
          insert into audit_entries (id, at, actor_kind, actor_name, action, entity, entity_id, after)
          values (${crypto.randomUUID()}, ${at}, 'system', 'x', ${action}, 'account', ${id}, ${sql.json(after)})`
    }
    await bring((name) => name === FILE)
    const rows = await sql<{ username: string; proved: boolean }[]>`
      select username, email_proved_at is not null as proved from accounts
      where email_proved_at is null or email_proved_at = email_confirmed_at`
    const expected = Object.entries(CASES).map(([name, { isProved }]) => [name, isProved])
    expect(Object.fromEntries(rows.map(({ username, proved }) => [username, proved]))).toEqual(
      Object.fromEntries(expected),
    )
  }, 60_000)
})
