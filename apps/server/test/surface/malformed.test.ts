import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { aKey, keyHeader } from '../support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { lastingCaller } from '../support/accounts/lasting-caller.ts'
import { upload } from '../support/library/model-upload.ts'
import { isLongRun } from '../process/product-process.ts'

const SOME_ID = '01890000-0000-7000-8000-000000000000'
const JSON_TYPE = 'application/json'
const LIMIT_BYTES = 1024 * 1024
/** Time limit for a refusal, in ms. Only the long run checks it. */
const QUICK_MS = isLongRun ? 100 : 10_000

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Matches texts that no error response may contain: code, SQL, paths and versions. */
const TELLING = [
  /\n\s+at |node_modules|node:|\.[jt]s:\d/,
  /\b(select|insert into|update|delete from) .*\b(from|values|set|where)\b/i,
  /relation "|column "|pg_|sqlstate|syntax error at|violates|PostgresError|duplicate key/i,
  /\/(home|root|tmp|var|usr|work|srv)\/|ENOENT|EACCES|ECONN/,
  /Invalid input|Too (small|big): expected|Unrecognized key/,
  /fastify|zod|busboy|postgres|0\.0\.0-test|v?\d+\.\d+\.\d+/i,
]

const leaksIn = (body: string, secrets: readonly string[] = []): boolean =>
  TELLING.some((pattern) => pattern.test(body)) || secrets.some((secret) => body.includes(secret))

const anAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join()}}`
const nested = (open: string, close: string, depth = 10_000): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`

/** JSON bodies that are invalid, strange or too large, each with its content type if that is not JSON. */
const BODIES: Readonly<Record<string, readonly [body: string | Buffer, type?: string]>> = {
  'a byte too many': [`{"username":"${'x'.repeat(LIMIT_BYTES - 14)}"}`],
  '10,000 arrays in each other': [nested('[', ']')],
  '10,000 objects in each other': [nested('{"a":', '}')],
  '10,000 objects in a field': [`{"data":${nested('{"a":', '}')}}`],
  'a million keys': [keys(1_000_000)],
  'as many keys as fit': [keys(80_000)],
  'duplicate keys': ['{"username":"a","username":"b","password":"c","password":"d"}'],
  'bad UTF-8': [Buffer.from('7b2261223a22c328227d', 'hex')],
  'a lone surrogate': [
    '{"username":"\\ud800","password":"\\udfff","email":"\\ud800","data":{"a":"\\ud800"}}',
  ],
  'a NUL': ['{"username":"a\\u0000b","password":"\\u0000","email":"a\\u0000@example.com"}'],
  '1e400': ['{"username":1e400,"email":1e400}'],
  'a number that is not exact': ['{"username":9007199254740993,"email":9007199254740993}'],
  '200,000 digits': [`{"username":${'9'.repeat(200_000)}}`],
  'a number': ['1'],
  'a text': ['"a"'],
  'an array': ['[]'],
  null: ['null'],
  NaN: ['NaN'],
  'half of it': ['{"username":"a"'],
  'two of them': ['{}{}'],
  'a byte-order mark': ['\ufeff{}'],
  'a comment': ['{/* */}'],
  'a trailing comma': ['{"a":1,}'],
  'only blanks': [' \n'],
  'garbage after the type': ['{}', 'application/json garbage'],
  'a type of two': ['{}', 'application/json, text/plain'],
  'another charset': [Buffer.from('{}', 'utf16le'), 'application/json; charset=utf-16'],
  'plain text': ['{}', 'text/plain'],
  'a form': ['a=1', 'application/x-www-form-urlencoded'],
  XML: ['<a/>', 'application/xml'],
  'no real type': ['{}', '/'],
}

/**
 * Returns the endpoints that may have a JSON body, each with a caller who may call it: an owner, or a program if only
 * keys may call it.
 */
async function targetsOf(app: TestApp) {
  const program = keyHeader((await aKey(app, { role: 'owner' })).key)
  const owner = lastingCaller(app, 'owner')
  return app.endpoints.all
    .filter(({ method, body }) => method !== 'GET' && (body || method === 'POST'))
    .map(({ method, path, access }) => ({
      method,
      url: path.replace(':id', SOME_ID),
      caller: () => (typeof access === 'object' ? Promise.resolve(program) : owner.headers()),
      saw: ({ statusCode }: { statusCode: number }) => owner.saw(method, statusCode),
    }))
}

describe('invalid request bodies', () => {
  it('T82 a request body that contains invalid JSON is refused quickly, and never causes a server error', {
    // The test makes about 3,000 calls.
    timeout: 900_000,
  }, async () => {
    const app = await buildTestApp()
    const faults: string[] = []
    const accepted: string[] = []
    let slowest = { ms: 0, what: '' }
    let calls = 0
    for (const { method, url, caller, saw } of await targetsOf(app))
      for (const [name, [payload, type = JSON_TYPE]] of Object.entries(BODIES)) {
        const headers: Headers = { ...(await caller()), 'content-type': type }
        const startedAt = performance.now()
        const remoteAddress = anAddress()
        const answer = await app.http.inject({ method, url, headers, payload, remoteAddress })
        saw(answer)
        const ms = performance.now() - startedAt
        calls += 1
        const what = `${method} ${url}, ${name}: ${answer.statusCode}`
        if (answer.statusCode >= 500) faults.push(what)
        if (answer.statusCode >= 400 && leaksIn(answer.body)) faults.push(`${what} ${answer.body}`)
        const isUnreadable = [400, 413, 415].includes(answer.statusCode)
        if (isUnreadable && ms > slowest.ms) slowest = { ms, what }
        // An endpoint that needs no body may ignore one, but it must refuse an unknown content type.
        if (answer.statusCode < 400 && type !== JSON_TYPE) accepted.push(what)
      }
    console.info(
      `T82 faults of ours ${faults.length} of ${calls}, unknown types accepted ${accepted.length}, slowest refusal ${slowest.ms.toFixed(0)} ms (${slowest.what})`,
    )
    expect({ faults, accepted }).toEqual({ faults: [], accepted: [] })
    if (isLongRun) expect(slowest.ms).toBeLessThan(QUICK_MS)
  })

  it('T82 a request body that is unreadable, too large or of an unknown type is refused with its own error', async () => {
    const app = await buildTestApp()
    const statusOf = async (name: string): Promise<number> => {
      const [payload, type = JSON_TYPE] = BODIES[name] ?? ['']
      const headers = { 'content-type': type }
      const remoteAddress = anAddress()
      return (await app.http.inject({ method: 'POST', url: '/auth/login', headers, payload, remoteAddress }))
        .statusCode
    }
    const expected: Readonly<Record<string, number>> = {
      'a byte too many': 413,
      'a million keys': 413,
      'bad UTF-8': 400,
      'half of it': 400,
      NaN: 400,
      'garbage after the type': 415,
      'plain text': 415,
      'a form': 415,
      '1e400': 422,
      'a number that is not exact': 422,
      'an array': 422,
    }
    const found = Object.fromEntries(
      await Promise.all(Object.keys(expected).map(async (name) => [name, await statusOf(name)] as const)),
    )
    expect(found).toEqual(expected)
  })

  it("T83 a request body with property names like __proto__ does not change any object's prototype", {
    timeout: 120_000,
  }, async () => {
    const app = await buildTestApp()
    const owner = await app.as('owner')
    const polluted: string[] = []
    let calls = 0
    const check = (what: string, statusCode: number) => {
      calls += 1
      const isClean = !('x' in {}) && !('x' in []) && Object.keys(Object.prototype).length === 0
      if (!isClean || statusCode >= 500) polluted.push(`${what}: ${statusCode}`)
    }
    const bodies = [
      '{"__proto__":{"x":1}}',
      '{"constructor":{"prototype":{"x":1}}}',
      '{"data":{"__proto__":{"x":1}},"email":"p1@example.com","password":"a decent passphrase"}',
      '{"data":{"constructor":{"prototype":{"x":1}}},"email":"p2@example.com","password":"a decent passphrase"}',
      '{"data":{"a":{"__proto__":{"x":1}}},"email":"p3@example.com","password":"a decent passphrase"}',
      '{"username":{"__proto__":{"x":1}},"__proto__.x":1,"__proto__[x]":1}',
    ]
    for (const { method, url, caller, saw } of await targetsOf(app))
      for (const payload of bodies) {
        const headers: Headers = { ...(await caller()), 'content-type': JSON_TYPE }
        const answer = await app.http.inject({ method, url, headers, payload, remoteAddress: anAddress() })
        saw(answer)
        check(`${method} ${url} ${payload}`, answer.statusCode)
      }
    const queries = [
      '__proto__[x]=1',
      '__proto__.x=1',
      '__proto__=x',
      'constructor[prototype][x]=1',
      'constructor.prototype.x=1',
      'search[__proto__][x]=1',
      'hasOwnProperty=1&toString=1',
    ]
    for (const { method, path } of app.endpoints.all.filter((endpoint) => endpoint.method === 'GET'))
      for (const query of queries) {
        if (path === '/api/events') continue
        const url = `${path.replace(':id', SOME_ID)}?${query}`
        check(url, (await app.http.inject({ method: method as Method, url, headers: owner })).statusCode)
      }
    const file = { name: '__proto__', bytes: writeBinaryStl(createCube(20)) }
    for (const name of [
      '__proto__',
      '__proto__[x]',
      '__proto__.x',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
    ]) {
      check(`field ${name}`, (await upload(app, owner, file, { [name]: '{"x":1}' })).statusCode)
      check(`part ${name}`, (await upload(app, owner, { ...file, field: name })).statusCode)
    }
    console.info(`T83 polluted ${polluted.length} of ${calls}`)
    expect(polluted).toEqual([])
  })
})

describe('the contents of error responses', () => {
  const bodyOf = (method: string): object =>
    method === 'GET' || method === 'DELETE'
      ? {}
      : {
          payload: {
            username: 'somebody',
            email: 'somebody@example.com',
            password: 'a decent passphrase',
            refresh_token: 'x'.repeat(20),
            type: 'signup',
            token_hash: 'x'.repeat(20),
            current_password: 'a decent passphrase',
            new_password: 'another passphrase',
            confirm_password: 'another passphrase',
            role: 'viewer',
          },
        }

  const askAll = async (app: TestApp, headers: Headers, leaks: string[]): Promise<number> => {
    let faults = 0
    for (const { method, path } of app.endpoints.all) {
      if (path === '/api/events') continue
      const answer = await app.http.inject({
        method: method as Method,
        url: path.replace(':id', SOME_ID),
        headers,
        remoteAddress: anAddress(),
        ...bodyOf(method),
      })
      if (answer.statusCode >= 500) faults += 1
      const said = `${answer.body} ${String(answer.headers['server'])} ${String(answer.headers['x-powered-by'])}`
      if (answer.statusCode >= 400 && leaksIn(said, [app.dataDir, process.cwd()]))
        leaks.push(`${method} ${path}: ${answer.body}`)
    }
    return faults
  }

  it('T81 if a component fails, the error response reveals no code, SQL, paths or versions', async () => {
    const app = await buildTestApp()
    const owner = await app.as('owner')
    const model = (
      await upload(app, owner, { name: 'a.stl', bytes: writeBinaryStl(createCube(20)) })
    ).json<Model>()
    const leaks: string[] = []
    // First remove only the other tables. The guard then lets calls through, and the code after the guard fails.
    const tables = await app.database.sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public'`
    const needed = new Set(['accounts', 'sessions', 'user_roles', 'people', 'profiles', 'signing_keys'])
    const hide = async (names: readonly string[]) => {
      for (const name of names)
        await app.database
          .sql`alter table ${app.database.sql(name)} rename to ${app.database.sql(`${name}_gone`)}`
    }
    await rm(join(app.dataDir, 'objects'), { recursive: true })
    const missing = await app.http.inject({ url: `/api/stl-files/${model.id}/file`, headers: owner })
    if (leaksIn(missing.body, [app.dataDir])) leaks.push(`missing bytes: ${missing.body}`)
    expect(missing.statusCode).toBeGreaterThanOrEqual(404)

    const names = tables.map(({ name }) => name)
    await hide(names.filter((name) => !needed.has(name)))
    const behind = await askAll(app, owner, leaks)
    await hide(names.filter((name) => needed.has(name)))
    const before = await askAll(app, owner, leaks)
    console.info(
      `T81 answers that tell too much ${leaks.length} of ${2 * app.endpoints.all.length + 1}, of them forced faults ${behind + before}`,
    )
    expect(leaks).toEqual([])
    expect(behind).toBeGreaterThan(5)
    expect(before).toBeGreaterThan(20)
  })

  it('T81 the error response to invalid HTTP is short JSON with its own status, and closes the connection', async () => {
    const app = await buildTestApp()
    const { port } = new URL(await app.http.listen({ host: '127.0.0.1', port: 0 }))
    const head = 'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    const requests: Readonly<Record<string, readonly [status: number, request: string, isAll?: boolean]>> = {
      garbage: [400, '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
      'another version': [400, 'GET / HTTP/9.9\r\n\r\n'],
      'an unknown method': [400, 'FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
      'no host': [400, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
      'a NUL in the address': [400, 'GET /api/\0 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
      'a damaged address': [400, 'GET /api/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
      'headers without end': [
        431,
        `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(3_000_000)}\r\n\r\n`,
      ],
      '5,000 headers': [431, `GET / HTTP/1.1\r\nHost: localhost\r\n${'X-A: a\r\n'.repeat(5000)}\r\n`],
      'two lengths': [400, `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
      'a length and chunks': [400, `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      'more than its length': [400, `${head}Content-Length: 2\r\n\r\n{}{}`],
      'less than its length': [400, `${head}Content-Length: 9\r\n\r\n{}`, true],
      'a bad chunk': [400, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
      'a long chunk extension': [
        413,
        `${head}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(50_000)}\r\n{\r\n0\r\n\r\n`,
      ],
      'a line break in a header': [400, 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n'],
      'an expectation': [417, `${head}Expect: a-miracle\r\nContent-Length: 2\r\n\r\n{}`],
      'a tunnel': [405, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    }
    const wrong: string[] = []
    for (const [name, [status, text, isAll = false]] of Object.entries(requests)) {
      const socket = connect(Number(port), '127.0.0.1')
      let said = ''
      socket.on('data', (chunk) => {
        said += chunk.toString('latin1')
      })
      socket.on('error', (error) => wrong.push(`${name}: ${error.message}`))
      if (isAll) socket.end(text, 'latin1')
      else socket.write(text, 'latin1')
      await new Promise((resolve) => socket.once('close', resolve))
      const [top = '', body = ''] = said.split('\r\n\r\n')
      const isOne = said.match(/HTTP\/1\.1/g)?.length === 1
      const isJson = /\r\ncontent-type: application\/json/i.test(top) && /^\{"detail":"[^"]+"\}$/.test(body)
      const isWhole = Number(/\r\ncontent-length: (\d+)/i.exec(top)?.[1]) === body.length
      const isSafe = /\r\nx-content-type-options: nosniff/.test(top) && !leaksIn(said.replace('HTTP/1.1', ''))
      if (!top.startsWith(`HTTP/1.1 ${status} `) || !isOne || !isJson || !isWhole || !isSafe)
        wrong.push(`${name}: ${said}`)
    }
    console.info(`T81 wrong answers to broken HTTP ${wrong.length} of ${Object.keys(requests).length}`)
    expect(wrong).toEqual([])
  })

  it('invalid HTTP after a request that is being answered does not damage the response', async () => {
    const app = await buildTestApp()
    const { port } = new URL(await app.http.listen({ host: '127.0.0.1', port: 0 }))
    const { authorization } = await app.as('viewer')
    const socket = connect(Number(port), '127.0.0.1')
    let said = ''
    const begun = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        said += chunk.toString('latin1')
        resolve()
      })
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`)
    await begun
    socket.write('garbage\r\n\r\n')
    await closed
    expect(said).toMatch(/^HTTP\/1\.1 200 /)
    expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})
