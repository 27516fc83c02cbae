import { describe, expect, it } from 'vitest'
import { PASSWORD, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { OTHER_PHONE, PHONE, PHONES, TYPED, codeTo } from '../../../../test/support/accounts/phones.ts'
import { aServiceKey, adminClient } from '../../../../test/support/accounts/service-keys.ts'

async function anAdmin() {
  const app = await buildTestApp({ variables: PHONES })
  return { app, admin: await adminClient(app, (await aServiceKey(app)).key) }
}

describe('phone numbers in the admin API of the hosted auth protocol', () => {
  it('the admin API can create, list and change an account with a confirmed number, and the person can sign in at once', async () => {
    const { app, admin } = await anAdmin()
    const made = await admin.createUser({
      phone: TYPED,
      password: PASSWORD,
      phone_confirm: true,
      user_metadata: { full_name: 'Ada' },
    })
    expect(made.error).toBeNull()
    expect(made.data.user).toMatchObject({
      phone: PHONE,
      email: '',
      app_metadata: { provider: 'phone', providers: ['phone'] },
      user_metadata: { full_name: 'Ada' },
    })
    expect(made.data.user?.phone_confirmed_at).toBeTruthy()
    const id = made.data.user?.id ?? ''
    const client = await officialClient(app)
    expect((await client.signInWithPassword({ phone: PHONE, password: PASSWORD })).error).toBeNull()
    const { data: page } = await admin.listUsers()
    expect(page.users.find((user) => user.id === id)?.phone).toBe(PHONE)

    const moved = await admin.updateUserById(id, { phone: `+${OTHER_PHONE}` })
    expect(moved.data.user?.phone).toBe(OTHER_PHONE)
    expect((await client.signInWithPassword({ phone: PHONE, password: PASSWORD })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await client.signInWithPassword({ phone: OTHER_PHONE, password: PASSWORD })).error).toBeNull()
    // A link to an added email address opens the same account as the phone number.
    const mailed = await admin.updateUserById(id, { email: 'ada@example.com', email_confirm: true })
    expect(mailed.data.user).toMatchObject({ email: 'ada@example.com', phone: OTHER_PHONE })
    expect(mailed.data.user?.app_metadata['providers']).toEqual(['phone', 'email'])
    const link = await admin.generateLink({ type: 'magiclink', email: 'ada@example.com' })
    expect(link.data.user?.phone).toBe(OTHER_PHONE)
    const changes = (await entriesOf(app)).filter(({ action }) => action === 'phone.changed')
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      [{ phone: PHONE }, { phone: OTHER_PHONE }],
    ])
    expect((await admin.deleteUser(id)).error).toBeNull()
    const reused = await admin.createUser({ phone: OTHER_PHONE })
    expect(reused.error).toBeNull()
  })

  it('the code sent to a phone number or a secret key confirms the number, unless another account has it', async () => {
    const { app, admin } = await anAdmin()
    const made = await admin.createUser({ phone: PHONE, email: 'ada@example.com', password: PASSWORD })
    expect(made.data.user).toMatchObject({ phone: PHONE, email: 'ada@example.com' })
    expect(made.data.user?.phone_confirmed_at).toBeUndefined()
    const client = await officialClient(app)
    const early = await client.signInWithPassword({ phone: PHONE, password: PASSWORD })
    expect(early.error?.code).toBe('phone_not_confirmed')
    await admin.updateUserById(made.data.user?.id ?? '', { phone_confirm: true })
    expect((await client.signInWithPassword({ phone: PHONE, password: PASSWORD })).error).toBeNull()
    // The email address is still unconfirmed, so the sign-in is refused.
    const byMail = await client.signInWithPassword({ email: 'ada@example.com', password: PASSWORD })
    expect(byMail.error?.code).toBe('email_not_confirmed')

    const taken = await admin.createUser({ phone: TYPED })
    expect([taken.error?.status, taken.error?.code]).toEqual([422, 'phone_exists'])
    const other = await admin.createUser({ phone: OTHER_PHONE })
    const clash = await admin.updateUserById(other.data.user?.id ?? '', { phone: PHONE })
    expect(clash.error?.code).toBe('phone_exists')
    await client.signInWithOtp({ phone: OTHER_PHONE })
    const { data, error } = await client.verifyOtp({
      phone: OTHER_PHONE,
      token: await codeTo(app, OTHER_PHONE),
      type: 'sms',
    })
    expect([error, data.user?.phone]).toEqual([null, OTHER_PHONE])
  })
})
