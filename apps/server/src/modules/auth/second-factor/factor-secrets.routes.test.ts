import type { AuditEntry } from '@pegasus/contracts/audit'
import { describe, expect, it } from 'vitest'
import { OWNER_PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  anAccountWithFactor,
  answerChallenge,
  callHosted,
  codeOf,
  passSecondStep,
  errorCodeOf,
  wrongCodeOf,
} from '../../../../test/support/accounts/second-factor.ts'
import { HOUR_MS } from '../../../platform/clock.ts'

/** Returns all rows of the database as one text, like a database dump. */
async function dump({ database: { sql } }: TestApp): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const rows = await Promise.all(
    tables.map(({ name }) =>
      sql.unsafe(`select coalesce(string_agg(t::text, E'\n'), '') as text from ${name} t`),
    ),
  )
  return rows.map(([row]) => String(row?.text)).join('\n')
}

const auditOf = async (app: TestApp): Promise<AuditEntry[]> => {
  const authorization = `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`
  const url = '/api/audit?limit=1000'
  return (await app.http.inject({ url, headers: { authorization } })).json<AuditEntry[]>()
}

describe('the secrets of a second factor', () => {
  it('T26 T112 secrets of a second factor appear in no log, audit entry, error or database row', async () => {
    const lines: string[] = []
    const app = await buildTestApp({ logTo: { write: (line) => lines.push(line) } })
    const person = await anAccountWithFactor(app)
    const { secret, factorId } = person
    const token = person.session.access_token
    const made = await callHosted(app, 'POST /factors/recovery-codes', token)
    const { codes } = made.json<{ codes: string[] }>()
    const used = codes[0] ?? ''
    const [right, wrong] = [codeOf(secret, app.clock), wrongCodeOf(secret, app.clock)]
    const wrongRecovery = 'wrongwrongwrong2'
    const answers = [
      await answerChallenge(app, await app.signIn(person.username), person, { code: wrong }),
      await answerChallenge(app, await app.signIn(person.username), person, { code: right }),
      await answerChallenge(app, await app.signIn(person.username), person, { code: right }),
      await callHosted(app, 'POST /factors/recovery-codes/verify', await app.signIn(person.username), {
        payload: { code: wrongRecovery },
      }),
      await callHosted(app, 'POST /factors/recovery-codes/verify', await app.signIn(person.username), {
        payload: { code: used },
      }),
      await callHosted(app, 'GET /factors/recovery-codes', token),
      await callHosted(app, 'GET /user', token),
      await callHosted(app, 'POST /factors', token, {
        payload: { factor_type: 'totp', friendly_name: '', issuer: secret },
      }),
    ]
    expect(answers.map(errorCodeOf)).toEqual([
      '422 mfa_verification_failed',
      '200',
      '422 mfa_verification_failed',
      '422 mfa_verification_failed',
      '200',
      '200',
      '200',
      '422 mfa_factor_name_conflict',
    ])
    const canaries = { secret, right, wrong, wrongRecovery, ...Object.fromEntries(codes.entries()) }
    const audit = await auditOf(app)
    const places = {
      log: lines.join('\n'),
      database: await dump(app),
      audit: JSON.stringify(audit),
      // Ids and times can contain the same six digits by chance. So the search looks for a code only as a whole value.
      answers: answers.map(({ body }) => body).join('\n'),
    }
    const isIn = (text: string, canary: string): boolean =>
      new RegExp(`(?<![0-9a-z])${canary}(?![0-9a-z])`).test(text)
    const hits = Object.entries(places).flatMap(([place, text]) =>
      Object.entries(canaries)
        .filter(([, canary]) => isIn(text, canary))
        .map(([name]) => `${name} in ${place}`),
    )
    const looked = Object.keys(places).length * Object.keys(canaries).length
    console.info(`T26 T112 secrets of a second factor found ${hits.length} of ${looked}`)
    expect(hits).toEqual([])
    // Some stored values are not secret. Finding them proves that the search works.
    expect(isIn(made.body, used)).toBe(true)
    expect([places.log.includes(factorId), places.database.includes(factorId)]).toEqual([true, true])
  })

  it('T26 the secret of a factor is encrypted for that factor and cannot be decrypted in another row', async () => {
    const app = await buildTestApp()
    const [person, thief] = [await anAccountWithFactor(app), await anAccountWithFactor(app)]
    await app.database.sql`
      update factors set secret_sealed = (select secret_sealed from factors where id = ${thief.factorId}),
                         last_step = null
      where id = ${person.factorId}`
    const token = await app.signIn(person.username)
    const answer = await answerChallenge(app, token, { ...person, secret: thief.secret })
    expect(errorCodeOf(answer)).toBe('500 unexpected_failure')
  })

  it('T113 each change of a second factor leaves an audit entry with actor, action, time and device', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const token = person.session.access_token
    const made = await callHosted(app, 'POST /factors/recovery-codes', token)
    const [code] = made.json<{ codes: string[] }>().codes
    await callHosted(app, 'POST /factors/recovery-codes/regenerate', token)
    const late = await callHosted(
      app,
      'POST /factors/recovery-codes/verify',
      await app.signIn(person.username),
      {
        payload: { code },
      },
    )
    expect(errorCodeOf(late)).toBe('422 mfa_verification_failed')
    const raised = await passSecondStep(app, await app.signIn(person.username), person)
    const wrong = wrongCodeOf(person.secret, app.clock)
    await answerChallenge(app, await app.signIn(person.username), person, { code: wrong })
    await callHosted(app, `DELETE /factors/${person.factorId}`, raised.access_token)
    const entries = (await auditOf(app)).filter(
      ({ action, entity }) => entity === 'factor' || action === 'session.confirmed',
    )
    expect(entries.map(({ action, before, after }) => ({ action, before, after })).reverse()).toEqual([
      {
        action: 'factor.enrolled',
        before: null,
        after: { factor_type: 'totp', friendly_name: '', aal: 'aal2', method: 'totp', ended_sessions: 0 },
      },
      { action: 'recovery_codes.created', before: { remaining: 0 }, after: { made: 10 } },
      { action: 'recovery_codes.created', before: { remaining: 10 }, after: { made: 10 } },
      {
        action: 'factor.refused',
        before: null,
        after: { factor_type: 'recovery_code', reason: 'wrong_code' },
      },
      // This request ended one other session, in which the wrong recovery code was sent.
      {
        action: 'session.confirmed',
        before: null,
        after: { aal: 'aal2', method: 'totp', ended_sessions: 1 },
      },
      { action: 'factor.refused', before: null, after: { factor_type: 'totp', reason: 'wrong_code' } },
      {
        action: 'factor.removed',
        before: { factor_type: 'totp', friendly_name: '', second_factor: true },
        after: { second_factor: false, recovery_codes_removed: true },
      },
    ])
    const incomplete = entries.filter(
      ({ actor, ip, request_id: request, entity_name: name }) =>
        actor.name !== 'The staff' || ip !== '127.0.0.1' || !request || name !== 'The staff',
    )
    console.info(
      `T113 changes of a second factor without who and where ${incomplete.length} of ${entries.length}`,
    )
    expect(incomplete).toEqual([])
  })

  it('T113 a second factor does not change if the audit entry cannot be written', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const token = person.session.access_token
    await app.database
      .sql`alter table audit_entries add constraint no_more check (action not like '%factor%') not valid`
    expect(errorCodeOf(await callHosted(app, `DELETE /factors/${person.factorId}`, token))).toBe(
      '500 unexpected_failure',
    )
    const [row] = await app.database.sql<[{ kept: number }]>`select count(*)::int as kept from factors`
    expect(row.kept).toBe(1)
  })

  it('expired challenges and unverified factors are deleted', async () => {
    const app = await buildTestApp()
    const person = await anAccountWithFactor(app)
    const payload = { factor_type: 'totp', friendly_name: 'Never verified' }
    await callHosted(app, 'POST /factors', person.session.access_token, { payload })
    await callHosted(app, `POST /factors/${person.factorId}/challenge`, person.session.access_token)
    app.clock.advance(25 * HOUR_MS)
    await app.auth.purge()
    const { sql } = app.database
    expect(await sql`select id from challenges`).toHaveLength(0)
    expect((await sql<{ id: string }[]>`select id from factors`).map(({ id }) => id)).toEqual([
      person.factorId,
    ])
  })
})
