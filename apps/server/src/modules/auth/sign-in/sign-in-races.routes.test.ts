import { describe, expect, it } from 'vitest'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { lastLinkTo } from '../../../../test/support/accounts/mails.ts'
import { isLongRun } from '../../../../test/process/product-process.ts'
import { MINUTE_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'

const login = (app: TestApp, username: string, password: string) =>
  app.http.inject({ method: 'POST', url: '/auth/login', payload: { username, password } })

const getMe = (app: TestApp, token: string) =>
  app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const countStatus = (answers: readonly { statusCode: number }[], status: number): number =>
  answers.filter(({ statusCode }) => statusCode === status).length

/** Follows a mailed link like a browser. Returns a function that exchanges the resulting code for a session. */
async function followLink(app: TestApp, name: string) {
  const email = `${name}@example.com`
  const verifier = 'v'.repeat(43)
  const post = (path: string, payload: Record<string, unknown>) =>
    app.http.inject({ method: 'POST', url: `/auth/v1/${path}`, payload })
  await post('recover', { email, code_challenge: verifier, code_challenge_method: 'plain' })
  const { url } = await lastLinkTo(app, email)
  const { location } = (await app.http.inject(url)).headers
  const code = new URL(String(location)).searchParams.get('code') ?? ''
  expect(code).not.toBe('')
  return () => post('token?grant_type=pkce', { auth_code: code, code_verifier: verifier })
}

describe('parallel sign-ins', () => {
  it('T22 a new password also ends the session of a sign-in with the old password that runs at the same time', async () => {
    const app = await buildTestApp()
    const ROUNDS = 6
    let password = OWNER_PASSWORD
    let [tried, survivors] = [0, 0]
    for (let round = 0; round < ROUNDS; round += 1) {
      const here = await app.signIn('owner', password)
      const next = `the words of round ${round}`
      const change = { current_password: password, new_password: next, confirm_password: next }
      const before = times(5, () => login(app, 'owner', password))
      const changed = app.http.inject({
        method: 'POST',
        url: '/api/auth/change-password',
        headers: { authorization: `Bearer ${here}` },
        payload: change,
      })
      const answers = [...(await before), ...(await times(5, () => login(app, 'owner', password)))]
      expect((await changed).statusCode).toBe(200)
      for (const answer of answers) {
        tried += 1
        if (answer.statusCode !== 200) continue
        const { access_token: token } = answer.json<{ access_token: string }>()
        if ((await getMe(app, token)).statusCode === 200) survivors += 1
      }
      password = next
      // Wait, so that the failures of one round do not count in the next.
      app.clock.advance(15 * MINUTE_MS + SECOND_MS)
    }
    console.info(`T22 sign-ins that survived a change of password ${survivors} of ${tried}`)
    expect(survivors).toBe(0)
  })

  it('only one of two parallel changes of the same password succeeds, and the session of the other change ends', async () => {
    const app = await buildTestApp()
    const tokens = [await app.signIn('owner', OWNER_PASSWORD), await app.signIn('owner', OWNER_PASSWORD)]
    const answers = await times(2, (index) => {
      const next = `chosen by number ${index}`
      return app.http.inject({
        method: 'POST',
        url: '/api/auth/change-password',
        headers: { authorization: `Bearer ${tokens[index]}` },
        payload: { current_password: OWNER_PASSWORD, new_password: next, confirm_password: next },
      })
    })
    expect([countStatus(answers, 200), countStatus(answers, 401)]).toEqual([1, 1])
    expect(await app.database.sql`select id from sessions`).toHaveLength(1)
  })

  it('T22 a link that was followed before a password change opens no session afterwards', async () => {
    const app = await buildTestApp()
    const name = await app.anAccount('staff')
    const exchange = await followLink(app, name)
    const changed = await app.http.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { authorization: `Bearer ${await app.signIn(name)}` },
      payload: { password: 'entirely new words', current_password: PASSWORD },
    })
    expect(changed.statusCode).toBe(200)
    expect((await exchange()).json()).toMatchObject({ error_code: 'flow_state_not_found' })
  })

  it('a link that was followed before a sign-out of other sessions opens no session afterwards', async () => {
    const app = await buildTestApp()
    const name = await app.anAccount('staff')
    const exchange = await followLink(app, name)
    const left = await app.http.inject({
      method: 'POST',
      url: '/auth/v1/logout?scope=others',
      headers: { authorization: `Bearer ${await app.signIn(name)}` },
    })
    expect(left.statusCode).toBe(204)
    expect((await exchange()).json()).toMatchObject({ error_code: 'flow_state_not_found' })
  })

  it('T22 parallel sign-ins with the old password end when the hosted protocol changes the password', async () => {
    const app = await buildTestApp()
    const here = await app.signIn('owner', OWNER_PASSWORD)
    const before = times(5, () => login(app, 'owner', OWNER_PASSWORD))
    const changed = app.http.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { authorization: `Bearer ${here}` },
      payload: { password: 'entirely new words', current_password: OWNER_PASSWORD },
    })
    const answers = [...(await before), ...(await times(5, () => login(app, 'owner', OWNER_PASSWORD)))]
    expect((await changed).statusCode).toBe(200)
    const tokens = answers
      .filter(({ statusCode }) => statusCode === 200)
      .map((answer) => answer.json<{ access_token: string }>().access_token)
    const alive = await Promise.all(tokens.map((token) => getMe(app, token)))
    expect(countStatus(alive, 200)).toBe(0)
  })
})

describe('the limit of failed sign-ins', () => {
  it('the limit of failed sign-ins never counts a successful sign-in, even if many run in parallel', async () => {
    const app = await buildTestApp()
    const answers = await times(40, () => login(app, 'owner', OWNER_PASSWORD))
    console.info(`successes in parallel refused ${40 - countStatus(answers, 200)} of 40`)
    expect(countStatus(answers, 200)).toBe(40)
    expect(await app.database.sql`select id from sign_in_failures`).toHaveLength(0)
  })

  it('at most 20 wrong passwords for an account are checked, even if right passwords are sent in between', async () => {
    const app = await buildTestApp()
    await times(19, (index) => login(app, 'owner', `guess ${index}`))
    const right = await times(30, () => login(app, 'owner', OWNER_PASSWORD))
    expect(countStatus(right, 200)).toBe(30)
    const wrong = await times(10, (index) => login(app, 'owner', `late guess ${index}`))
    expect([countStatus(wrong, 401), countStatus(wrong, 429)]).toEqual([1, 9])
    expect((await login(app, 'owner', OWNER_PASSWORD)).statusCode).toBe(429)
  })

  it('attempts that a dead process left unchecked stop counting towards the limit of failed sign-ins after 30 seconds', async () => {
    const app = await buildTestApp()
    await times(20, (index) => login(app, 'owner', `guess ${index}`))
    const until = addMs(app.clock.now(), 30 * SECOND_MS)
    await app.database.sql`update sign_in_failures set pending_until = ${until}`
    app.clock.advance(30 * SECOND_MS)
    expect((await login(app, 'owner', OWNER_PASSWORD)).statusCode).toBe(200)
  })

  it('a sign-in waits while another process checks attempts, and is refused with Retry-After after a long wait', async () => {
    const app = await buildTestApp()
    await times(20, (index) => login(app, 'owner', `guess ${index}`))
    const { sql } = app.database
    await sql`update sign_in_failures set pending_until = ${addMs(app.clock.now(), MINUTE_MS)}`
    const patient = login(app, 'owner', OWNER_PASSWORD)
    await sql`delete from sign_in_failures where id = (select min(id::text)::uuid from sign_in_failures)`
    expect((await patient).statusCode).toBe(200)
    await sql`
      insert into sign_in_failures (id, account_key, account_id, address, at, pending_until)
      select gen_random_uuid(), account_key, account_id, address, at, pending_until from sign_in_failures limit 1`
    const refused = await login(app, 'owner', OWNER_PASSWORD)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
  })
})

describe('T30 the limit of failed sign-ins', () => {
  /** Returns the responses that a stranger gets to sign-ins with these names and wrong passwords. */
  const seen = async (names: readonly string[]): Promise<string[]> => {
    const app = await buildTestApp()
    await app.anAccount('viewer')
    const answers: string[] = []
    for (const name of names) {
      const { statusCode, body, headers } = await login(app, name, 'a wrong guess')
      answers.push(JSON.stringify([statusCode, body, headers['retry-after']]))
    }
    return answers
  }
  const repeat = (...names: string[]): string[] => names.flatMap((name) => Array<string>(11).fill(name))

  it.each([
    [
      'spellings of one name',
      repeat('owner', 'ｏｗｎｅｒ', ' OWNER '),
      repeat('ghost', 'ｇｈｏｓｔ', ' GHOST '),
    ],
    [
      'a username and its email',
      repeat('owner', 'owner@pegasus.local'),
      repeat('ghost', 'ghost@pegasus.local'),
    ],
    [
      'email, username and email again',
      repeat('owner@pegasus.local', 'owner', 'ｏwner@pegasus.local'),
      repeat('ghost@pegasus.local', 'ghost', 'ｇhost@pegasus.local'),
    ],
    ['names of two accounts', repeat('owner', 'viewer-1'), repeat('ghost', 'viewer-9')],
  ])('failed sign-ins with %s do not reveal whether an account exists', async (_, known, unknown) => {
    const [ofKnown, ofUnknown] = [await seen(known), await seen(unknown)]
    const differences = ofKnown.filter((answer, index) => answer !== ofUnknown[index]).length
    console.info(`T30 limiter's differences ${differences} of ${known.length}`)
    expect(differences).toBe(0)
  })

  it('T32 at most 20 guesses at an account from one address are checked, even in parallel and with both its names', async () => {
    const app = await buildTestApp()
    const names = ['owner', 'owner@pegasus.local', ' OWNER', 'Ｏwner@pegasus.local']
    // The last passwords are right, but they come when the attempts are used up.
    await times(36, (index) => login(app, names[index % 4] ?? '', `guess ${index}`))
    const right = await times(4, (index) => login(app, names[index] ?? '', OWNER_PASSWORD))
    expect(countStatus(right, 200)).toBe(0)
    const [count] = await app.database.sql<[{ judged: number }]>`
      select count(*)::int as judged from sign_in_failures where account_id is not null`
    console.info(`T32 guesses judged ${count.judged} of 40, at most 20`)
    expect(count.judged).toBe(20)
    app.clock.advance(15 * MINUTE_MS + SECOND_MS)
    expect((await login(app, 'owner', OWNER_PASSWORD)).statusCode).toBe(200)
  })

  it('T32 varying headers, spellings, fields, protocols or addresses of an IPv6 network do not allow more guesses', async () => {
    const app = await buildTestApp()
    const GUESSES = isLongRun ? 1000 : 100
    const spellings = ['owner', 'OWNER', ' Owner ', 'ｏwner', 'owner@pegasus.local', 'OWNER@Pegasus.Local ']
    const guess = (index: number) => {
      const name = spellings[index % spellings.length] ?? ''
      const isHosted = index % 4 === 3
      const headers = {
        'x-forwarded-for': `192.0.2.${index % 250}`,
        'x-real-ip': `198.51.100.${index % 250}`,
        forwarded: `for=203.0.113.${index % 250}`,
        'user-agent': `guesser ${index}`,
      }
      const spare = { email: `${index}@example.com`, account: index, username: name }
      return app.http.inject({
        method: 'POST',
        url: isHosted ? '/auth/v1/token?grant_type=password' : '/auth/login',
        headers,
        remoteAddress: `2001:db8:0:7:${(index * 31).toString(16)}::${(index % 9999).toString(16)}`,
        payload: isHosted
          ? { email: 'owner@pegasus.local', password: `guess ${index}` }
          : { ...spare, password: `guess ${index}` },
      })
    }
    const answers: Awaited<ReturnType<typeof guess>>[] = []
    for (let done = 0; done < GUESSES; done += 50)
      answers.push(...(await times(50, (index) => guess(done + index))))
    const [count] = await app.database.sql<[{ judged: number }]>`
      select count(*)::int as judged from sign_in_failures where account_id is not null`
    const withoutTime = answers.filter(
      ({ statusCode, headers }) => statusCode === 429 && !headers['retry-after'],
    )
    console.info(`T32 guesses judged ${count.judged} of ${GUESSES} from one network, at most 20`)
    expect(count.judged).toBeLessThanOrEqual(20)
    expect([withoutTime.length, countStatus(answers, 200)]).toEqual([0, 0])
  })
})
