import { randomInt } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { createCube, createVase } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { multipart } from '../support/library/model-upload.ts'
import { isLongRun } from '../process/product-process.ts'

const ABORTS = isLongRun ? 1000 : 60
const MANY = 10_000
const BOUNDARY = 'boundary'
const PATH = '/api/stl-files/upload'
const timeout = isLongRun ? 600_000 : 120_000

type Headers = Record<string, string>

const CUBE = Buffer.from(writeBinaryStl(createCube(20)))
const FORM: Headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

const part = (disposition: string, content: string | Buffer = 'x', more = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data${disposition}\r\n${more}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
const file = (content: Buffer = CUBE): Buffer => part('; name="file"; filename="a.stl"', content)

/**
 * Returns what uploads have left behind: files in the object folder, finished or not, and files that are still open.
 */
async function leftovers(app: TestApp): Promise<string[]> {
  const entries = await readdir(join(app.dataDir, 'objects'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  if (process.platform !== 'linux') return files
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return [...files, ...links.filter((target) => target.startsWith(app.dataDir))]
}

/** Malformed or huge forms, by their description. */
const FORMS: Readonly<Record<string, Buffer>> = {
  '10,000 fields': form(...Array.from({ length: MANY }, (_, index) => part(`; name="f${index}"`))),
  '10,000 fields of one name': form(...Array.from({ length: MANY }, () => part('; name="title"'))),
  '10,000 files': form(
    ...Array.from({ length: MANY }, (_, index) => part(`; name="g${index}"; filename="a.stl"`)),
  ),
  'a file, then 10,000 fields': form(file(), ...Array.from({ length: MANY }, () => part('; name="f"'))),
  'two files': form(file(), file()),
  'no end': Buffer.concat([part('; name="title"'), file()]),
  'no end, in the file': Buffer.concat([part('; name="title"'), file()]).subarray(0, 400),
  'no end, in a header': Buffer.from(`--${BOUNDARY}\r\ncontent-disp`),
  'another boundary': Buffer.from(form(file()).toString('latin1').replaceAll(BOUNDARY, 'stranger'), 'latin1'),
  'only the end': form(),
  'nothing but text': Buffer.from('hello'),
  'a part without a name': form(part('', CUBE)),
  'a part without a disposition': Buffer.from(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`),
  'a name of 100 KB': form(part(`; name="${'n'.repeat(100_000)}"`)),
  'a header of 200 KB': form(part('; name="title"', 'x', `x-a: ${'a'.repeat(200_000)}\r\n`)),
  '5,000 headers': form(part('; name="title"', 'x', 'x-a: a\r\n'.repeat(5_000))),
  'a field of a megabyte': form(part('; name="title"', 'x'.repeat(1_000_000))),
}

it('T85 malformed forms are refused and leave no file behind', { timeout }, async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const wrong: string[] = []
  for (const [name, payload] of Object.entries(FORMS)) {
    const answer = await app.http.inject({
      method: 'POST',
      url: PATH,
      headers: { ...staff, ...FORM },
      payload,
    })
    if (![400, 413, 422].includes(answer.statusCode))
      wrong.push(`${name}: ${answer.statusCode} ${answer.body}`)
  }
  await expect.poll(() => leftovers(app), { timeout: 10_000 }).toEqual([])
  console.info(
    `T85 forms answered wrongly ${wrong.length} of ${Object.keys(FORMS).length}, temporary files left 0`,
  )
  expect(wrong).toEqual([])
})

/** Sends the first `length` bytes of an upload and disconnects. */
function hangUp(url: string, headers: Headers, payload: Buffer, length: number): Promise<void> {
  return new Promise((resolve) => {
    const sent = httpRequest(`${url}${PATH}`, {
      method: 'POST',
      headers: { ...headers, 'content-length': payload.length },
    })
    sent.once('error', () => undefined)
    sent.once('close', resolve)
    sent.write(payload.subarray(0, length), () => sent.destroy())
  })
}

it(`T85 ${ABORTS} aborted uploads leave no file and no hung handler behind`, {
  timeout,
}, async () => {
  const ends = new Set<string>()
  const begun = new Set<string>()
  const app = await buildTestApp({
    logTo: {
      write(line) {
        const { requestId, msg } = JSON.parse(line) as { requestId?: string; msg?: string }
        if (requestId && msg === 'starting multipart parsing') begun.add(requestId)
        if (requestId && (msg === 'request refused' || msg === 'request failed')) ends.add(requestId)
      },
    },
  })
  const staff = await app.as('staff')
  const url = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const vase = { name: 'vase.stl', bytes: writeBinaryStl(createVase(80, 96)) }
  const { payload, headers } = await multipart({ title: 'a vase', description: 'x'.repeat(500) }, [vase])
  const between = payload.indexOf('\r\n------', 200)
  for (let abort = 0; abort < ABORTS; abort += 1) {
    const length = abort % 3 === 0 ? between + 2 : randomInt(1, payload.length - 50)
    await hangUp(url, { ...staff, ...headers }, payload, length)
  }
  const hung = () => [...begun].filter((id) => !ends.has(id)).length
  await expect.poll(hung, { timeout: 20_000 }).toBe(0)
  await expect.poll(() => leftovers(app), { timeout: 10_000 }).toEqual([])
  const connections = () =>
    new Promise((resolve) => app.http.server.getConnections((_, count) => resolve(count)))
  await expect.poll(connections, { timeout: 10_000 }).toBe(0)
  console.info(
    `T85 hung handlers ${hung()} of ${begun.size}, temporary files left 0, after ${ABORTS} broken uploads`,
  )
  expect(begun.size).toBeGreaterThan(ABORTS / 4)
  const whole = await app.http.inject({
    method: 'POST',
    url: PATH,
    headers: { ...staff, ...headers },
    payload,
  })
  expect(whole.statusCode).toBe(201)
})
