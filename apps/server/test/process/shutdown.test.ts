import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { POSTGRES_SERVERS, startExternalPostgres } from '../servers/external-postgres.ts'
import { type Damage, findDamage, listAll } from './check-kept-data.ts'
import {
  bearer,
  canSignIn,
  databaseProcesses,
  isLongRun,
  makeDataFolder,
  OWNER,
  type ProductProcess,
  signIn,
  startProduct,
  until,
} from './product-process.ts'
import { silentLog } from '../support/silent-log.ts'
import {
  type Acknowledged,
  aModel,
  countOf,
  heldUpload,
  nothingYet,
  postJson,
  sha256Of,
  startWriteLoad,
  uploadModel,
  type WriteLoad,
} from './write-load.ts'

const STOPS = isLongRun ? 60 : 4
/**
 * Minimum length of each outage of the database, in seconds. An outage of 0 ends as soon as the responses are checked.
 */
const OUTAGES_S = isLongRun ? [60, ...Array.from({ length: 9 }, () => 0)] : [0, 0]
const RESTARTS = isLongRun ? 10 : 2
const CUTS = isLongRun ? 200 : 20
const MAX_STOP_MS = 30_000
const MAX_HEALING_MS = 10_000
const PATIENCE_MS = 120_000
const timeout = isLongRun ? 3_600_000 : 600_000

const [EMBEDDED] = POSTGRES_SERVERS

const damageOf = async (product: ProductProcess, acknowledged: Acknowledged): Promise<Damage> => {
  const { access_token: token } = await signIn(product.url)
  return findDamage(product.url, token, acknowledged, new Set())
}

/** Returns the statuses of wrong responses: all server errors except 503. */
const faultsIn = ({ refusals }: WriteLoad): number[] =>
  [...refusals.keys()].filter((status) => status >= 500 && status !== 503)

describe('stopping the server', () => {
  it('T107 a server that is stopped finishes its running requests, and exits without an error', {
    timeout,
  }, async () => {
    const dataDir = await makeDataFolder()
    const acknowledged = nothingYet()
    const damage: Damage = { lost: [], halves: [] }
    const faults: number[] = []
    let unfinished = 0
    let slowestMs = 0
    for (let round = 0; round < STOPS; round += 1) {
      const product = await startProduct(dataDir)
      const { access_token: token } = await signIn(product.url)
      const load = startWriteLoad(product.url, token, acknowledged, { maxUploads: 3 })
      const bytes = aModel()
      const held = heldUpload(product.url, token, bytes)
      const answer = held.response.catch(() => null)
      const pending = () => readdir(join(dataDir, 'objects', '.pending'))
      expect(await until(async () => (await pending()).length > 0, PATIENCE_MS)).toBe(true)
      await load.untilAcknowledged(5)

      const stoppedAt = performance.now()
      product.signal('SIGTERM')
      expect(await until(async () => product.readOutput().includes('Stopping'), PATIENCE_MS)).toBe(true)
      product.signal('SIGTERM')
      // In every other round, the sender of the upload never sends the rest.
      if (round % 2 === 0) {
        held.release()
        const finished = await answer
        if (finished?.status === 201)
          acknowledged.models.set(((await finished.json()) as Model).id, sha256Of(bytes))
        else unfinished += 1
      }
      expect(await product.ended).toEqual({ code: 0, signal: null })
      slowestMs = Math.max(slowestMs, performance.now() - stoppedAt)
      expect(await databaseProcesses(dataDir)).toEqual([])
      await Promise.all([load.stop(), answer])
      faults.push(...faultsIn(load))
      expect(await pending()).toEqual([])
    }
    const product = await startProduct(dataDir)
    const found = await damageOf(product, acknowledged)
    damage.lost.push(...found.lost)
    damage.halves.push(...found.halves)
    console.info(
      `T107 acknowledged lost ${damage.lost.length} of ${countOf(acknowledged)} in ${STOPS} stops under load, uploads in flight not finished ${unfinished} of ${Math.ceil(STOPS / 2)}, slowest stop ${(slowestMs / 1000).toFixed(1)} s`,
    )
    expect({ damage, faults, unfinished }).toEqual({
      damage: { lost: [], halves: [] },
      faults: [],
      unfinished: 0,
    })
    expect(slowestMs).toBeLessThan(MAX_STOP_MS)
  })
})

/** Starts the server on a database that the test can stop. */
async function startOnExternal() {
  if (!EMBEDDED) throw new Error('There is no PostgreSQL.')
  const postgres = await startExternalPostgres(EMBEDDED)
  const product = await startProduct(await makeDataFolder(), { DATABASE_URL: postgres.url })
  return { postgres, product, token: (await signIn(product.url)).access_token }
}

describe('an outage of the database', () => {
  it('T104 requests get 503 with Retry-After while the database is down, and succeed soon after it is back', {
    timeout,
  }, async () => {
    const { postgres, product, token } = await startOnExternal()
    const acknowledged = nothingYet()
    const wrong: string[] = []
    const faults: number[] = []
    let slowestMs = 0
    let calls = 0
    /** Calls the server while its database is down, and records each response that is not a 503 with `Retry-After`. */
    const checkAnswers = async () => {
      const login = { email: 'owner@pegasus.local', password: OWNER.password }
      const answers = {
        '/readyz': await fetch(`${product.url}/readyz`),
        '/api/stl-files': await fetch(`${product.url}/api/stl-files`, { headers: bearer(token) }),
        '/api/auth/login': await postJson(`${product.url}/api/auth/login`, {}, OWNER),
        '/auth/v1/token': await postJson(`${product.url}/auth/v1/token?grant_type=password`, {}, login),
        '/api/stl-files/upload': await uploadModel(product.url, token, aModel()),
      }
      for (const [path, response] of Object.entries(answers)) {
        calls += 1
        const text = await response.text()
        const isRight =
          response.status === 503 &&
          Number(response.headers.get('retry-after')) > 0 &&
          !/postgres|ECONN|127\.0\.0\.1|CONNECT_|\n\s+at /i.test(text)
        if (!isRight) wrong.push(`${path}: ${response.status} ${text}`)
      }
    }
    for (const seconds of OUTAGES_S) {
      const load = startWriteLoad(product.url, token, acknowledged, { keepsGoing: true, maxUploads: 4 })
      await load.untilAcknowledged(5)
      await postgres.stop()
      const endsAt = performance.now() + seconds * 1000
      expect(await until(async () => !(await product.isReady()), PATIENCE_MS)).toBe(true)
      const isOver = async () => {
        await checkAnswers()
        return performance.now() >= endsAt
      }
      expect(await until(isOver, PATIENCE_MS, 250)).toBe(true)
      expect((await fetch(`${product.url}/healthz`)).status).toBe(200)

      await postgres.start()
      const backAt = performance.now()
      const isWell = async () => {
        const response = await fetch(`${product.url}/api/stl-files`, { headers: bearer(token) })
        await response.arrayBuffer()
        return response.status === 200 && (await product.isReady())
      }
      expect(await until(isWell, PATIENCE_MS)).toBe(true)
      slowestMs = Math.max(slowestMs, performance.now() - backAt)
      await load.untilAcknowledged(5)
      await load.stop()
      faults.push(...faultsIn(load))
    }
    const models = () => listAll<Model>(product.url, '/api/stl-files', token)
    const isAnalyzed = async () => (await models()).every((model) => model.analysis_status !== 'pending')
    expect(await until(isAnalyzed, PATIENCE_MS, 250)).toBe(true)
    const damage = await damageOf(product, acknowledged)
    console.info(
      `T104 wrong answers while the database is away ${wrong.length} of ${calls}, faults ${faults.length}, acknowledged lost ${damage.lost.length} of ${countOf(acknowledged)} in ${OUTAGES_S.length} outages of up to ${Math.max(...OUTAGES_S)} s, well again after at most ${(slowestMs / 1000).toFixed(1)} s`,
    )
    expect({ wrong, faults, damage }).toEqual({ wrong: [], faults: [], damage: { lost: [], halves: [] } })
    expect(slowestMs).toBeLessThan(isLongRun ? MAX_HEALING_MS : PATIENCE_MS)
    product.signal('SIGTERM')
    expect(await product.ended).toEqual({ code: 0, signal: null })
  })

  it('T104 no data is lost if the database is restarted while people write, and requests succeed soon afterwards', {
    timeout,
  }, async () => {
    const { postgres, product, token } = await startOnExternal()
    const acknowledged = nothingYet()
    const load = startWriteLoad(product.url, token, acknowledged, { keepsGoing: true, maxUploads: 10 })
    let slowestMs = 0
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await load.untilAcknowledged(5)
      await postgres.stop()
      await postgres.start()
      const backAt = performance.now()
      expect(await until(() => canSignIn(product.url), PATIENCE_MS)).toBe(true)
      slowestMs = Math.max(slowestMs, performance.now() - backAt)
    }
    await load.untilAcknowledged(5)
    await load.stop()
    const damage = await damageOf(product, acknowledged)
    const faults = faultsIn(load)
    console.info(
      `T104 acknowledged lost ${damage.lost.length} of ${countOf(acknowledged)}, half-done shown ${damage.halves.length}, faults ${faults.length}, in ${RESTARTS} restarts of the database, well again after at most ${(slowestMs / 1000).toFixed(1)} s`,
    )
    expect({ damage, faults }).toEqual({ damage: { lost: [], halves: [] }, faults: [] })
    expect(slowestMs).toBeLessThan(isLongRun ? MAX_HEALING_MS : PATIENCE_MS)
    product.signal('SIGTERM')
    expect(await product.ended).toEqual({ code: 0, signal: null })
  })

  it('T104 no data is lost if all database connections are cut repeatedly', { timeout }, async () => {
    const { postgres, product, token } = await startOnExternal()
    const acknowledged = nothingYet()
    const load = startWriteLoad(product.url, token, acknowledged, { keepsGoing: true, maxUploads: 10 })
    const killer = await openDatabase({ url: postgres.url, log: silentLog, applicationName: 'killer' })
    onTestFinished(() => killer.close())
    let cut = 0
    for (let round = 0; round < CUTS; round += 1) {
      const [row] = await killer.sql<[{ ended: number }]>`
        select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
        where application_name = 'pegasus-ops'`
      cut += row.ended
      await load.untilAcknowledged(1)
    }
    await load.stop()
    expect(await until(() => canSignIn(product.url), PATIENCE_MS)).toBe(true)
    const damage = await damageOf(product, acknowledged)
    const faults = faultsIn(load)
    console.info(
      `T104 acknowledged lost ${damage.lost.length} of ${countOf(acknowledged)}, half-done shown ${damage.halves.length}, faults ${faults.length}, after ${cut} connections cut`,
    )
    expect(cut).toBeGreaterThan(CUTS)
    expect({ damage, faults }).toEqual({ damage: { lost: [], halves: [] }, faults: [] })
    product.signal('SIGTERM')
    expect(await product.ended).toEqual({ code: 0, signal: null })
  })
})
