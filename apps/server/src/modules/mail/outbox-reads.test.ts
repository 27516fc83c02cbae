import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../test/support/audit-entries.ts'
import { OWNER_PASSWORD, buildTestApp } from '../../../test/support/build-test-app.ts'

describe('reading the outbox', () => {
  it('reading the outbox is audited once for each email and reader, even if the page reloads the list', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    const recover = async () => {
      const email = `${await app.anAccount('viewer')}@example.com`
      await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })
      return email
    }
    const reads = async () => (await entriesOf(app)).filter(({ action }) => action === 'outbox.read')
    const read = (headers: Record<string, string>) => app.http.inject({ url: '/api/outbox-mails', headers })
    await read(admin)
    expect(await reads()).toEqual([])
    const first = await recover()
    for (let i = 0; i < 3; i += 1) await read(admin)
    expect((await reads()).map(({ after }) => after)).toMatchObject([{ mails: [{ to: first }] }])
    const second = await recover()
    await Promise.all([read(admin), read(admin)])
    expect((await reads()).at(-1)?.after).toMatchObject({ mails: [{ to: second }] })
    expect(await reads()).toHaveLength(2)
    await read({ authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}` })
    expect((await reads()).at(-1)?.after).toMatchObject({ mails: [{ to: second }, { to: first }] })
  })
})
