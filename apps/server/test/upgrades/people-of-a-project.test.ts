import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { silentLog } from '../support/silent-log.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const MIGRATION = '0170-people-of-a-project.sql'
const ACCOUNTS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']

it('if people of a hosted project share an account, an upgrade leaves it to the first of them and separates the others', {
  timeout: 120_000,
}, async () => {
  const { database, drop } = await createTestDatabase({ isEmpty: true })
  onTestFinished(drop)
  const { sql } = database
  const upgrade = (isWanted: (name: string) => boolean) =>
    migrate({ database, folder: MIGRATIONS, log: silentLog, isWanted })
  await upgrade((name) => name < MIGRATION)
  for (const [index, id] of ACCOUNTS.entries())
    await sql`
      insert into accounts (id, email, username, created_at)
      values (${id}, ${`person-${index}@example.com`}, ${`person-${index}`}, now())`
  const link = (account: string | undefined, provider: string, subject: string, day: number) => sql`
    insert into identities (id, account_id, provider, provider_subject, created_at)
    values (gen_random_uuid(), ${account ?? null}, ${provider}, ${subject}, make_date(2026, 1, ${day}))`
  const [shared, own] = ACCOUNTS
  await link(shared, 'hosted-project', 'third', 3)
  await link(shared, 'hosted-project', 'first', 1)
  await link(shared, 'hosted-project', 'second', 2)
  await link(shared, 'google', 'another provider', 4)
  await link(own, 'hosted-project', 'alone', 5)
  // Simulate an earlier attempt that failed. It leaves an invalid index.
  const index = sql`
    create unique index concurrently identities_hosted_project on identities (account_id)
    where provider = 'hosted-project'`
  await expect(index).rejects.toMatchObject({ code: '23505' })

  expect(await upgrade((name) => name <= MIGRATION)).toEqual([MIGRATION])
  const kept = await sql<{ provider_subject: string }[]>`
    select provider_subject from identities order by created_at`
  expect(kept.map(({ provider_subject: subject }) => subject)).toEqual(['first', 'another provider', 'alone'])
  await expect(link(own, 'hosted-project', 'late', 6)).rejects.toMatchObject({ code: '23505' })
})
