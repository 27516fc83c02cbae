import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { isLongRun } from '../../../../test/process/product-process.ts'

/** The most common passwords among those of an allowed length, most common first. */
const COMMON = dictionary['passwords-common'].filter((word) => [...word].length >= 6)
const MOST_COMMON = COMMON.slice(0, 3000)

/** Creates an account, and a function with which an administrator sets its password. */
async function aPasswordHolder(app: TestApp) {
  const admin = await app.as('admin')
  const name = await app.anAccount('viewer')
  const [{ id }] = await app.database.sql<[{ id: string }]>`select id from accounts where username = ${name}`
  return {
    set: async (password: string): Promise<number> => {
      const payload = { user_id: id, new_password: password, confirm_password: password }
      const url = '/api/auth/admin/reset-password'
      return (await app.http.inject({ method: 'POST', url, headers: admin, payload })).statusCode
    },
    opens: async (password: string): Promise<boolean> => {
      const payload = { username: name, password }
      return (await app.http.inject({ method: 'POST', url: '/auth/login', payload })).statusCode === 200
    },
  }
}

const A_UMLAUT = 'ä'

describe('T35 passwords', () => {
  it('two passwords are equal only if all bytes are equal after accented letters were composed', async () => {
    const app = await buildTestApp({ variables: { SIGN_IN_LIMIT_PER_ACCOUNT: '1000' } })
    const holder = await aPasswordHolder(app)
    const letters = 'x'.repeat(72)
    const cases: readonly (readonly [password: string, opening: string[], others: string[]])[] = [
      // These passwords differ only after byte 72. Some hash functions ignore everything after this byte.
      [`${letters}-one`, [`${letters}-one`], [`${letters}-two`, letters, `${letters}-on`]],
      [`${'ж'.repeat(36)}-one`, [`${'ж'.repeat(36)}-one`], [`${'ж'.repeat(36)}-two`]],
      ['x'.repeat(128), ['x'.repeat(128)], ['x'.repeat(127), 'x'.repeat(129)]],
      // These passwords contain leading, trailing and inner spaces, capitals, control characters and NUL.
      ['  spaced  out  ', ['  spaced  out  '], ['spaced  out', '  spaced out  ', '  Spaced  out  ']],
      ['before\u0000after', ['before\u0000after'], ['before', 'before\u0000other', 'beforeafter']],
      ['tab\tand\nline', ['tab\tand\nline'], ['tab and line']],
      // An accented letter and the letter with a separate accent are equal in a password. Compatibility characters,
      // such as full-width letters, are different.
      [
        `${A_UMLAUT}`.repeat(6),
        [A_UMLAUT.normalize('NFD').repeat(6), A_UMLAUT.repeat(6)],
        ['aaaaaa', 'a\u0308'.repeat(5)],
      ],
      ['ﬁne words', ['ﬁne words'], ['fine words']],
      ['👩‍🚀🛰️🚀🪐✨🌍', ['👩‍🚀🛰️🚀🪐✨🌍'], ['👩🛰️🚀🪐✨🌍', '👩‍🚀🛰🚀🪐✨🌍']],
      ['Пароль из слов', ['Пароль из слов'], ['пароль из слов', 'Пapoль из слов']],
    ]
    const wrong: string[] = []
    let tried = 0
    for (const [password, opening, others] of cases) {
      if ((await holder.set(password)) !== 200) wrong.push(`not taken: ${JSON.stringify(password)}`)
      for (const each of opening)
        if (!(await holder.opens(each))) wrong.push(`does not open: ${JSON.stringify(each)}`)
      for (const each of others) if (await holder.opens(each)) wrong.push(`opens: ${JSON.stringify(each)}`)
      tried += 1 + opening.length + others.length
    }
    console.info(`T35 passwords judged wrongly ${wrong.length} of ${tried}`)
    expect(wrong).toEqual([])
  })

  it('passwords have 6 to 128 characters, counted as code points', async () => {
    const app = await buildTestApp()
    const holder = await aPasswordHolder(app)
    const statuses: number[] = []
    for (const password of [
      '🦊'.repeat(5),
      'ä'.normalize('NFD').repeat(5),
      'x'.repeat(129),
      '🦊'.repeat(129),
    ])
      statuses.push(await holder.set(password))
    expect(statuses).toEqual([400, 400, 400, 400])
    expect([await holder.set('🦊'.repeat(128)), await holder.opens('🦊'.repeat(128))]).toEqual([200, true])
    expect([await holder.set('🦊🐻🐼🐨🐯🦁'), await holder.opens('🦊🐻🐼🐨🐯🦁')]).toEqual([200, true])
  })

  it('the most common passwords are refused wherever a password can be set', async () => {
    const app = await buildTestApp({ variables: { SIGNUPS: 'open' } })
    const holder = await aPasswordHolder(app)
    const owner = { authorization: `Bearer ${await app.signIn('owner', 'correct horse battery')}` }
    const ways: Record<string, (password: string) => Promise<number>> = {
      'reset by an admin': holder.set,
      'sign-up': async (password) => {
        const payload = { email: 'eve@example.com', password }
        return (await app.http.inject({ method: 'POST', url: '/auth/v1/signup', payload })).statusCode
      },
      'account made by an admin': async (password) => {
        const payload = { email: 'eve@example.com', username: 'eve', password }
        const request = { method: 'POST', url: '/api/auth/users', headers: owner, payload } as const
        return (await app.http.inject(request)).statusCode
      },
      'own password, hosted protocol': async (password) =>
        (
          await app.http.inject({
            method: 'PUT',
            url: '/auth/v1/user',
            headers: owner,
            payload: { password },
          })
        ).statusCode,
    }
    const words = isLongRun ? MOST_COMMON : MOST_COMMON.filter((_, index) => index % 60 === 59)
    let taken = 0
    for (const set of Object.values(ways))
      for (const word of words) if (![400, 422].includes(await set(word))) taken += 1
    // This endpoint checks the current password before the rules, so its time is the usual one.
    const change = async (password: string) =>
      app.http.inject({
        method: 'POST',
        url: '/api/auth/change-password',
        headers: owner,
        payload: {
          current_password: 'correct horse battery',
          new_password: password,
          confirm_password: password,
        },
      })
    for (const word of words.slice(0, 20)) if ((await change(word)).statusCode !== 400) taken += 1
    const tried = words.length * Object.keys(ways).length + 20
    console.info(`T35 common passwords taken ${taken} of ${tried}`)
    expect([taken, MOST_COMMON.length]).toEqual([0, 3000])
  })
})

describe('T36 account names', () => {
  it('no second account can be created with a username or email that looks like an existing one', async () => {
    const app = await buildTestApp({ variables: { SIGNUPS: 'open' } })
    const admin = await app.as('admin')
    const create = async (payload: Record<string, unknown>): Promise<number> => {
      const request = { method: 'POST', url: '/api/auth/users', headers: admin, payload } as const
      return (await app.http.inject(request)).statusCode
    }
    const person = { email: 'ada@example.com', username: 'ada', password: 'entirely new words' }
    expect(await create(person)).toBe(201)
    const [usernames, emails] = ['ada', 'ada@example.com'].map((name) => [
      name.toUpperCase(),
      ` ${name} `,
      `\u00a0${name}`,
      name.replace('a', 'а'), // a Cyrillic letter
      name.replace('a', 'ａ'), // a full-width letter
      name.replace('d', 'ԁ'),
      name.replace('a', 'ａ').toUpperCase(),
      `${name}\u200b`,
      `\u2060${name}`,
      name.replace('d', '\u00add'),
      `${name}\u0000`,
      name.normalize('NFD').replace('a', 'a\u0301'),
    ])
    const made: string[] = []
    for (const [index, username] of (usernames ?? []).entries())
      if ((await create({ ...person, username, email: `other-${index}@example.com` })) === 201)
        made.push(username)
    for (const [index, email] of (emails ?? []).entries()) {
      if ((await create({ ...person, email, username: `other-${index}` })) === 201) made.push(email)
      const payload = { email, password: person.password }
      const signUp = await app.http.inject({ method: 'POST', url: '/auth/v1/signup', payload })
      if (signUp.statusCode === 200) made.push(`sign-up ${email}`)
    }
    const tried = (usernames?.length ?? 0) + 2 * (emails?.length ?? 0)
    console.info(`T36 look-alike accounts ${made.length} of ${tried}`)
    expect(made).toEqual([])
    const [count] = await app.database.sql<[{ n: number }]>`select count(*)::int as n from accounts`
    expect(count.n).toBe(3)
  })

  it('parallel requests with the same name create one account', async () => {
    const app = await buildTestApp()
    const admins = await Promise.all(Array.from({ length: 10 }, () => app.as('admin')))
    const spellings = ['twin', 'TWIN', ' Twin', 'ｔｗｉｎ', 'Ｔwin']
    const answers = await Promise.all(
      admins.map((headers, index) => {
        const name = spellings[index % spellings.length] ?? ''
        const payload = { email: `${name}@example.com`, username: name }
        return app.http.inject({ method: 'POST', url: '/api/auth/users', headers, payload })
      }),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([
      201,
      ...Array(9).fill(409),
    ])
  })
})
