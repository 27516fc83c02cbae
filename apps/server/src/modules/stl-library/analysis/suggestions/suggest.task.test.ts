import type { ServerResponse } from 'node:http'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createBox, createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../../test/support/build-test-app.ts'
import { type ChatServer, says, startChatServer } from '../../../../../test/servers/chat-server.ts'
import { addVersion, analyzed, upload } from '../../../../../test/support/library/model-upload.ts'

type Headers = { authorization: string }

const KEY = 'sk-a-key-that-nobody-may-see'
const PROPOSAL = {
  title: 'Cable clip',
  tags: ['clip', 'Cable', 'clip'],
  description: 'Holds a cable to a desk.',
}

const BOX = writeBinaryStl(createBox(12, 20, 5.5))
/**
 * Returns a box with different bytes for each index, because the endpoint is asked only once for the same
 * bytes.
 */
const boxOf = (index: number): Uint8Array => writeBinaryStl(createBox(12, 20, 5.5 + index / 4))

async function add(
  app: TestApp,
  staff: Headers,
  file: { name: string; bytes: Uint8Array },
  fields: Record<string, string> = {},
): Promise<Model> {
  const answer = await upload(app, staff, file, fields)
  expect(answer.statusCode, answer.body).toBe(201)
  return analyzed(app, staff, answer.json<Model>().id)
}

const read = async (app: TestApp, headers: Headers, { id }: { id: string }) =>
  (await app.http.inject({ url: `/api/stl-files/${id}`, headers })).json<Model>()

/** Waits until no suggestion is pending, and returns the model. */
async function settled(app: TestApp, headers: Headers, model: Model): Promise<Model> {
  await expect
    .poll(
      async () => {
        const [row] = await app.database.sql<[{ open: number }]>`
          select cardinality(fields_to_suggest) as open from stl_files where id = ${model.id}`
        return row.open
      },
      { timeout: 60_000 },
    )
    .toBe(0)
  return read(app, headers, model)
}

async function anApp(chat: ChatServer, logTo?: { write(line: string): void }): Promise<TestApp> {
  const variables = { AI_BASE_URL: `${chat.baseUrl}/`, AI_MODEL: 'a-model', AI_API_KEY: KEY }
  return buildTestApp({ variables, ...(logTo && { logTo }) })
}

describe('suggestions without an AI endpoint', () => {
  it('without an AI endpoint, the server suggests title, tags and description from the file name and the geometry', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await add(app, staff, { name: 'Wall_bracket-PETG_20mm final v2.stl', bytes: BOX })
    expect(model).toMatchObject({
      title: 'Wall bracket-PETG 20mm final v2',
      tags: ['petg', '20mm', 'wall', 'bracket'],
      description: '12.0 × 20.0 × 5.5 mm, one watertight part',
    })
    expect(model.suggested_fields.toSorted()).toEqual(['description', 'tags', 'title'])
    // These bytes are already measured, so the description is available immediately.
    const twin = await upload(app, staff, { name: 'again.stl', bytes: BOX })
    expect(twin.json<Model>().description).toBe('12.0 × 20.0 × 5.5 mm, one watertight part')
  })

  it('suggestions keep typed values, and an upload that turns suggestions off gets no suggestions', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const typed = { title: 'Mine', tags: '["own"]', description: 'My words' }
    const file = { name: 'Wall_bracket.stl', bytes: BOX }
    expect(await add(app, staff, file, typed)).toMatchObject({
      title: 'Mine',
      tags: ['own'],
      description: 'My words',
      suggested_fields: [],
    })
    expect(await add(app, staff, file, { use_ai: 'false' })).toMatchObject({
      tags: [],
      description: null,
      suggested_fields: [],
    })
  })
})

describe('suggestions with an AI endpoint', () => {
  it('the AI endpoint gets the picture, name and measures of a model, and its suggestions are saved with the model', async () => {
    const chat = await startChatServer(
      says(`Sure! Here it is:\n\`\`\`json\n${JSON.stringify(PROPOSAL)}\n\`\`\`\nAnything else?`),
    )
    const app = await anApp(chat)
    const staff = await app.as('staff')
    const model = await settled(app, staff, await add(app, staff, { name: 'clip_03.stl', bytes: BOX }))
    expect(model).toMatchObject({
      title: 'Cable clip',
      tags: ['clip', 'cable'],
      description: PROPOSAL.description,
    })
    expect(model.suggested_fields.toSorted()).toEqual(['description', 'tags', 'title'])
    const [request] = chat.requests
    expect(request?.url).toBe('/v1/chat/completions')
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`)
    const body = JSON.parse(request?.body ?? '') as {
      model: string
      messages: { content: { text?: string; image_url?: { url: string } }[] }[]
    }
    expect(body.model).toBe('a-model')
    const [text, image] = body.messages[1]?.content ?? []
    expect(JSON.parse(text?.text ?? '')).toMatchObject({ file_name: 'clip_03.stl', size_mm: [12, 20, 5.5] })
    const [, base64 = ''] = image?.image_url?.url.split('data:image/png;base64,') ?? []
    expect(await sharp(Buffer.from(base64, 'base64')).metadata()).toMatchObject({ format: 'png', width: 480 })
  })

  it('suggestions from the AI endpoint fill only empty fields', async () => {
    const chat = await startChatServer(says(JSON.stringify(PROPOSAL)))
    const app = await anApp(chat)
    const staff = await app.as('staff')
    const file = { name: 'clip.stl', bytes: BOX }
    const model = await settled(app, staff, await add(app, staff, file, { title: 'Mine', tags: '["own"]' }))
    expect(model).toMatchObject({ title: 'Mine', tags: ['own'], description: PROPOSAL.description })
    expect(model.suggested_fields).toEqual(['description'])
    const [before] = [chat.requests.length]
    await add(app, staff, file, { use_ai: 'false' })
    await add(app, staff, file, { title: 'a', tags: '["b"]', description: 'c' })
    expect(chat.requests).toHaveLength(before)
  })

  it('a suggestion never replaces a value that was typed in the meantime, even if the person clears the field again', async () => {
    const asked = Promise.withResolvers<() => void>()
    const chat = await startChatServer((response) =>
      asked.resolve(() => says(JSON.stringify(PROPOSAL))(response)),
    )
    const app = await anApp(chat)
    const staff = await app.as('staff')
    const model = await add(app, staff, { name: 'clip.stl', bytes: BOX })
    const answerNow = await asked.promise
    for (const payload of [{ title: 'Typed', description: 'Typed' }, { description: null }]) {
      const { revision } = await read(app, staff, model)
      const edited = await app.http.inject({
        method: 'PUT',
        url: `/api/stl-files/${model.id}`,
        headers: { ...staff, 'if-match': `"${revision}"` },
        payload,
      })
      expect(edited.statusCode, edited.body).toBe(200)
    }
    answerNow()
    const found = await settled(app, staff, model)
    expect(found).toMatchObject({ title: 'Typed', description: null, tags: ['clip', 'cable'] })
    expect(found.suggested_fields).toEqual(['tags'])
  })

  it('suggestions for an old version are not applied to a new version that arrived in the meantime', async () => {
    const asked = Promise.withResolvers<() => void>()
    const described = (description: string) => says(JSON.stringify({ ...PROPOSAL, description }))
    const chat = await startChatServer((response, { body }) => {
      const [, name] = /(second|third)\.stl/.exec(body) ?? []
      if (name) described(`Of the ${name}`)(response)
      else asked.resolve(() => described('Of the first')(response))
    })
    const app = await anApp(chat)
    const staff = await app.as('staff')
    const model = await add(app, staff, { name: 'first.stl', bytes: BOX })
    const answerNow = await asked.promise
    await addVersion(app, staff, model.id, { name: 'second.stl', bytes: boxOf(1) })
    answerNow()
    await analyzed(app, staff, model.id)
    expect((await settled(app, staff, model)).description).toBe('Of the second')
    await addVersion(app, staff, model.id, { name: 'third.stl', bytes: boxOf(2) })
    await analyzed(app, staff, model.id)
    expect((await settled(app, staff, model)).description).toBe('Of the third')
  })

  it("T56 an unreachable or faulty AI endpoint does not harm the model, and the endpoint's API key is never shown", async () => {
    const elsewhere = await startChatServer(says(JSON.stringify(PROPOSAL)))
    const chat = await startChatServer(says('{}'))
    const log: string[] = []
    const app = await anApp(chat, { write: (line) => void log.push(line) })
    const staff = await app.as('staff')
    const html = '<img src=x onerror=alert(1)>'
    const cases = {
      'hangs up': (response) => response.destroy(),
      'is not allowed': (response) =>
        response.writeHead(401).end(JSON.stringify({ error: `bad key ${KEY}` })),
      'sends elsewhere': (response) =>
        response.writeHead(307, { location: `${elsewhere.baseUrl}/chat/completions` }).end(),
      'is out of order': (response) => response.writeHead(500).end(KEY),
      'speaks no JSON': (response) => response.writeHead(200).end('hello'),
      'says no object': says('I am sorry, I cannot help with that.'),
      'says an empty one': says('{"title": 3, "tags": "all", "description": null}'),
      'says markup': says(JSON.stringify({ title: html, tags: [html], description: html })),
      'says too much': says(JSON.stringify({ title: 'x'.repeat(201), description: 'x'.repeat(20_000) })),
      'never ends': (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(' '.repeat(400_000))
      },
    } satisfies Record<string, (response: ServerResponse) => void>
    // The name of the file selects the behavior of the endpoint.
    chat.behave((response, request) => {
      const found = Object.entries(cases).find(([name]) => request.body.includes(`${name}.stl`))
      if (found) found[1](response)
    })
    const added: [string, Model][] = []
    for (const [index, name] of Object.keys(cases).entries()) {
      const answer = await upload(app, staff, { name: `${name}.stl`, bytes: boxOf(index) })
      added.push([name, answer.json<Model>()])
    }
    const changed: string[] = []
    for (const [name, model] of added) {
      const found = await settled(app, staff, model)
      expect([name, found.analysis_status, found.thumbnail_path === null]).toEqual([name, 'done', false])
      const isOurs = found.title === name && found.description?.endsWith('one watertight part') === true
      if (!isOurs || found.tags.join() !== model.tags.join()) changed.push(name)
    }
    const leaks = log.filter((line) => line.includes(KEY)).length
    console.info(
      `use_ai: answers that did harm ${changed.length} of ${Object.keys(cases).length}; key in the log ${leaks} times; sent elsewhere ${elsewhere.requests.length}`,
    )
    expect([changed, leaks, elsewhere.requests.length]).toEqual([[], 0, 0])
    // A temporary failure is retried twice, a refusal is not.
    expect(chat.requests.length).toBeLessThanOrEqual(3 * Object.keys(cases).length - 4)
  }, 600_000)
})

it('a model with unusual measures also gets a description', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const open = createCube(10).slice(0, -9)
  const two = new Float32Array([...createCube(10), ...createCube(10).map((value) => value + 100)])
  const first = await add(app, staff, { name: 'a.stl', bytes: writeBinaryStl(open) })
  expect(first.description).toBe('10.0 × 10.0 × 10.0 mm, one part, not watertight')
  expect(first.warnings.map(({ message }) => message)).toContain(
    '3 open edges: the slicer may leave a hole here',
  )
  expect(first.print_estimate).toBeNull()
  const second = await add(app, staff, { name: 'b.stl', bytes: writeBinaryStl(two) })
  expect(second.description).toMatch(/^110\.0 × 110\.0 × 110\.0 mm, 2 watertight parts$/)
})
